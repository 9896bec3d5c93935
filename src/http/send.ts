import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Negotiated } from '../formats/negotiate.ts';
import type { AnswerCoding } from './answer-codings.ts';
import { answer, type Head } from './answer.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Exchange } from './exchange.ts';
import type { ValueReply } from './route.ts';
import { weightOf } from './weight.ts';

/** How an answer is sent. */
export interface Delivery extends Negotiated {
  /** What the client takes; null: the answer is sent as it is. */
  readonly coding: AnswerCoding | null;
  /** Holds the answer until it's written. */
  readonly budget: ByteBudget;
}

type Slices = Iterator<Uint8Array, unknown>;

/** Shorter answers are sent as they are, in bytes. */
const MIN_ENCODED_BYTES = 1_024;

/** Code of Node's error where a response is closed before its end. */
const CLIENT_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/** What is worth to be encoded: text. Numbers in binary hardly get shorter. */
const ENCODED_TYPE = 'application/json';

/**
 * Writes a reply: at once with its length if it's one slice, else slice by slice, with a turn of the
 * event loop between them and no faster than the client reads.
 *
 * @param exchange - If it's answered or abandoned already, nothing happens.
 * @param reply - Encoded here.
 * @param delivery - How it's written.
 * @returns When the last byte is handed to the system, or the client is gone.
 * @throws `ServeError` `overloaded`, `inference_failed`: before anything is written.
 */
export async function send(
  exchange: Exchange,
  reply: ValueReply,
  delivery: Delivery,
): Promise<void> {
  if (isOver(exchange)) return;
  const value = reply.body(delivery.wire);
  exchange.holdAnswer(delivery.budget.hold(), weightOf(value));
  const slices: Slices = delivery.wire.serialize(value)[Symbol.iterator]();
  let first = slices.next();
  // Where a large value is checked first, such slices give others their turn.
  while (first.done !== true && first.value.length === 0) {
    await turn();
    first = slices.next();
  }
  if (first.done === true) throw new TypeError('Cannot send a value that is written as nothing');
  const second = slices.next();
  if (isOver(exchange)) return;
  const head = { status: reply.status ?? 200, headers: headersOf(exchange, reply, delivery) };
  const coding = codingOf(exchange, delivery);
  if (second.done === true) {
    await sendSlice(exchange, head, { slice: first.value, coding });
  } else {
    await sendSlices(exchange, head, {
      slices: inTurns(first.value, second.value, slices),
      coding,
    });
  }
}

function isOver({ isAnswered, response }: Exchange): boolean {
  return isAnswered || response.destroyed;
}

function headersOf(
  exchange: Exchange,
  { timings }: ValueReply,
  { mediaType }: Delivery,
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'content-type': mediaType, vary: 'Accept-Encoding' };
  if (exchange.route?.isInference === true) {
    headers.vary = 'Accept, Accept-Encoding';
    headers['server-timing'] = exchange.serverTiming(timings);
  }
  return headers;
}

function codingOf({ request }: Exchange, { mediaType, coding }: Delivery): AnswerCoding | null {
  return mediaType === ENCODED_TYPE && request.method !== 'HEAD' ? coding : null;
}

async function sendSlice(
  exchange: Exchange,
  { status, headers }: Head,
  { slice, coding }: { readonly slice: Uint8Array; readonly coding: AnswerCoding | null },
): Promise<void> {
  if (coding === null || slice.length <= MIN_ENCODED_BYTES) {
    answer(exchange, { status, headers }, slice);
    return;
  }
  const encoded = await coding.encode(slice);
  if (isOver(exchange)) return;
  headers['content-encoding'] = coding.name;
  answer(exchange, { status, headers }, encoded);
}

async function sendSlices(
  exchange: Exchange,
  { status, headers }: Head,
  {
    slices,
    coding,
  }: { readonly slices: AsyncIterable<Uint8Array>; readonly coding: AnswerCoding | null },
): Promise<void> {
  const { response } = exchange;
  if (coding !== null) headers['content-encoding'] = coding.name;
  exchange.writeHead(status, headers);
  exchange.cutOffIfStalled();
  const encoders = coding === null ? [] : [coding.open()];
  try {
    await pipeline([Readable.from(slices, { objectMode: false }), ...encoders, response]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== CLIENT_GONE) throw error;
  }
}

async function* inTurns(
  first: Uint8Array,
  second: Uint8Array,
  others: Slices,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield second;
  for (let next = others.next(); next.done !== true; next = others.next()) {
    await turn();
    yield next.value;
  }
}
