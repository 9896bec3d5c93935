import { ServeError } from '../errors.ts';

/** Request bodies that the server holds, of all requests together, in bytes: 256 MiB. */
export const MAX_HELD_BODY_BYTES = 268_435_456;

/** Answers that are computed and not yet written, of all requests together, in bytes: 512 MiB. */
export const MAX_UNWRITTEN_ANSWER_BYTES = 536_870_912;

/** The part of a budget that one request has. */
export interface Hold {
  /**
   * Takes what is missing to a number of bytes; less than held is nothing to do.
   *
   * @param bytes - Held in the end.
   * @throws {@link ServeError} `overloaded`: the budget has not so many left. What was held stays so.
   */
  readonly take: (bytes: number) => void;
  /** Gives all back; the first time. */
  readonly give: () => void;
}

/** Memory that all requests share. A request that finds it unused gets what it asks for. */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #what: string;
  #usedBytes = 0;

  /**
   * A budget of which nothing is used.
   *
   * @param limitBytes - Of all holds together.
   * @param what - What fills it, for the error: `request bodies`.
   */
  constructor(limitBytes: number, what: string) {
    this.#limitBytes = limitBytes;
    this.#what = what;
  }

  /** @returns Of all holds together. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /**
   * Opens a hold, of nothing at first.
   *
   * @returns To be given back whatever becomes of the request.
   */
  hold(): Hold {
    let heldBytes = 0;
    return {
      take: (bytes) => {
        if (bytes <= heldBytes) return;
        this.#take(bytes - heldBytes, bytes);
        heldBytes = bytes;
      },
      give: () => {
        this.#usedBytes -= heldBytes;
        heldBytes = 0;
      },
    };
  }

  #take(bytes: number, wholeBytes: number): void {
    const othersBytes = this.#usedBytes - (wholeBytes - bytes);
    if (othersBytes > 0 && this.#usedBytes + bytes > this.#limitBytes) {
      throw new ServeError(
        'overloaded',
        `Cannot hold ${wholeBytes} bytes for the request: ${this.#what} of other requests take ${othersBytes}, and the limit for all is ${this.#limitBytes} and is fixed; try again later`,
      );
    }
    this.#usedBytes += bytes;
  }
}
