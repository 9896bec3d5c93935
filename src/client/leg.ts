import { retryAfterMs } from './backoff.ts';
import { BodyCollector } from './body-collector.ts';
import { requestId, type Attempt, type CallContext, type Reply } from './call-context.ts';
import { errorText } from './decode/codings.ts';
import { httpError, PerformanceClientError } from './errors.ts';
import type { AnswerSink, Exchange, ResponseHead, TransportError } from './transport.ts';
import { wireRequest } from './wire-request.ts';

/** Opens a leg: sends one request. */
export type OpenLeg = (attempt: Attempt) => Leg;

/**
 * Opens legs of a call.
 *
 * @param call - What its requests share.
 * @param maxBytes - Most bytes that it may have.
 * @returns A function for the legs of this call alone.
 */
export function legOpener(call: CallContext, maxBytes: number): OpenLeg {
  return (attempt) => new Leg(call, attempt, maxBytes);
}

/** One request on the wire and its answer: an attempt, or the hedge of one. */
export class Leg implements AnswerSink {
  /** The answer if its status is 2xx; else it rejects with a {@link PerformanceClientError}. */
  readonly reply: Promise<Reply>;
  readonly #call: CallContext;
  readonly #attempt: Attempt;
  readonly #maxBytes: number;
  readonly #exchange: Exchange;
  #resolve!: (reply: Reply) => void;
  #reject!: (error: unknown) => void;
  #head: ResponseHead | null = null;
  #body: BodyCollector | null = null;
  #settled = false;
  #onSign: (() => void) | null = null;
  #onSettled: (() => void) | null = null;

  constructor(call: CallContext, attempt: Attempt, maxBytes: number) {
    this.#call = call;
    this.#attempt = attempt;
    this.#maxBytes = maxBytes;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    attempt.request.tried.add(attempt.member);
    this.#exchange = attempt.member.transport.send(wireRequest(call, attempt), this);
    call.scope.onEnd(this.fail);
  }

  /**
   * @returns Whether a connection carries the request.
   */
  get connected(): boolean {
    return this.#exchange.connected;
  }

  /**
   * Calls back at the first sign of an answer: its head, or an error.
   *
   * @param callback - Called once at most.
   */
  whenSigned(callback: () => void): void {
    this.#onSign = callback;
  }

  /**
   * Calls back when the leg is over, however it ended.
   *
   * @param callback - Called once at most.
   */
  whenSettled(callback: () => void): void {
    this.#onSettled = callback;
  }

  /**
   * Gives the request up and rejects.
   *
   * @param error - Why it failed.
   */
  readonly fail = (error: PerformanceClientError): void => {
    if (!this.#settle()) return;
    this.#exchange.abort();
    this.#reject(error);
    this.#sign();
  };

  /** Gives the request up; the reply never comes. */
  abort(): void {
    if (this.#settle()) this.#exchange.abort();
  }

  readonly onHead = (head: ResponseHead): void => {
    this.#head = head;
    if (head.length !== null && head.length > this.#maxBytes) {
      this.fail(this.#tooLarge());
      return;
    }
    this.#body = new BodyCollector(head.length);
    this.#sign();
  };

  readonly onBody = (chunk: Uint8Array): void => {
    if (this.#settled || !this.#body) return;
    this.#body.add(chunk);
    if (this.#body.length > this.#maxBytes) this.fail(this.#tooLarge());
  };

  readonly onEnd = (): void => {
    const head = this.#head;
    if (!head || !this.#settle()) return;
    const { status, headers, decoded = false } = head;
    try {
      const body = this.#body?.bytes() ?? new Uint8Array();
      if (status >= 200 && status < 300) this.#resolve({ headers, decoded, body });
      else this.#reject(this.#refusal(head, body));
    } catch (cause) {
      // Nothing else settles the leg any more.
      const text = 'Failed to read response: its body cannot be used';
      this.#reject(new PerformanceClientError('serialization', text, { cause }));
    }
  };

  readonly onError = (error: TransportError): void => {
    if (!this.#settle()) return;
    this.#reject(this.#broken(error));
    this.#sign();
  };

  #sign(): void {
    const callback = this.#onSign;
    this.#onSign = null;
    callback?.();
  }

  // `false` if the leg was over already.
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#call.scope.forget(this.fail);
    this.#onSettled?.();
    return true;
  }

  #refusal(head: ResponseHead, body: Uint8Array): PerformanceClientError {
    const text = errorText(body, head, this.#maxBytes);
    const error = httpError(head.status, text);
    WAITS.set(error, retryAfterMs(head.headers['retry-after']));
    return error;
  }

  #tooLarge(): PerformanceClientError {
    return new PerformanceClientError(
      'serialization',
      `Failed to read response: it is larger than ${this.#maxBytes} bytes`,
    );
  }

  #broken(error: TransportError): PerformanceClientError {
    const id = requestId(this.#call, this.#attempt.request.index);
    const [type, source] =
      error.kind === 'connect' ? ['Connection error', ' (Connect)'] : ['Network error', ''];
    const made = new PerformanceClientError(
      error.kind,
      `Request ID: ${id}\n  Error: error sending request${source}: ${error.message}\n  Type: ${type}`,
      { cause: error },
    );
    if (!error.retryable) FINAL.add(made);
    return made;
  }
}

const WAITS = new WeakMap<PerformanceClientError, number | null>();
const FINAL = new WeakSet<PerformanceClientError>();

/**
 * @param error - Why it failed.
 * @returns Milliseconds that the server asked to wait before another attempt, or `null`.
 */
export function waitAskedFor(error: PerformanceClientError): number | null {
  return WAITS.get(error) ?? null;
}

/**
 * @param error - Why it failed.
 * @returns Whether sending again can't help, whatever the kind of the error says.
 */
export function isFinal(error: PerformanceClientError): boolean {
  return FINAL.has(error);
}
