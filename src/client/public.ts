export { CancellationToken } from './cancellation-token.ts';
export type { HttpMethod } from './calls/batch-post.ts';
export type {
  ArrayPreference,
  ClientOptions,
  Float32Preference,
  NamedClientOptions,
  Preference,
} from './client-options.ts';
export { decodeBase64Float32 } from './decode/float-bytes.ts';
export type { ExtensionValue } from './decode/msgpack-reader.ts';
export type { LabelScore, RerankItem } from './decode/scores.ts';
export { Endpoint } from './endpoint.ts';
export { EndpointPool } from './endpoint-pool.ts';
export { PerformanceClientError, type ErrorKind } from './errors.ts';
export { HttpClientWrapper } from './http-client-wrapper.ts';
export type { Logger, LogLevel } from './logger.ts';
export { PerformanceClient } from './performance-client.ts';
export type { ModelLimits, PreferenceFields, PreferenceOptions } from './preference-options.ts';
export { RequestProcessingPreference } from './request-processing-preference.ts';
export type {
  BatchError,
  BatchPostResponse,
  CallInfo,
  ClassificationResponse,
  Embedding,
  EmbeddingsResponse,
  RerankResponse,
} from './responses.ts';
export { TraceContext } from './trace-context.ts';
export { flushTracing } from './tracing/call-trace.ts';
