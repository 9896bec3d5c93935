/** A line of the input. */
export interface InputLine {
  /** Number in the file, from 0. */
  readonly number: number;
  readonly text: string;
  /** Bytes of the file up to its end. */
  readonly endBytes: number;
}

const LF = 10;

/**
 * Cuts bytes into lines, with or without a CR at the end; a last line needs no LF. Lines that are
 * empty are counted and left out. A byte order mark at the start is left out.
 *
 * @param source - The file, in any pieces.
 * @yields The lines, in order.
 */
export async function* inputLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<InputLine> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  let endBytes = 0;
  for await (const piece of source) {
    let bytes: Buffer = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF)) {
      endBytes += end + 1;
      const text = lineText(bytes.subarray(0, end), number);
      if (text !== '') yield { number, text, endBytes };
      number += 1;
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  }
  const text = lineText(rest, number);
  if (text !== '') yield { number, text, endBytes: endBytes + rest.length };
}

function lineText(bytes: Buffer, number: number): string {
  const text = bytes.toString('utf8').replace(/\r$/, '');
  return number === 0 ? text.replace(/^\ufeff/, '') : text;
}

/**
 * Takes the text out of a line.
 *
 * @param line - A JSON string, or an object with the text in a field; or, as `text`, the text itself.
 * @param format - `text` if the whole line is meant.
 * @param field - Where the text is in an object.
 * @returns What is to be embedded.
 * @throws Error that says what is wrong with the line.
 */
export function textOfLine(line: string, format: 'jsonl' | 'text', field: string): string {
  if (format === 'text') return line;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('the line is not JSON');
  }
  if (typeof value === 'string') return value;
  const text = (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (typeof text === 'string') return text;
  throw new Error(`the line is neither a string nor an object with text in "${field}"`);
}
