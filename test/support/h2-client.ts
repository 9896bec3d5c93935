import { once } from 'node:events';
import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionOptions,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';

/** What came on a stream. */
export interface H2Response {
  /** Undefined where the stream ended without an answer. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Of the stream's end: 0 for a good one. */
  readonly code: number;
}

/** A client of HTTP/2 with prior knowledge. */
export class H2Client {
  readonly session: ClientHttp2Session;

  /** Use {@link open}. */
  constructor(session: ClientHttp2Session) {
    this.session = session;
    // Streams tell of the failures that matter.
    session.on('error', () => undefined);
  }

  static async open(port: number, options: ClientSessionOptions = {}): Promise<H2Client> {
    const session = connect(`http://127.0.0.1:${port}`, options);
    await once(session, 'connect');
    return new H2Client(session);
  }

  /** A POST of JSON to an embeddings route, with its length. */
  post(
    body: string | Uint8Array,
    headers: OutgoingHttpHeaders = {},
    path = '/v3/embeddings',
  ): Promise<H2Response> {
    const all = {
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    };
    const stream = this.stream(all);
    stream.end(body);
    return responseOf(stream);
  }

  /** A GET. */
  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<H2Response> {
    return responseOf(this.stream({ ':path': path, ...headers }, { endStream: true }));
  }

  /** A stream whose body is the caller's matter. */
  stream(headers: OutgoingHttpHeaders, { endStream = false } = {}): ClientHttp2Stream {
    return this.session.request(headers, { endStream });
  }

  close(): void {
    this.session.destroy();
  }
}

/** All that comes on a stream, until it's closed. */
export async function responseOf(stream: ClientHttp2Stream): Promise<H2Response> {
  let headers: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
  const parts: Buffer[] = [];
  stream.on('response', (received) => (headers = received));
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    stream.once('close', resolve);
  });
  return {
    status: headers[':status'],
    headers,
    body: Buffer.concat(parts),
    code: stream.rstCode,
  };
}
