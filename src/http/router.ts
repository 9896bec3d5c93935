import { ServeError } from '../errors.ts';
import type { Route } from './route.ts';

/** A route and what it takes from the path. */
export interface Match {
  readonly route: Route;
  /** What follows the path of a route that ends in `/*`, decoded; else ''. */
  readonly rest: string;
}

/** The routes of one path. */
interface Place {
  readonly path: string;
  readonly routes: Route[];
  /** Of `Allow`. */
  readonly methods: string[];
  /** Whether the path takes what follows, too. */
  readonly isOpen: boolean;
}

/** Characters of a path that are repeated in errors and compared with routes. */
const QUOTED_CHARACTERS = 100;

const PLAIN_PATH = /^(?:\/[^/?#]+)+$/;

/**
 * The path of a request target.
 *
 * @param target - As in the request line: `/path?query`, `http://host/path`, `*`.
 * @returns The path, without query, doubled slashes and slash at its end, so that these are tolerated.
 */
export function pathOf(target: string): string {
  if (PLAIN_PATH.test(target)) return target;
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  if (path === '*') return path;
  return `/${path}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/** Finds the route of a request. */
export class Router {
  readonly #places = new Map<string, Place>();
  readonly #openPlaces: readonly Place[];

  /**
   * Mounts routes.
   *
   * @param routes - A path may stand in several, with a method each.
   */
  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      for (const path of route.paths) this.#add(path, route);
    }
    this.#openPlaces = [...this.#places.values()].filter(({ isOpen }) => isOpen);
  }

  /**
   * The methods that a path takes.
   *
   * @param path - From {@link pathOf}.
   * @returns The value of `Allow`.
   * @throws {@link ServeError} `not_found`: names the closest route.
   */
  allow(path: string): string {
    return this.#placeOf(path).methods.join(', ');
  }

  /**
   * The route of a request.
   *
   * @param method - In upper case; HEAD is served by GET.
   * @param path - From {@link pathOf}.
   * @returns The route.
   * @throws {@link ServeError} `not_found`, `method_not_allowed`, `bad_request` for a path that can't be decoded.
   */
  match(method: string, path: string): Match {
    const place = this.#placeOf(path);
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    const route = place.routes.find((candidate) => candidate.method === wanted);
    if (route === undefined) {
      throw new ServeError(
        'method_not_allowed',
        `Cannot ${method} ${place.path}: it takes ${place.methods.join(', ')}`,
      );
    }
    const rest = path.length > place.path.length ? decoded(path.slice(place.path.length + 1)) : '';
    return { route, rest };
  }

  #add(path: string, route: Route): void {
    const isOpen = path.endsWith('/*');
    const key = isOpen ? path.slice(0, -2) : path;
    const place = this.#places.get(key) ?? { path: key, routes: [], methods: [], isOpen };
    this.#places.set(key, place);
    place.routes.push(route);
    place.methods.push(...(route.method === 'get' ? ['GET', 'HEAD'] : ['POST']));
  }

  #placeOf(path: string): Place {
    const place =
      this.#places.get(path) ?? this.#openPlaces.find((open) => path.startsWith(`${open.path}/`));
    if (place !== undefined) return place;
    const asked = path.slice(0, QUOTED_CHARACTERS);
    throw new ServeError(
      'not_found',
      `Cannot find the path ${JSON.stringify(asked)}: the closest route is ${this.#closest(asked)}`,
    );
  }

  #closest(path: string): string {
    const pairs = pairsOf(path);
    const likenesses = [...this.#places.keys()].map((key) => likeness(pairs, pairsOf(key)));
    return [...this.#places.keys()][likenesses.indexOf(Math.max(...likenesses))] ?? '';
  }
}

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest);
  } catch (cause) {
    throw new ServeError('bad_request', 'Cannot read the path: a % escape in it is no UTF-8', {
      cause,
    });
  }
}

// The pairs of neighbouring characters of a path, which are a measure of likeness.
function pairsOf(path: string): ReadonlySet<string> {
  const text = `${path.toLowerCase()}/`;
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}

// Dice's coefficient: 0 for nothing in common, 1 for the same pairs.
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return (2 * common) / (one.size + other.size);
}
