import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as it is exported. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: object;
}

/** An export as a collector gets it. */
export interface Export {
  readonly path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: {
    resourceSpans: { scopeSpans: { spans: Span[]; scope: object }[]; resource: object }[];
  };
}

/** A collector that keeps what it gets. */
export class CollectorStub {
  readonly exports: Export[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.exports.push({
          path: request.url ?? '',
          headers: request.headers,
          body: JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as Export['body'],
        });
        response.end('{}');
      });
    });
  }

  static async open(): Promise<CollectorStub> {
    const stub = new CollectorStub();
    stub.#server.listen(0, '127.0.0.1');
    await once(stub.#server, 'listening');
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  spans(): Span[] {
    return this.exports.flatMap(({ body }) => body.resourceSpans[0]?.scopeSpans[0]?.spans ?? []);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
