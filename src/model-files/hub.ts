import { env as library } from '@xenova/transformers';
import { getFile } from '@xenova/transformers/src/utils/hub.js';
import { StartError } from '../errors.ts';

/** Where models are downloaded from. */
export interface HubOptions {
  /** As `https://hub.example`; null: the one that the library knows. */
  readonly endpoint: string | null;
  /** Sent as a bearer token, and to no other host; null: none. */
  readonly token: string | null;
}

/** A file on the hub. */
export interface HubFile {
  /** Relative to the model. */
  readonly name: string;
  readonly url: string;
  /** Bytes; null if the hub doesn't say. */
  readonly size: number | null;
  /** In lower-case hex; null if the hub doesn't say. */
  readonly sha256: string | null;
  /** The commit that the file is of; null if the hub doesn't say. */
  readonly commit: string | null;
}

/** Bytes of a file on their way. */
export interface HubBody {
  /** Where they begin: what was asked for, or 0. */
  readonly from: number;
  /** Throws when the connection is cut. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Redirects that are followed to find out about a file. */
const MAX_REDIRECTS = 5;

const SHA256 = /^[0-9a-f]{64}$/;

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'no such host, or no network'],
  ['ENETUNREACH', 'no network'],
  ['ETIMEDOUT', 'no answer in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no answer in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer in time'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
]);

/** A hub of models, in the way of `@xenova/transformers`. */
export class Hub {
  readonly #endpoint: string;
  readonly #token: string | null;

  /**
   * Asks nothing yet.
   *
   * @param options - Where it is.
   * @throws {@link StartError} `usage`: an endpoint that is no URL of http or https.
   */
  constructor({ endpoint, token }: HubOptions) {
    this.#endpoint = endpoint ?? library.remoteHost;
    this.#token = token;
    if (!/^https?:\/\/[^/]/.test(this.#endpoint) || !URL.canParse(this.#endpoint)) {
      throw new StartError('usage', 'HF_ENDPOINT: must be a URL that begins with http or https');
    }
  }

  /**
   * What the hub is called in messages.
   *
   * @returns Its name, and its port unless that is the usual one.
   */
  get host(): string {
    return new URL(this.#endpoint).host;
  }

  /**
   * Looks for a file.
   *
   * @param model - As `ORG/NAME`.
   * @param name - Relative to the model.
   * @param revision - A commit or a branch.
   * @returns What the hub says of it; null if there is no such file, or no such model.
   * @throws {@link StartError} `unavailable`: the hub can't be reached, or refuses.
   */
  async find(model: string, name: string, revision = 'main'): Promise<HubFile | null> {
    const url = this.#url(model, name, revision);
    const answer = await this.#head(url);
    if (answer.status === 404) return null;
    if (answer.status >= 400) throw this.#refused(answer.status, name);
    const { headers } = answer;
    const [sha256 = null] = [headers.get('x-linked-etag'), headers.get('etag')]
      .map((tag) => tag?.replace(/^W\//, '').replaceAll('"', '') ?? '')
      .filter((tag) => SHA256.test(tag));
    const size = headers.get('x-linked-size') ?? headers.get('content-length');
    // Of a redirect the length is that of its own body.
    const isSized = answer.status < 300 || headers.has('x-linked-size');
    return {
      name,
      url,
      size: isSized && size !== null ? Number(size) : null,
      sha256,
      commit: headers.get('x-repo-commit'),
    };
  }

  /**
   * Asks for a file.
   *
   * @param file - From {@link Hub.find}.
   * @param from - Bytes that are there already.
   * @returns The rest, or all of it where the hub doesn't give parts.
   * @throws {@link StartError} `unavailable`: the hub can't be reached, or refuses.
   */
  async open(file: HubFile, from: number): Promise<HubBody> {
    const isPlain = from === 0 && this.#token === null;
    const answer = await this.#reached(() => (isPlain ? getFile(file.url) : this.#get(file, from)));
    if (answer.status === 416) {
      await answer.body?.cancel();
      return this.open(file, 0);
    }
    if (!answer.ok) throw this.#refused(answer.status, file.name);
    const start = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '')?.[1];
    return {
      from: answer.status === 206 ? Number(start ?? from) : 0,
      chunks: (answer.body ?? []) as AsyncIterable<Uint8Array>,
    };
  }

  #url(model: string, name: string, revision: string): string {
    const path = library.remotePathTemplate
      .replaceAll('{model}', model)
      .replaceAll('{revision}', encodeURIComponent(revision));
    return `${this.#endpoint.replace(/\/+$/, '')}/${path}${name}`;
  }

  // The library takes no headers, so it can neither go on with a file nor send a token to other hubs.
  #get({ url }: HubFile, from: number): Promise<Response> {
    const range = from === 0 ? {} : { range: `bytes=${from}-` };
    return fetch(url, { headers: { ...this.#headers(url), ...range } });
  }

  // The checksum is in the answer that leads to where the bytes are, so that one isn't followed.
  async #head(url: string, redirects = MAX_REDIRECTS): Promise<Response> {
    const answer = await this.#reached(() =>
      fetch(url, { method: 'HEAD', redirect: 'manual', headers: this.#headers(url) }),
    );
    const location = answer.headers.get('location');
    const isLast = location === null || answer.headers.has('x-linked-etag');
    if (answer.status < 300 || answer.status >= 400 || isLast || redirects === 0) return answer;
    return this.#head(new URL(location, url).href, redirects - 1);
  }

  #headers(url: string): Record<string, string> {
    const isOwn = new URL(url).origin === new URL(this.#endpoint).origin;
    return {
      'accept-encoding': 'identity',
      ...(isOwn && this.#token !== null ? { authorization: `Bearer ${this.#token}` } : {}),
    };
  }

  async #reached(ask: () => Promise<Response>): Promise<Response> {
    try {
      return await ask();
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: unknown } };
      const reason = REASONS.get(cause?.code) ?? 'the request failed';
      throw new StartError(
        'unavailable',
        `Cannot reach the hub at ${this.host}: ${reason}; check the network, or set HF_ENDPOINT`,
        error,
      );
    }
  }

  #refused(status: number, name: string): StartError {
    const isPrivate = status === 401 || status === 403;
    const advice = isPrivate
      ? 'there is no such model, or it needs a token: check --source_model, or set HF_TOKEN'
      : 'try again later';
    return new StartError(
      'unavailable',
      `Cannot download ${name}: the hub at ${this.host} answered ${status}; ${advice}`,
    );
  }
}
