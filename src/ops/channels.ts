import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ErrorCode } from '../errors.ts';

/** Stands for a request: the same object in all events about it. */
export interface RequestKey {
  /** As in the `x-request-id` of the answer. Clients choose it, so two requests may have the same. */
  readonly id: string;
}

/** When something was done, on the clock of `performance.now()`, in ms. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A request is over, whatever came of it. */
export interface RequestEvent extends Span {
  readonly request: RequestKey;
  readonly method: string;
  /** First path of the route, without what follows it; null where none was found. */
  readonly route: string | null;
  /** Whether the route runs a model. */
  readonly isInference: boolean;
  /** Name of the served model that was used; null where none was found. */
  readonly model: string | null;
  /** 499 if the client hung up before. */
  readonly status: number;
  /** Of the error answered; null if it was none. */
  readonly code: ErrorCode | null;
  /** Header `traceparent`, as it came. */
  readonly traceparent: string | undefined;
  /** Header `tracestate`, as it came. */
  readonly tracestate: string | undefined;
}

/** The inputs of a request are tokenized, and fit. */
export interface TokenizeEvent extends Span {
  readonly request: RequestKey;
  readonly model: string;
  readonly inputs: number;
  /** Of all inputs, special tokens included, padding excluded. */
  readonly tokens: number;
}

/** The rows of a request have waited: from their arrival to the start of the first batch that held one. */
export interface QueueEvent extends Span {
  readonly request: RequestKey;
  readonly model: string;
}

/** A batch has run in a worker. */
export interface BatchEvent extends Span {
  readonly model: string;
  /** Those that had a row in it. */
  readonly requests: readonly RequestKey[];
  readonly rows: number;
  /** Without padding. */
  readonly tokens: number;
  /** Rows × the tokens of the longest. */
  readonly paddedTokens: number;
  /** ms in the model and its head, without the way to the worker and back. */
  readonly runMs: number;
}

/** A worker has ended by itself, and another takes its place. */
export interface RestartEvent {
  readonly model: string;
}

/** The configuration was read again. */
export interface ReloadEvent {
  /** `refused`: it's invalid, and the old one is kept. */
  readonly outcome: 'applied' | 'unchanged' | 'refused';
  /** Why it was refused; null unless it was. */
  readonly reason: string | null;
}

/** A channel of `node:diagnostics_channel` whose events are all of one shape. */
export interface Channel<Event> {
  /** To be asked before an event is made: without a listener that is all it costs. */
  readonly hasSubscribers: boolean;
  /** Hands an event to all listeners, at once. */
  readonly publish: (event: Event) => void;
  /** Adds a listener, for all servers of this process; returns what removes it. */
  readonly subscribe: (listener: (event: Event) => void) => () => void;
}

/** What the stages of a request tell; they don't know who listens. */
export const CHANNELS = {
  request: channelOf<RequestEvent>('request'),
  tokenize: channelOf<TokenizeEvent>('tokenize'),
  queue: channelOf<QueueEvent>('queue'),
  batch: channelOf<BatchEvent>('batch'),
  restart: channelOf<RestartEvent>('restart'),
  reload: channelOf<ReloadEvent>('reload'),
} as const;

/** A key of {@link CHANNELS}. */
export type ChannelName = keyof typeof CHANNELS;

/** What is published on a channel. */
export type EventOf<Name extends ChannelName> =
  (typeof CHANNELS)[Name] extends Channel<infer Event> ? Event : never;

function channelOf<Event>(name: string): Channel<Event> {
  const fullName = `tensorgate:${name}`;
  const inner = channel(fullName);
  return {
    get hasSubscribers() {
      return inner.hasSubscribers;
    },
    publish(event) {
      inner.publish(event);
    },
    subscribe(listener) {
      function onMessage(event: unknown): void {
        listener(event as Event);
      }
      subscribe(fullName, onMessage);
      return () => {
        unsubscribe(fullName, onMessage);
      };
    },
  };
}
