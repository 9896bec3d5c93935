import { trimBase } from './base-url.ts';
import { batchPost, type HttpMethod } from './calls/batch-post.ts';
import { classify } from './calls/classify.ts';
import { embed } from './calls/embed.ts';
import { rerank } from './calls/rerank.ts';
import type { ClientCore } from './client-core.ts';
import { MAX_ANSWER_BYTES } from './decode/codings.ts';
import type { EndpointPool } from './endpoint-pool.ts';
import { readEnv } from './env.ts';
import { invalid } from './errors.ts';
import type {
  ArrayPreference,
  ClientOptions,
  Float32Preference,
  NamedClientOptions,
  Preference,
} from './client-options.ts';
import { FetchTransport } from './fetch-transport.ts';
import { HttpClientWrapper } from './http-client-wrapper.ts';
import { isLegacyEmbed, legacyTail } from './legacy-arguments.ts';
import { filteredLogger } from './logger.ts';
import { onlyMember, type Members } from './members.ts';
import { ModelLimitsCache } from './model-limits.ts';
import { platform } from './platform.ts';
import type { PreferenceOptions } from './preference-options.ts';
import { optionsOf } from './request-processing-preference.ts';
import type {
  BatchPostResponse,
  ClassificationResponse,
  EmbeddingsResponse,
  RerankResponse,
} from './responses.ts';
import { RetryGate } from './retry-gate.ts';

type N = number | null;
type S = string | null;
type B = boolean | null;

/** Sends many texts to a model server in batches, many at once, with retries and hedges. */
export class PerformanceClient {
  readonly #core: ClientCore;
  readonly #wrapper: HttpClientWrapper;
  readonly #ownsWrapper: boolean;
  #closed = false;

  /** @throws {@link PerformanceClientError} without a key, or for a bad proxy. */
  constructor(baseUrl: string, options: NamedClientOptions);
  /** @throws {@link PerformanceClientError} without a key, or for a bad proxy. */
  constructor(
    baseUrl: string,
    apiKey?: S,
    httpVersion?: N,
    clientWrapper?: HttpClientWrapper | null,
    proxy?: S,
    endpointPool?: EndpointPool | null,
    options?: ClientOptions,
  );
  // The positions are those of the API that programs were written for.
  // eslint-disable-next-line max-params
  constructor(
    baseUrl: string,
    apiKey?: S | NamedClientOptions,
    httpVersion?: N,
    clientWrapper?: HttpClientWrapper | null,
    proxy?: S,
    endpointPool?: EndpointPool | null,
    options?: ClientOptions,
  ) {
    const named: NamedClientOptions =
      typeof apiKey === 'object' && apiKey !== null
        ? apiKey
        : { ...options, apiKey, httpVersion, clientWrapper, proxy, endpointPool };
    const wrapper = named.clientWrapper ?? null;
    this.#ownsWrapper = wrapper === null;
    this.#wrapper = wrapper ?? new HttpClientWrapper(named.httpVersion, named.proxy);
    this.#core = {
      apiKey: apiKeyOf(named.apiKey),
      members: membersOf(baseUrl, named, this.#wrapper),
      logger: filteredLogger(named.logger),
      acceptEncoding: named.acceptEncoding ?? platform().acceptEncoding,
      maxAnswerBytes: named.maxAnswerBytes ?? MAX_ANSWER_BYTES,
      limits: new ModelLimitsCache(),
      isClosed: () => this.#closed,
    };
  }

  /**
   * @returns Key that requests carry unless a call overrides it.
   */
  get apiKey(): string {
    return this.#core.apiKey;
  }

  /**
   * The client's connections, to share with other clients.
   *
   * @returns Never `null`.
   */
  getClientWrapper(): HttpClientWrapper {
    return this.#wrapper;
  }

