import type { RequestScope } from '../scope.ts';
import type { Float32Tensor } from '../tensor.ts';
import type { InferResult } from './engine.ts';

/** The rows of one request on their way through the engine. */
export class Job {
  readonly scope: RequestScope;
  /** On the clock of `performance.now()`. */
  readonly arrivedMs: number;
  readonly result: Promise<InferResult>;
  readonly #tensors: Float32Tensor[];
  #open: number;
  #startedMs: number | null = null;
  #settled = false;
  #resolve!: (result: InferResult) => void;
  #reject!: (error: Error) => void;

  constructor(rows: number, scope: RequestScope, nowMs: number) {
    this.scope = scope;
    this.#tensors = new Array<Float32Tensor>(rows);
    this.arrivedMs = nowMs;
    this.#open = rows;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** @returns Whether the request has its answer, so that its rows need not run any more. */
  get settled(): boolean {
    return this.#settled;
  }

  /**
   * Notes that a batch with rows of this request was handed to a worker.
   *
   * @param nowMs - On the clock of `performance.now()`.
   */
  started(nowMs: number): void {
    this.#startedMs ??= nowMs;
  }

  /**
   * Takes the result of a row; the last one settles the request.
   *
   * @param index - Of the row in the request.
   * @param tensor - A view of the batch's buffer.
   * @param nowMs - On the clock of `performance.now()`.
   */
  deliver(index: number, tensor: Float32Tensor, nowMs: number): void {
    this.#tensors[index] = tensor;
    this.#open -= 1;
    if (this.#open > 0 || this.#settled) return;
    this.#settled = true;
    const startedMs = this.#startedMs ?? nowMs;
    this.#resolve({
      tensors: this.#tensors,
      queueMs: startedMs - this.arrivedMs,
      runMs: nowMs - startedMs,
    });
  }

  /**
   * Settles the request without a result; only the first call counts.
   *
   * @param error - Why.
   */
  fail(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#reject(error);
  }
}
