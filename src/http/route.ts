import type { ServeError } from '../errors.ts';
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

/** What all requests of a server share. */
export interface Service {
  readonly models: Models;
  /** Of the server, as `MAJOR.MINOR.PATCH`. */
  readonly version: string;
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

/** An answer before it is written. */
export interface RouteReply {
  /** 200 unless given. */
  readonly status?: number;
  /** For `Server-Timing`. */
  readonly timings?: Timings;
  readonly body: (wire: Wire) => WireValue;
}

/** A row of ROUTES. */
export interface Route {
  readonly method: 'get' | 'post';
  /** A path that ends in `/*` also takes what follows, as `rest`. */
  readonly paths: readonly string[];
  /** Whether answers are negotiated by Accept and carry `Server-Timing`. */
  readonly isInference: boolean;
  readonly handle: (context: RouteContext) => Promise<RouteReply> | RouteReply;
}
