import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { lookAtFirstBytes, type Protocol } from '../../../src/http/first-bytes.ts';
import { RawConnection } from '../../support/raw-connection.ts';

const LONG = { keepAliveMs: 60_000, headersMs: 60_000 };

interface Decision {
  readonly protocol: Protocol;
  readonly socket: Socket;
}

describe('lookAtFirstBytes()', () => {
  let server: Server;
  const connections: RawConnection[] = [];
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const connection of connections) connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  async function connect(): Promise<{ connection: RawConnection; socket: Socket }> {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const connection = await RawConnection.open((server.address() as AddressInfo).port);
    const [socket] = await accepted;
    connections.push(connection);
    sockets.push(socket);
    return { connection, socket };
  }

  function decided(socket: Socket, times = LONG): Promise<Decision> {
    return new Promise((resolve) => {
      lookAtFirstBytes(socket, times, (protocol) => {
        resolve({ protocol, socket });
      });
    });
  }

  // What a server would read of the socket.
  async function read(socket: Socket, length: number): Promise<string> {
    let text = '';
    while (text.length < length) {
      text += ((await once(socket, 'data')) as [Buffer])[0].toString();
    }
    return text;
  }

  test.each<[string, string[], Protocol]>([
    ['a request', ['GET / HTTP/1.1\r\n'], 'http/1.1'],
    ['a method that begins like the preface', ['PROPFIND / HTTP/1.1\r\n'], 'http/1.1'],
    ['a POST in bytes', ['P', 'O', 'ST / HTTP/1.1\r\n'], 'http/1.1'],
    ['one byte that decides', ['\r'], 'http/1.1'],
    ['the preface', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], 'http/2'],
    ['the preface in bytes', ['P', 'R', 'I', ' * HTTP/2.0\r\n'], 'http/2'],
    ['the preface in two parts', ['PR', 'I * HTTP/2.0\r\n'], 'http/2'],
  ])('knows %s, and puts it back', async (_name, parts, protocol) => {
    const { connection, socket } = await connect();
    const decision = decided(socket);
    let sent = 0;
    for (const part of parts) {
      await connection.write(part);
      sent += part.length;
      // The next part comes as a chunk of its own; behind the decision nobody reads.
      while (socket.listenerCount('readable') > 0 && socket.bytesRead < sent)
        await new Promise(setImmediate);
    }
    expect((await decision).protocol).toBe(protocol);
    const text = parts.join('');
    expect(await read(socket, text.length)).toBe(text);
    expect(socket.listenerCount('timeout')).toBe(0);
    expect(socket.listenerCount('readable')).toBe(0);
  });

  test.each([
    ['that sends nothing', '', { keepAliveMs: 20, headersMs: 60_000 }],
    ['that sends too little to tell', 'PR', { keepAliveMs: 60_000, headersMs: 20 }],
  ])('closes a connection %s in time', async (_name, bytes, times) => {
    const { connection, socket } = await connect();
    let decisions = 0;
    lookAtFirstBytes(socket, times, () => (decisions += 1));
    if (bytes !== '') await connection.write(bytes);
    expect(await connection.ended()).toHaveLength(0);
    expect(decisions).toBe(0);
  });

  test.each([
    ['ends', (connection: RawConnection) => connection.socket.end()],
    ['is reset', (connection: RawConnection) => connection.socket.resetAndDestroy()],
  ])('closes a connection that %s before', async (_name, end) => {
    const { connection, socket } = await connect();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    lookAtFirstBytes(socket, LONG, () => undefined);
    await connection.write('P');
    end(connection);
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