  /**
   * Closes the idle connections that the client owns; later calls reject with `InvalidArg`.
   *
   * @returns Resolved.
   */
  close(): Promise<void> {
    this.#closed = true;
    if (this.#ownsWrapper) this.#wrapper.close();
    return Promise.resolve();
  }

  /**
   * Embeds texts: one vector for each, in their order.
   *
   * @throws {@link PerformanceClientError} of any kind.
   */
  embed(
    input: string[],
    model: string,
    encodingFormat: 'float' | 'base64' | 'tensor' | null | undefined,
    dimensions: N | undefined,
    user: S | undefined,
    preference: Float32Preference,
  ): Promise<EmbeddingsResponse<Float32Array>>;
  embed(
    input: string[],
    model: string,
    encodingFormat: 'base64',
    dimensions?: N,
    user?: S,
    preference?: ArrayPreference | null,
  ): Promise<EmbeddingsResponse<string>>;
  embed(
    input: string[],
    model: string,
    encodingFormat?: 'float' | 'base64' | 'tensor' | null,
    dimensions?: N,
    user?: S,
    preference?: Preference | null,
  ): Promise<EmbeddingsResponse>;
  /** The positions of the native package. */
  embed(
    input: string[],
    model: string,
    encodingFormat: string | null | undefined,
    dimensions: N | undefined,
    user: S | undefined,
    maxConcurrentRequests: N | undefined,
    batchSize?: N,
    timeoutS?: N,
    maxCharsPerRequest?: N,
    hedgeDelay?: N,
  ): Promise<EmbeddingsResponse>;
  embed(...args: unknown[]): Promise<EmbeddingsResponse<never>> {
    const [input, model, encodingFormat, dimensions, user, ...tail] = args;
    const options = isLegacyEmbed(tail) ? legacyTail(tail) : preferenceOf(tail[0]);
    const made = { input, model, encodingFormat, dimensions, user, options };
    // Which vectors there are is what the overloads say.
    return embed(this.#core, made) as Promise<EmbeddingsResponse<never>>;
  }

  /**
   * Scores texts against a query: ranked within each batch, batch after batch.
   *
   * @throws {@link PerformanceClientError} of any kind.
   */
  rerank(
    query: string,
    texts: string[],
    rawScores?: B,
    model?: S,
    returnText?: B,
    truncate?: B,
    truncationDirection?: S,
    preference?: Preference | null,
  ): Promise<RerankResponse>;
  /** The positions of the native package. */
  rerank(
    query: string,
    texts: string[],
    rawScores: B | undefined,
    returnText: boolean,
    truncate?: B,
    truncationDirection?: S,
    maxConcurrentRequests?: N,
    batchSize?: N,
    timeoutS?: N,
    maxCharsPerRequest?: N,
    hedgeDelay?: N,
  ): Promise<RerankResponse>;
  rerank(...args: unknown[]): Promise<RerankResponse> {
    const [query, texts, rawScores, ...tail] = args;
    const legacy = typeof tail[0] === 'boolean';
    const [model, returnText, truncate, truncationDirection, preference, ...rest] = legacy
      ? [null, ...tail]
      : tail;
    return rerank(this.#core, {
      query,
      texts,
      rawScores: rawScores as B,
      model: model as S,
      returnText: returnText as B,
      truncate: truncate as B,
      truncationDirection: truncationDirection as S,
      options: legacy ? legacyTail([preference, ...rest]) : preferenceOf(preference),
    });
  }

  /**
   * Labels texts: the labels of each, in their order.
   *
   * @throws {@link PerformanceClientError} of any kind.
   */
  classify(
    inputs: string[],
    model?: S,
    rawScores?: B,
    truncate?: B,
    truncationDirection?: S,
    preference?: Preference | null,
  ): Promise<ClassificationResponse>;
  /** The positions of the native package. */
  classify(
    inputs: string[],
    rawScores: boolean,
    truncate?: B,
    truncationDirection?: S,
    maxConcurrentRequests?: N,
    batchSize?: N,
    timeoutS?: N,
    maxCharsPerRequest?: N,
    hedgeDelay?: N,
  ): Promise<ClassificationResponse>;
  classify(inputs: unknown, ...tail: unknown[]): Promise<ClassificationResponse> {
    const legacy = typeof tail[0] === 'boolean';
    const [model, rawScores, truncate, truncationDirection, preference, ...rest] = legacy
      ? [null, ...tail]
      : tail;
    return classify(this.#core, {
      inputs,
      rawScores: rawScores as B,
      model: model as S,
      truncate: truncate as B,
      truncationDirection: truncationDirection as S,
      options: legacy ? legacyTail([preference, ...rest]) : preferenceOf(preference),
    });
  }

  /**
   * Sends a request for each payload to a path below the base URL.
   *
   * @throws {@link PerformanceClientError} of any kind.
   */
  batchPost(
    urlPath: string,
    payloads: unknown[],
    preference?: Preference | null,
    method?: HttpMethod | null,
  ): Promise<BatchPostResponse>;
  /** The positions of the native package. */
  batchPost(
    urlPath: string,
    payloads: unknown[],
    maxConcurrentRequests: N,
    timeoutS: N,
  ): Promise<BatchPostResponse>;
  batchPost(path: unknown, payloads: unknown, ...tail: unknown[]): Promise<BatchPostResponse> {
    const legacy = tail.some((value) => typeof value === 'number');
    const options = legacy
      ? { maxConcurrentRequests: tail[0] as N, timeoutS: tail[1] as N }
      : preferenceOf(tail[0]);
    const method = legacy ? null : tail[1];
    return batchPost(this.#core, { path, payloads, method, label: 'Payloads', options });
  }

  /**
   * Sends a request for each item to `/v1/systemone`.
   *
   * @param requests - A JSON value each.
   * @param preference - In either form, or none.
   * @returns What the requests brought, in order.
   * @throws {@link PerformanceClientError} of any kind.
   */
  batchSystemOne(requests: unknown[], preference?: Preference | null): Promise<BatchPostResponse> {
    return batchPost(this.#core, {
      path: '/v1/systemone',
      payloads: requests,
      method: 'POST',
      label: 'Requests',
      options: optionsOf(preference),
    });
  }
}

function preferenceOf(value: unknown): PreferenceOptions {
  return optionsOf(value as Preference | null | undefined);
}

function apiKeyOf(given: S | undefined): string {
  const key = given ?? readEnv('BASETEN_API_KEY') ?? readEnv('OPENAI_API_KEY');
  if (key !== undefined) return key;
  throw invalid('API key not provided and no environment variable `BASETEN_API_KEY` found');
}

function membersOf(
  baseUrl: string,
  { endpointPool, fetch }: NamedClientOptions,
  wrapper: HttpClientWrapper,
): Members {
  if (endpointPool) return endpointPool;
  const transport = fetch ? new FetchTransport(fetch) : wrapper.transport;
  return onlyMember({ baseUrl: trimBase(baseUrl), transport, gate: new RetryGate() });
}
