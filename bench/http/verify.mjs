/**
 * Checks an answer of `/v1/embeddings` whole.
 *
 * @param {Buffer} body
 * @param {{ texts: number, encoding: 'float' | 'base64' }} asked
 * @returns {{ dimensions: number, promptTokens: number | null }}
 */
export function verifiedAnswer(body, { texts, encoding }) {
  const { data, usage } = JSON.parse(body.toString());
  check(
    Array.isArray(data) && data.length === texts,
    `${data?.length} embeddings of ${texts} texts`,
  );
  const vectors = data.map(({ embedding, index }, place) => {
    check(index === place, `index ${index} at place ${place}`);
    return encoding === 'base64' ? fromBase64(embedding) : fromNumbers(embedding);
  });
  const dimensions = vectors[0].length;
  for (const vector of vectors) {
    check(vector.length === dimensions && dimensions > 0, `${vector.length} dimensions`);
    check(Math.abs(norm(vector) - 1) < 1e-3, `a vector of length ${norm(vector)}`);
  }
  return { dimensions, promptTokens: usage?.prompt_tokens ?? null };
}

function check(holds, found) {
  if (!holds) throw new Error(`The server's answer is wrong: ${found}`);
}

function fromBase64(text) {
  check(typeof text === 'string', `${typeof text} where base64 was asked for`);
  const bytes = Buffer.from(text, 'base64');
  check(bytes.length % 4 === 0, `${bytes.length} bytes of float32`);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

function fromNumbers(numbers) {
  check(Array.isArray(numbers), `${typeof numbers} where numbers were asked for`);
  return Float32Array.from(numbers);
}

/** NaN for a vector that holds one, so that it fails the check. */
function norm(vector) {
  return Math.hypot(...vector);
}
