import type { OutgoingHttpHeaders } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Negotiated } from '../formats/negotiate.ts';
import { answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { RouteReply } from './route.ts';

const NOTHING = new Uint8Array(0);

/**
 * Writes a reply: at once with its length if it's one slice, else slice by slice, with a turn of the
 * event loop between them and no faster than the client reads.
 *
 * @param exchange - Not yet answered.
 * @param reply - Encoded here.
 * @param negotiated - How it's written.
 * @returns When the last byte is handed to the system, or the client is gone.
 * @throws `ServeError` `inference_failed`, before anything is written.
 */
export async function send(
  exchange: Exchange,
  reply: RouteReply,
  { wire, mediaType }: Negotiated,
): Promise<void> {
  const slices: Iterator<Uint8Array, unknown> = wire.serialize(reply.body(wire))[Symbol.iterator]();
  const first = slices.next();
  const second = slices.next();
  const headers: OutgoingHttpHeaders = { 'content-type': mediaType };
  if (exchange.route?.isInference === true) {
    headers.vary = 'Accept';
    headers['server-timing'] = exchange.serverTiming(reply.timings);
  }
  const status = reply.status ?? 200;
  if (exchange.isAnswered) return;
  if (first.done === true || second.done === true) {
    answer(exchange, { status, headers }, first.done === true ? NOTHING : first.value);
    return;
  }
  exchange.writeHead(status, headers);
  await write(exchange, first.value);
  await write(exchange, second.value);
  for (let next = slices.next(); next.done !== true; next = slices.next()) {
    if (exchange.response.destroyed) return;
    await write(exchange, next.value);
  }
  exchange.response.end();
}

async function write({ response }: Exchange, slice: Uint8Array): Promise<void> {
  if (!response.write(slice) && !response.destroyed) {
    await new Promise<void>((resolve) => {
      function go(): void {
        response.off('drain', go).off('close', go);
        resolve();
      }
      response.on('drain', go).on('close', go);
    });
  }
  // What the system takes at once drains within the same turn.
  await turn();
}
