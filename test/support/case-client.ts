import { RawConnection, requestHead, type RawResponse } from './raw-connection.ts';
import { errorOf } from './tiny-server.ts';

/** The response to one request on a connection of its own. */
export async function send(
  port: number,
  bytes: string | Uint8Array,
  isHead: boolean,
): Promise<RawResponse> {
  const connection = await RawConnection.open(port);
  void connection.write(bytes);
  try {
    return await connection.response({ isHead });
  } finally {
    connection.close();
  }
}

/** A POST with headers of its own, `Content-Type` included. */
export function bare(path: string, body: string, headers: readonly string[]): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return requestHead('POST', path, [...headers, length]) + body;
}

/** Checks that an error is JSON, and tells a client nothing of the machine. */
export function expectError(response: RawResponse, status: number, code: string): void {
  expect([response.status, errorOf(response).code]).toEqual([status, code]);
  expect(response.headers['content-type']).toBe('application/json');
  expect(errorOf(response).message).toMatch(/^Cannot /);
  expect(response.body.toString()).not.toMatch(/\n\s+at |node_modules|dist\/|\.js\b|<html/i);
}
