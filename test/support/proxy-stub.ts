import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A forward proxy for tests. */
export class ProxyStub {
  readonly lines: string[] = [];
  authorization: string | undefined;
  refuses = false;
  /** Whether what an origin says first goes out together with the answer to CONNECT. */
  joins = false;
  readonly #server: Server;
  readonly #tunnels = new Set<Socket>();

  constructor() {
    this.#server = createHttpServer((request, response) => {
      this.lines.push(`${request.method ?? ''} ${request.url ?? ''}`);
      this.authorization = request.headers['proxy-authorization'];
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void fetch(request.url ?? '', {
          method: request.method ?? 'GET',
          headers: { authorization: request.headers.authorization ?? '' },
          body: Buffer.concat(chunks),
        }).then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' });
          response.end(await answer.text());
        });
      });
    });
    this.#server.on('connect', (request, client: Socket) => {
      this.lines.push(`CONNECT ${request.url ?? ''}`);
      client.on('error', () => undefined);
      if (this.refuses) {
        client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const upstream = connect(Number(port), host, () => {
        const established = Buffer.from('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream);
        if (!this.joins) {
          client.write(established);
          upstream.pipe(client);
          return;
        }
        upstream.once('data', (first: Buffer) => {
          client.write(Buffer.concat([established, first]));
          upstream.pipe(client);
        });
      });
      for (const socket of [client, upstream]) this.#tunnels.add(socket);
      upstream.on('error', () => client.destroy());
    });
  }

  static async open(): Promise<ProxyStub> {
    const proxy = new ProxyStub();
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    for (const socket of this.#tunnels) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
