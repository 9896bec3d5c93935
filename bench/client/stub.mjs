// A server in its own process that answers embeddings requests at once, from bytes made beforehand:
// HTTP/1.1 and HTTP/2 on one port. Arguments: texts of a request, dimensions, wait in ms.
import { createServer as createH2Server } from 'node:http2';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers';

const [texts, dimensions, waitMs] = process.argv.slice(2).map(Number);
const KEEP_ALIVE = 'connection: keep-alive\r\nkeep-alive: timeout=65\r\n';
const END_OF_HEAD = Buffer.from('\r\n\r\n');

const json = Buffer.from(JSON.stringify(answer(row)));
const msgpack = packAnswer();
const whole = {
  json: http1(json, 'application/json'),
  msgpack: http1(msgpack, 'application/msgpack'),
};

function row(number) {
  return Array.from({ length: dimensions }, (_, i) =>
    Math.fround(Math.sin(number * dimensions + i)),
  );
}

function answer(embedding) {
  const data = Array.from({ length: texts }, (_, index) => ({
    object: 'embedding',
    index,
    embedding: embedding(index),
  }));
  const usage = { prompt_tokens: texts, total_tokens: texts };
  return { object: 'list', data, model: 'm', usage };
}

/** MessagePack of the same answer, with rows of float32. */
function packAnswer() {
  const parts = [];
  const add = (value) => {
    if (Array.isArray(value) && typeof value[0] === 'number') parts.push(packRow(value));
    else if (Array.isArray(value)) {
      parts.push(Buffer.from([0xdc, value.length >> 8, value.length & 255]));
      value.forEach(add);
    } else if (typeof value === 'object') {
      const entries = Object.entries(value);
      parts.push(Buffer.from([0x80 | entries.length]));
      for (const [key, item] of entries) {
        add(key);
        add(item);
      }
    } else if (typeof value === 'string') {
      parts.push(Buffer.from([0xa0 | value.length]), Buffer.from(value));
    } else parts.push(value < 128 ? Buffer.from([value]) : Buffer.from([0xcc, value]));
  };
  add(answer(row));
  return Buffer.concat(parts);
}

function packRow(numbers) {
  const bytes = Buffer.alloc(3 + numbers.length * 5, 0xca);
  bytes[0] = 0xdc;
  bytes.writeUInt16BE(numbers.length, 1);
  numbers.forEach((number, i) => bytes.writeFloatBE(number, 4 + i * 5));
  return bytes;
}

function http1(body, type) {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}${KEEP_ALIVE}\r\n`), body]);
}

/** Reads requests one after the other; calls back with the head of each. */
function readRequests(socket, first, onRequest) {
  let pending = Buffer.alloc(0);
  function take(chunk) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const end = pending.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const head = pending.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const size = end + 4 + length;
      if (pending.length < size) return;
      pending = pending.subarray(size);
      onRequest(head);
    }
  }
  socket.on('data', take);
  take(first);
}

const http2 = createH2Server({
  settings: { initialWindowSize: 2_097_152, maxConcurrentStreams: 1024 },
});
http2.on('session', (session) => session.on('error', () => undefined));
http2.on('stream', (stream, headers) => {
  stream.on('error', () => undefined);
  stream.resume();
  stream.on('end', () => {
    const packed = (headers.accept ?? '').includes('msgpack');
    const reply = () => {
      stream.respond({
        ':status': 200,
        'content-type': packed ? 'application/msgpack' : 'application/json',
      });
      stream.end(packed ? msgpack : json);
    };
    if (waitMs > 0) setTimeout(reply, waitMs);
    else reply();
  });
});

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (first) => {
    if (first.toString('latin1', 0, 3) === 'PRI') {
      socket.pause();
      socket.unshift(first);
      http2.emit('connection', socket);
      return;
    }
    readRequests(socket, first, (head) => {
      const bytes = /^accept: .*msgpack/im.test(head) ? whole.msgpack : whole.json;
      if (waitMs > 0) setTimeout(() => socket.write(bytes), waitMs);
      else socket.write(bytes);
    });
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  console.log(server.address().port);
});
