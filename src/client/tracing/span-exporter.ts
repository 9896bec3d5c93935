import type { Logger } from '../logger.ts';
import { platform } from '../platform.ts';
import { unref } from '../timers.ts';
import type { Exchange, Transport } from '../transport.ts';
import { otlpBody } from './otlp.ts';
import type { EndedSpan } from './span.ts';
import type { TraceSettings } from './trace-settings.ts';

/** Spans of one export. */
export const MAX_EXPORT_SPANS = 256;

/** Spans that wait for an export; further ones are dropped. */
export const MAX_QUEUED_SPANS = 1024;

const INTERVAL_MS = 1000;
const TIMEOUT_MS = 5000;

/** Sends spans to a collector, in the background. Failures are told to a logger at most. */
export class SpanExporter {
  readonly #settings: TraceSettings;
  readonly #gzip: (body: Uint8Array) => Uint8Array;
  readonly #transport: Transport;
  readonly #queue: EndedSpan[] = [];
  #timer: NodeJS.Timeout | null = null;
  #logger: Logger = {};
  #exporting: Promise<void> | null = null;

  constructor(settings: TraceSettings, gzip: (body: Uint8Array) => Uint8Array) {
    this.#settings = settings;
    this.#gzip = gzip;
    this.#transport = platform().openTransport({ httpVersion: 1, proxy: null });
  }

  /**
   * @returns Where the spans go.
   */
  get settings(): TraceSettings {
    return this.#settings;
  }

  /**
   * Queues a span; `logger` hears if its export fails.
   *
   * @param span - As it was started.
   * @param logger - Hears of failures.
   */
  add(span: EndedSpan, logger: Logger): void {
    this.#logger = logger;
    if (this.#queue.length >= MAX_QUEUED_SPANS) return;
    this.#queue.push(span);
    this.#timer ??= this.#arm();
  }

  /** Exports all that is queued now. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#exporting;
    while (this.#queue.length > 0) await this.#export();
  }

  #arm(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = null;
      void this.#tick();
    }, INTERVAL_MS);
    unref(timer);
    return timer;
  }

  async #tick(): Promise<void> {
    await (this.#exporting ?? this.#export());
    if (this.#queue.length > 0) this.#timer ??= this.#arm();
  }

  #export(): Promise<void> {
    const spans = this.#queue.splice(0, MAX_EXPORT_SPANS);
    this.#exporting = this.#post(otlpBody(spans)).then((failure) => {
      this.#exporting = null;
      if (failure !== null) this.#logger.debug?.('exporting spans failed', { failure });
    });
    return this.#exporting;
  }

  // Resolves to what went wrong, or `null`.
  #post(value: object): Promise<string | null> {
    const body = this.#gzip(new TextEncoder().encode(JSON.stringify(value)));
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...this.#settings.headers,
    };
    const request = { method: 'POST', url: this.#settings.endpoint, headers, body };
    return new Promise((resolve) => {
      let status = 0;
      const exchange: Exchange = this.#transport.send(
        { ...request, background: true },
        {
          onHead: (head) => {
            status = head.status;
          },
          onBody: () => undefined,
          onEnd: () => {
            done(status >= 200 && status < 300 ? null : `status ${status}`);
          },
          onError: (error) => {
            done(error.message);
          },
        },
      );
      const timer = setTimeout(() => {
        exchange.abort();
        done('timeout');
      }, TIMEOUT_MS);
      unref(timer);
      function done(failure: string | null): void {
        clearTimeout(timer);
        resolve(failure);
      }
    });
  }
}
