import { once } from 'node:events';
import { connect } from 'node:net';
import { requestHead } from '../../support/raw-connection.ts';
import { TinyServer } from '../../support/tiny-server.ts';

describe('malformed HTTP/2', () => {
  let server: TinyServer;
  beforeAll(async () => {
    // Where the frame layer only says GOAWAY, an idle connection is closed in time.
    server = await TinyServer.start({ times: { keepAliveMs: 200 } });
  });
  afterAll(async () => {
    // The server has survived all.
    expect((await server.send(requestHead('GET', '/v2'))).status).toBe(200);
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });

  const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

  function frame(type: number, flags: number, [stream, payload]: [number, Uint8Array]): Buffer {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  }

  const NOTHING = new Uint8Array(0);
  const SETTINGS = frame(4, 0, [0, NOTHING]);

  test.each<[string, (string | Buffer)[]]>([
    ['a wrong preface', ['PRI * HTTP/3.0\r\n\r\nSM\r\n\r\n']],
    ['garbage behind the preface', [PREFACE, 'GET / HTTP/1.1\r\n\r\n'.repeat(9)]],
    ['a frame that is too long', [PREFACE, SETTINGS, frame(0, 0, [1, Buffer.alloc(100_000)])]],
    ['data on no stream', [PREFACE, SETTINGS, frame(0, 1, [7, Buffer.from('x')])]],
    ['headers that are no HPACK', [PREFACE, SETTINGS, frame(1, 5, [1, Buffer.alloc(20, 0xff)])]],
    [
      'headers without an end',
      [
        PREFACE,
        SETTINGS,
        frame(1, 0, [1, NOTHING]),
        ...Array<Buffer>(50).fill(frame(9, 0, [1, NOTHING])),
      ],
    ],
    ['a settings frame of 5 bytes', [PREFACE, frame(4, 0, [0, Buffer.alloc(5)])]],
  ])('as %s ends the connection', async (_name, parts) => {
    const connection = await server.connect();
    for (const part of parts) await connection.write(part);
    await connection.ended();
  });

  test('cut off anywhere needs no answer', async () => {
    const bytes = Buffer.concat([
      Buffer.from(PREFACE),
      SETTINGS,
      frame(1, 0, [1, Buffer.alloc(8)]),
    ]);
    for (let length = 1; length <= bytes.length; length += 1) {
      const connection = await server.connect();
      await connection.write(bytes.subarray(0, length));
      connection.socket.resetAndDestroy();
    }
    expect((await server.send(requestHead('GET', '/v2'))).status).toBe(200);
  });

  test('as a flood of streams that are reset at once ends the connection, or is borne', async () => {
    const socket = connect(server.listener.port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write(Buffer.concat([Buffer.from(PREFACE), SETTINGS]));
    // `:method: GET`, `:scheme: http`, `:path: /` of the static table.
    const headers = Buffer.from([0x82, 0x86, 0x84]);
    const flood = Array.from({ length: 5_000 }, (_, index) => {
      const id = 2 * index + 1;
      return Buffer.concat([frame(1, 5, [id, headers]), frame(3, 0, [id, Buffer.alloc(4, 8)])]);
    });
    socket.end(Buffer.concat(flood));
    await once(socket, 'close');
    await server.app.idle();
    expect((await server.send(requestHead('GET', '/v2'))).status).toBe(200);
  });
});
