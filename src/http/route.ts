import type { ErrorCode, ServeError } from '../errors.ts';
import type { Wire, WireValue } from '../formats/wire.ts';
import type { Models, Servable, Task, Timings } from '../graph/servable.ts';
import type { RequestScope } from '../scope.ts';

/**
 * The servable of a name, or the only one of its task where the name is null.
 *
 * @throws `ServeError` `model_not_found`, `model_loading`, `wrong_node_type`, `invalid_field`.
 */
export type FindServable = <T extends Task>(
  task: T,
  name: string | null,
) => Servable & { readonly task: T };

/** Reads all metrics, for Prometheus. */
export type MetricsReader = () => Promise<{
  readonly contentType: string;
  readonly text: string;
}>;

/** What all requests of a server share. */
export interface Service {
  readonly models: Models;
  /** Null if metrics aren't kept. */
  readonly metrics: MetricsReader | null;
  /** Of the server, as `MAJOR.MINOR.PATCH`. */
  readonly version: string;
  /** All of the server's. */
  readonly routes: readonly Route[];
  /** Why the server should be sent no requests now, as the error to answer; null: it's ready. */
  readonly unreadiness: () => ServeError | null;
  readonly servable: FindServable;
}

/** What a route is handed. */
export interface RouteContext extends Service {
  /** The parsed JSON object of a POST; null on a GET. */
  readonly body: unknown;
  readonly scope: RequestScope;
  /** What follows the route's path, decoded and without slashes at its ends; '' if nothing. */
  readonly rest: string;
}

/** A value before it is written. */
export interface ValueReply {
  /** 200 unless given. */
  readonly status?: number;
  /** For `Server-Timing`. */
  readonly timings?: Timings;
  readonly body: (wire: Wire) => WireValue;
}

/** A file before it is written: sent as it is, whatever Accept says. */
export interface FileReply {
  /** With `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** An answer before it is written. */
export type RouteReply = ValueReply | FileReply;

/** What /openapi.json says of a route, beyond its paths and the errors that all have. */
export interface Operation {
  /** Behind a path that ends in `/*`: `''` for nothing, or such as `/{model}`. */
  readonly suffix?: string;
  readonly summary: string;
  /** JSON schema of the body: the one that validates it. */
  readonly body?: object;
  /** JSON schema of a 200, or the media type of a file. */
  readonly answer: object | string;
  /** Of this operation, beyond those of all inference routes or of all others. */
  readonly errors?: readonly ErrorCode[];
}

/** A row of ROUTES. */
export interface Route {
  readonly method: 'get' | 'post';
  /** A path that ends in `/*` also takes what follows, as `rest`. */
  readonly paths: readonly string[];
  /** Whether answers are negotiated by Accept and carry `Server-Timing`. */
  readonly isInference: boolean;
  readonly operations: readonly Operation[];
  readonly handle: (context: RouteContext) => Promise<RouteReply> | RouteReply;
}
