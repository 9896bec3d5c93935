import { open, type FileHandle } from 'node:fs/promises';

/** Bytes of the head of a .npy file; its dictionary is padded to them. */
export const NPY_HEAD_BYTES = 128;

/** A file that vectors are added to, one for each text, in order. */
export interface VectorOutput {
  /** Bytes that hold whole rows. */
  readonly bytes: () => number;
  /** Adds rows; `null` is a text that failed. */
  readonly add: (rows: readonly VectorRow[]) => Promise<void>;
  /** Writes what is known at the end only, and closes the file. */
  readonly close: () => Promise<void>;
}

/** A vector, and the line that it belongs to. */
export interface VectorRow {
  readonly line: number;
  readonly vector: Float32Array | null;
}

/** Where a file goes on. */
export interface OutputStart {
  /** Bytes that are kept; 0 begins anew. */
  readonly bytes: number;
  /** Rows in them. */
  readonly rows: number;
  /** Length of the vectors, or `null` while none is known. */
  readonly dimensions: number | null;
}

/**
 * Opens a file by the end of its name.
 *
 * @param path - Ends in .npy or .jsonl.
 * @param start - Where it goes on.
 * @returns The file, cut to what is kept.
 */
export async function openOutput(path: string, start: OutputStart): Promise<VectorOutput> {
  const file = await open(path, start.bytes === 0 ? 'w' : 'r+');
  await file.truncate(start.bytes);
  return path.endsWith('.npy') ? new NpyOutput(file, start) : new JsonlOutput(file, start);
}

/** JSON lines: `{"line", "embedding"}`; a text that failed has none. */
class JsonlOutput implements VectorOutput {
  readonly #file: FileHandle;
  #bytes: number;

  constructor(file: FileHandle, { bytes }: OutputStart) {
    this.#file = file;
    this.#bytes = bytes;
  }

  readonly bytes = (): number => this.#bytes;

  readonly add = async (rows: readonly VectorRow[]): Promise<void> => {
    const lines = rows
      .filter(({ vector }) => vector !== null)
      .map(({ line, vector }) => {
        // Nine digits read back to the same float32.
        const numbers = Array.from(vector ?? [], (number) => Number(number.toPrecision(9)));
        return `${JSON.stringify({ line, embedding: numbers })}\n`;
      });
    const bytes = Buffer.from(lines.join(''));
    await this.#file.write(bytes, 0, bytes.length, this.#bytes);
    this.#bytes += bytes.length;
  };

  readonly close = (): Promise<void> => this.#file.close();
}

/** A matrix of float32, `[texts, dimensions]`; a text that failed is a row of NaN. */
class NpyOutput implements VectorOutput {
  readonly #file: FileHandle;
  #rows: number;
  #dimensions: number | null;
  /** Rows that failed before a length was known. */
  #pending = 0;

  constructor(file: FileHandle, { rows, dimensions }: OutputStart) {
    this.#file = file;
    this.#dimensions = dimensions;
    this.#rows = dimensions === null ? 0 : rows;
    this.#pending = dimensions === null ? rows : 0;
  }

  readonly bytes = (): number =>
    this.#dimensions === null ? 0 : NPY_HEAD_BYTES + this.#rows * this.#dimensions * 4;

  readonly add = async (rows: readonly VectorRow[]): Promise<void> => {
    this.#dimensions ??= rows.find(({ vector }) => vector !== null)?.vector?.length ?? null;
    if (this.#dimensions === null) {
      this.#pending += rows.length;
      return;
    }
    const size = this.#dimensions;
    const matrix = new Float32Array((this.#pending + rows.length) * size).fill(Number.NaN);
    rows.forEach(({ vector, line }, at) => {
      if (vector && vector.length !== size) {
        throw new Error(`the vector of line ${line + 1} has ${vector.length} numbers, not ${size}`);
      }
      if (vector) matrix.set(vector, (this.#pending + at) * size);
    });
    const bytes = new Uint8Array(matrix.buffer);
    await this.#file.write(bytes, 0, bytes.length, this.bytes());
    this.#rows += this.#pending + rows.length;
    this.#pending = 0;
    await this.#writeHead();
  };

  readonly close = async (): Promise<void> => {
    if (this.#dimensions === null) {
      this.#rows = this.#pending;
      this.#dimensions = 0;
      await this.#writeHead();
    }
    await this.#file.close();
  };

  async #writeHead(): Promise<void> {
    const shape = `(${this.#rows}, ${this.#dimensions ?? 0})`;
    const head = Buffer.from(npyHead(shape), 'latin1');
    await this.#file.write(head, 0, head.length, 0);
  }
}

/**
 * The head of a .npy file, version 1.0. Source: NumPy's format description, NEP 1.
 *
 * @param shape - A Python tuple.
 * @returns Latin-1 text of {@link NPY_HEAD_BYTES} characters.
 */
export function npyHead(shape: string): string {
  const start = '\x93NUMPY\x01\x00';
  const room = NPY_HEAD_BYTES - start.length - 2;
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`;
  return `${start}${String.fromCharCode(room & 255, room >> 8)}${dictionary.padEnd(room - 1)}\n`;
}
