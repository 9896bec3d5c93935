import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A TCP connection that speaks HTTP by hand, byte for byte. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #isOver = false;

  /** Use {@link open}. */
  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      socket.emit('progress');
    });
    // A reset is an end like others; what came before it counts.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#isOver = true;
        socket.emit('progress');
      });
    }
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends bytes; resolves when they are handed to the system, or can't be any more. */
  async write(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      this.socket.write(bytes, () => {
        resolve();
      });
    });
  }

  /** The next response; of `HEAD` requests, without a body. */
  async response({ isHead = false } = {}): Promise<RawResponse> {
    for (;;) {
      const parsed = parse(this.#received, this.#isOver, isHead);
      if (parsed !== null) {
        this.#received = this.#received.subarray(parsed.bytes);
        return parsed.response;
      }
      if (this.#isOver) {
        throw new Error(`The connection ended after ${JSON.stringify(this.#received.toString())}`);
      }
      await once(this.socket, 'progress');
    }
  }

  /** Resolves when the server has closed its side; what came and was not asked for. */
  async ended(): Promise<Buffer> {
    while (!this.#isOver) await once(this.socket, 'progress');
    return this.#received;
  }

  close(): void {
    this.socket.destroy();
  }
}

function parse(
  bytes: Buffer,
  isOver: boolean,
  isHead: boolean,
): { response: RawResponse; bytes: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const start = end + 4;
  const body =
    isHead || status < 200 || status === 204
      ? ([start, Buffer.alloc(0)] as const)
      : bodyOf(bytes, start, { headers, isOver });
  return body && { response: { status, headers, body: body[1] }, bytes: body[0] };
}

function bodyOf(
  bytes: Buffer,
  start: number,
  { headers, isOver }: { headers: Readonly<Record<string, string>>; isOver: boolean },
): readonly [number, Buffer] | null {
  if (headers['transfer-encoding'] === 'chunked') return chunked(bytes, start);
  const length = headers['content-length'];
  if (length === undefined) return isOver ? [bytes.length, bytes.subarray(start)] : null;
  const end = start + Number(length);
  return bytes.length < end ? null : [end, bytes.subarray(start, end)];
}

function chunked(bytes: Buffer, start: number): readonly [number, Buffer] | null {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    at = line + 2 + size + 2;
    if (bytes.length < at) return null;
    if (size === 0) return [at, Buffer.concat(parts)];
    parts.push(bytes.subarray(line + 2, at - 2));
  }
}

/** A POST with its length announced. */
export function post(
  path: string,
  body: string | Uint8Array,
  headers: readonly string[] = [],
): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const head = ['content-type: application/json', ...headers, `content-length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(requestHead('POST', path, head)), bytes]);
}

/** A POST in chunks of 64 KiB. */
export function chunkedPost(
  path: string,
  body: string | Uint8Array,
  headers: readonly string[] = [],
): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const head = ['content-type: application/json', ...headers, 'transfer-encoding: chunked'];
  const parts: Buffer[] = [Buffer.from(requestHead('POST', path, head))];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const part = bytes.subarray(at, at + 65_536);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Request line and headers, with the empty line behind them. */
export function requestHead(method: string, path: string, headers: readonly string[] = []): string {
  return [`${method} ${path} HTTP/1.1`, 'host: test', ...headers, '', ''].join('\r\n');
}
