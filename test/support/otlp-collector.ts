import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it came over the wire. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a span without parent. */
  readonly parentId: string;
  /** 2: server. */
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2: error. */
  readonly status: number;
  /** Of the process. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** Fields of a protobuf message by number: numbers as they are, all else as bytes. */
type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const NO_FIELDS: Message = new Map();

/** A collector of OTLP over HTTP that keeps what comes. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  readonly headers: Readonly<Record<string, unknown>>[] = [];
  readonly #server: Server;
  #waiters: (() => void)[] = [];

  /** Use {@link start}. */
  constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.headers.push(request.headers);
        if (request.url === '/v1/traces') this.spans.push(...spansOf(Buffer.concat(parts)));
        response.setHeader('content-type', 'application/x-protobuf').end();
        for (const waiter of this.#waiters) waiter();
        this.#waiters = [];
      });
    });
  }

  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, as soon as its server span is among them: that one first, then by their starts. */
  async trace(traceId: string): Promise<readonly CollectedSpan[]> {
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (spans.some(({ kind }) => kind === 2)) {
        return spans.sort(
          (one, other) => other.kind - one.kind || Number(one.startNs - other.startNs),
        );
      }
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

// Field numbers: opentelemetry-proto, trace/v1/trace.proto and common/v1/common.proto.
function spansOf(bytes: Buffer): CollectedSpan[] {
  return messages(messageOf(bytes), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? NO_FIELDS, 1);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentId: bytesOf(span, 4).toString('hex'),
        name: bytesOf(span, 5).toString(),
        kind: Number(span.get(6)?.[0] ?? 0),
        startNs: bytesOf(span, 7).readBigUInt64LE(),
        endNs: bytesOf(span, 8).readBigUInt64LE(),
        attributes: attributesOf(span, 9),
        status: Number(messages(span, 15)[0]?.get(3)?.[0] ?? 0),
        resource,
      }));
  });
}

function attributesOf(message: Message, field: number): Record<string, string | number> {
  const pairs = messages(message, field).map((pair) => {
    const value = messages(pair, 2)[0] ?? NO_FIELDS;
    const [int] = value.get(3) ?? [];
    const text = bytesOf(value, 1).toString();
    return [bytesOf(pair, 1).toString(), typeof int === 'bigint' ? Number(int) : text] as const;
  });
  return Object.fromEntries(pairs);
}

function messages(message: Message, field: number): readonly Message[] {
  return (message.get(field) ?? []).map((bytes) => messageOf(bytes as Buffer));
}

function bytesOf(message: Message, field: number): Buffer {
  return (message.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer;
}

function messageOf(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  function take(length: number): Buffer {
    at += length;
    return bytes.subarray(at - length, at);
  }
  while (at < bytes.length) {
    const tag = Number(varint());
    const wireType = tag & 7;
    const value =
      wireType === 0 ? varint() : take(wireType === 2 ? Number(varint()) : wireType === 1 ? 8 : 4);
    fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), value]);
  }
  return fields;
}
