import type { Pull } from '../model-files/pull.ts';
import type { Host } from './host.ts';

/** Characters of a full bar. */
const BAR_LENGTH = 24;

/** Where stderr is no terminal, only files of at least this size have lines while they come, in bytes. */
const LONG_FILE = 10_000_000;

/** Such a file has a line for each of these parts of it. */
const LINES = 10;

/** The end of a line that is written over a longer one. Source: ECMA-48, erase in line. */
const ERASE_REST = '\u001B[K';

/**
 * Shows how downloads go on: a bar on a terminal, else a line now and then; and a line for each file on stdout.
 *
 * @param host - Gets the lines.
 * @returns What a download tells.
 */
export function downloadProgress(host: Host): Pick<Pull, 'onBytes' | 'onFile'> {
  let last = '';
  function show(text: string, written: string): void {
    if (text === last) return;
    last = text;
    host.writeError(written);
  }
  return {
    onBytes: ({ name, size }, bytes) => {
      if (host.isTerminal) {
        const bar = progressBar(name, bytes, size);
        show(bar, `\r${bar}${ERASE_REST}`);
      } else if (size !== null && size >= LONG_FILE) {
        const percent = (Math.floor((bytes / size) * LINES) * 100) / LINES;
        const line = `${name}: ${percent} % of ${sizeText(size)}\n`;
        show(line, line);
      }
    },
    onFile: ({ name, sha256 }, downloaded) => {
      if (host.isTerminal) show('', `\r${ERASE_REST}`);
      const checked = sha256 === null ? '' : ', as the hub says';
      host.write(`${name}: ${sizeText(downloaded.bytes)}, sha256 ${downloaded.sha256}${checked}\n`);
    },
  };
}

/**
 * How much of a file is there, in a line.
 *
 * @param name - Of the file.
 * @param bytes - That are there.
 * @param size - All bytes; null: not known.
 * @returns Such as `model.onnx [######                  ]  25 % of 90.4 MB`.
 */
export function progressBar(name: string, bytes: number, size: number | null): string {
  if (size === null || size === 0) return `${name} ${sizeText(bytes)}`;
  const part = Math.min(1, bytes / size);
  const bar = '#'.repeat(Math.floor(part * BAR_LENGTH)).padEnd(BAR_LENGTH);
  return `${name} [${bar}] ${String(Math.floor(part * 100)).padStart(3)} % of ${sizeText(size)}`;
}

/**
 * A size for people.
 *
 * @param bytes - Whole.
 * @returns Such as `612 bytes`, `6.1 kB` or `90.4 MB`.
 */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
