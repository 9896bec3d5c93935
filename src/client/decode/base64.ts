const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 64;
const EQUALS = 61;

/** Value of each character below 128; {@link INVALID} for the others. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? INVALID : value;
});

/**
 * @param text - Characters to read.
 * @returns Bytes of base64 text (standard alphabet, padded).
 * @throws Error if the text is anything else; nothing is skipped.
 */
export function decodeBase64(text: string): Uint8Array {
  const length = text.length;
  if (length % 4 !== 0) throw new Error('base64 text must be a multiple of 4 characters');
  const padding = paddingOf(text);
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const whole = length - (padding > 0 ? 4 : 0);
  let out = 0;
  let seen = 0;
  for (let i = 0; i < whole; i += 4) {
    const word = wordAt(text, i);
    seen |= word;
    bytes[out++] = word >> 16;
    bytes[out++] = word >> 8;
    bytes[out++] = word;
  }
  if (padding > 0) {
    const word = wordAt(text.slice(whole, length - padding).padEnd(4, 'A'), 0);
    seen |= word;
    for (let shift = 16; out < bytes.length; shift -= 8) bytes[out++] = word >> shift;
  }
  if (seen < 0) throw new Error('base64 text has a character that is not allowed');
  return bytes;
}

// 24 bits of four characters; negative if one isn't allowed.
function wordAt(text: string, at: number): number {
  const a = valueOf(text.charCodeAt(at));
  const b = valueOf(text.charCodeAt(at + 1));
  const c = valueOf(text.charCodeAt(at + 2));
  const d = valueOf(text.charCodeAt(at + 3));
  const word = (a << 18) | (b << 12) | (c << 6) | d;
  return ((a | b | c | d) & INVALID) === 0 ? word : -1;
}

function valueOf(code: number): number {
  return VALUES[code] ?? INVALID;
}

function paddingOf(text: string): number {
  if (text.charCodeAt(text.length - 1) !== EQUALS) return 0;
  return text.charCodeAt(text.length - 2) === EQUALS ? 2 : 1;
}
