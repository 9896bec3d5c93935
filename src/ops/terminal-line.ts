/** What a line of the log has besides its fields. */
interface Line {
  readonly level: string;
  readonly time: string;
  readonly message: string;
}

/** Colours of levels that someone should look at. Source: ECMA-48, SGR. */
const COLOURS: Readonly<Record<string, string>> = { WARNING: '\u001b[33m', ERROR: '\u001b[31m' };

const DIM = '\u001b[2m';
const RESET = '\u001b[0m';

/**
 * Makes a line of the log readable for people: `12:00:00.000 INFO message key=value`.
 *
 * @param json - A line as `openLog()` writes it.
 * @returns The line for a terminal, with a line break at its end.
 */
export function terminalLine(json: string): string {
  const { level, time, message, ...fields } = JSON.parse(json) as Line;
  const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${fieldText(value)}`);
  const [, clock = time] = /T(.+)Z$/.exec(time) ?? [];
  const colour = COLOURS[level] ?? '';
  const end = colour === '' ? '' : RESET;
  return `${DIM}${clock}${RESET} ${colour}${level}${end} ${oneLine(message)}${pairs.join('')}\n`;
}

// Plain where that can't be misread, else as JSON.
function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

// A line break in a message must not begin what looks like another line, nor may it move the cursor.
function oneLine(message: string): string {
  return message.replaceAll(/\s*[\r\n]+\s*/g, ' | ').replaceAll(/\p{Cc}/gu, '?');
}
