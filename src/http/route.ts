import type { Wire, WireValue } from '../formats/wire.ts';
import type { Models, Servable, Task, Timings } from '../graph/servable.ts';
import type { RequestScope } from '../scope.ts';

/** What a route is handed. */
export interface RouteContext {
  /** The parsed JSON of a POST; null on a GET. */
  readonly body: unknown;
  readonly scope: RequestScope;
  /** What follows the route's path, decoded and without slashes at its ends; '' if nothing. */
  readonly rest: string;
  readonly models: Models;
  /** Whether the server may be sent requests; the reason if not. */
  readonly readiness: () => { readonly ready: boolean; readonly reason: string | null };
  /**
   * The servable of a name, or the only one of its task where the name is null.
   *
   * @throws `ServeError` `model_not_found`, `model_loading`, `wrong_node_type`, `invalid_field`.
   */
  readonly servable: <T extends Task>(task: T, name: string | null) => Servable & { task: T };
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
  readonly handle: (context: RouteContext) => Promise<RouteReply> | RouteReply;
}
