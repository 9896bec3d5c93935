import { checkBase } from './base-url.ts';
import { Budget } from './budget.ts';
import type { CallContext } from './call-context.ts';
import { CallScope } from './call-scope.ts';
import { watchSignals } from './call-signals.ts';
import type { ClientCore } from './client-core.ts';
import { compose } from './compose.ts';
import { codingsOf } from './decode/codings.ts';
import { readEnv } from './env.ts';
import { invalid } from './errors.ts';
import type { ModelLimits } from './preference-options.ts';
import { checkHeaders } from './request-headers.ts';
import type { CallInfo } from './responses.ts';
import { runBatches, type BatchCodec, type BatchResults } from './run-batches.ts';
import type { Settings } from './settings.ts';
import { isTraceName, traceCall } from './tracing/call-trace.ts';
import { randomHex } from './tracing/span.ts';
import type { Headers } from './transport.ts';
import { VERSION } from './version.ts';

/** A call whose own arguments are checked. */
export interface CallPlan<Part> {
  /** As in `perfclient.embed`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly settings: Settings;
  /** Model whose limits can be asked for, or `null`. */
  readonly model: string | null;
  readonly codec: (limits: ModelLimits | null) => BatchCodec<Part>;
}

/** What a call brought. */
export interface CallOutcome<Part> {
  /** Parts of the batches that succeeded, with the first input of each. */
  readonly parts: readonly { readonly part: Part; readonly start: number }[];
  readonly info: CallInfo;
}

/**
 * Checks what is left to check, and carries a call out.
 *
 * @param core - What the calls of the client share.
 * @param plan - What to send, and how to read the answers.
 * @returns The parts that came back, and how it went.
 * @throws {@link PerformanceClientError} of any kind.
 */
export async function runCall<Part>(
  core: ClientCore,
  plan: CallPlan<Part>,
): Promise<CallOutcome<Part>> {
  const startMs = performance.now();
  const { settings } = plan;
  const apiKey = settings.apiKeyOverride ?? core.apiKey;
  const extra = checkHeaders(settings, apiKey);
  for (const base of core.members.baseUrls()) checkBase(base);
  if (core.isClosed()) throw invalid('the client is closed');
  const trace = traceCall({ name: plan.name, settings, logger: core.logger });
  const own = Object.entries(extra).filter(([name]) => !isTraceName(name));
  const extraHeaders = Object.fromEntries(own);
  const headers = { ...commonHeaders(core, plan, apiKey), ...trace.headers };
  const scope = new CallScope();
  const unwatch = watchSignals(scope, settings);
  try {
    const call = contextOf(core, { plan, scope, headers, extraHeaders });
    const outcome = await runPlanned(core, plan, call);
    trace.end(true);
    return outcomeOf(outcome, performance.now() - startMs);
  } catch (error) {
    trace.end(false);
    throw error;
  } finally {
    unwatch();
  }
}

interface Planned<Part> {
  readonly results: BatchResults<Part>;
  readonly codec: BatchCodec<Part>;
}

async function runPlanned<Part>(
  core: ClientCore,
  plan: CallPlan<Part>,
  call: CallContext,
): Promise<Planned<Part>> {
  if (call.scope.error) throw call.scope.error;
  const limits = await limitsFor(core, plan, call);
  const codec = plan.codec(limits);
  const { hedgeBudgetPct, retryBudgetPct } = call.settings;
  const budgeted = {
    ...call,
    retryBudget: new Budget(codec.batches.length, retryBudgetPct),
    hedgeBudget: new Budget(codec.batches.length, hedgeBudgetPct),
  };
  const send = compose(budgeted, core.maxAnswerBytes);
  return { results: await runBatches(codec, budgeted, send), codec };
}

async function limitsFor<Part>(
  core: ClientCore,
  { model, settings }: CallPlan<Part>,
  call: CallContext,
): Promise<ModelLimits | null> {
  if (settings.limits !== 'server') return settings.limits;
  return model === null ? null : await core.limits.limitsOf(model, call, core.maxAnswerBytes);
}

interface ContextParts<Part> {
  readonly plan: CallPlan<Part>;
  readonly scope: CallScope;
  readonly headers: Headers;
  readonly extraHeaders: Headers;
}

function contextOf<Part>(core: ClientCore, parts: ContextParts<Part>): CallContext {
  const { plan, scope, headers, extraHeaders } = parts;
  // 0.1001 s is 100.1 ms, not 100.10000000000001.
  const ms = Number((plan.settings.timeoutS * 1000).toFixed(6));
  return {
    settings: plan.settings,
    scope,
    logger: core.logger,
    members: core.members,
    pinned: plan.settings.pinInitialEndpointOnce ? core.members.pick(new Set()) : null,
    retryBudget: new Budget(0, 0),
    hedgeBudget: new Budget(0, 0),
    method: plan.method,
    path: plan.path,
    headers,
    extraHeaders,
    timeoutMs: Math.floor(ms),
    timeoutHeader: String(Math.ceil(ms)),
    idBase: `perfclient${idPrefix()}-${randomHex(5)}`,
  };
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * @param method - Of the request.
 * @returns Whether requests of a method carry a body.
 */
export function hasBody(method: string): boolean {
  return WITH_BODY.has(method);
}

function commonHeaders<Part>(core: ClientCore, plan: CallPlan<Part>, apiKey: string): Headers {
  return {
    authorization: `Bearer ${apiKey}`,
    ...(hasBody(plan.method) ? { 'content-type': 'application/json' } : {}),
    accept: 'application/json, application/msgpack',
    ...(core.acceptEncoding === null ? {} : { 'accept-encoding': core.acceptEncoding }),
    'user-agent': `tensorgate-client/${VERSION}`,
  };
}

let prefix: string | null = null;

// What the environment adds to the ids of this process's requests.
function idPrefix(): string {
  prefix ??= (readEnv('PERFORMANCE_CLIENT_REQUEST_ID_PREFIX') ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^\x21-\x7e]/g, '');
  return prefix;
}

/** Makes the next call read the prefix again; for tests. */
export function forgetIdPrefix(): void {
  prefix = null;
}

function outcomeOf<Part>({ results, codec }: Planned<Part>, ms: number): CallOutcome<Part> {
  const { results: batches, errors } = results;
  const parts = codec.batches.flatMap(({ index, start }) => {
    const part = batches[index]?.part;
    return part === null || part === undefined ? [] : [{ part, start }];
  });
  return {
    parts,
    info: {
      total_time: ms / 1000,
      individual_request_times: batches.map(({ seconds }) => seconds),
      response_headers: batches.map(({ headers }) => shownHeaders(headers)),
      ...(errors.length > 0 ? { errors: [...errors] } : {}),
    },
  };
}

// Headers as callers see them: what spoke of a compressed body is gone with its compression.
function shownHeaders(headers: Headers): Headers {
  if (codingsOf(headers).length === 0) return headers;
  const shown = { ...headers };
  delete shown['content-encoding'];
  delete shown['content-length'];
  return shown;
}
