import { Budget } from './budget.ts';
import { CallScope } from './call-scope.ts';
import type { CallContext, Reply } from './call-context.ts';
import { compose } from './compose.ts';
import { answerValue } from './decode/answer-value.ts';
import { decodeBody } from './decode/codings.ts';
import { PerformanceClientError } from './errors.ts';
import type { ModelLimits } from './preference-options.ts';
import { randomHex } from './tracing/span.ts';

const NAMES = ['max_body_bytes', 'max_batch_size', 'max_padded_bytes', 'context_length'] as const;

/** A question that is under way, and the calls that wait for it. */
interface Question {
  readonly answer: Promise<ModelLimits | null>;
  readonly scope: CallScope;
  waiting: number;
}

/** The limits that a server publishes for its models, asked for once per model. */
export class ModelLimitsCache {
  readonly #known = new Map<string, ModelLimits | null>();
  readonly #asked = new Map<string, Question>();

  /**
   * Limits of a model, or `null` if the server publishes none.
   *
   * @param model - Its id.
   * @param call - What its requests share.
   * @param maxBytes - Most bytes that it may have.
   * @returns Its limits, or `null`.
   * @throws {@link PerformanceClientError} if the server can't be asked, or the call ends.
   */
  async limitsOf(model: string, call: CallContext, maxBytes: number): Promise<ModelLimits | null> {
    const known = this.#known.get(model);
    if (known !== undefined) return known;
    const question = this.#asked.get(model) ?? this.#ask(model, call, maxBytes);
    question.waiting += 1;
    return await waitFor(question, call.scope);
  }

  #ask(model: string, call: CallContext, maxBytes: number): Question {
    const scope = new CallScope();
    const question = { answer: this.#read(model, { ...call, scope }, maxBytes), scope, waiting: 0 };
    this.#asked.set(model, question);
    return question;
  }

  async #read(model: string, call: CallContext, maxBytes: number): Promise<ModelLimits | null> {
    try {
      const limits = await ask(model, call, maxBytes);
      this.#known.set(model, limits);
      if (!limits) call.logger.warn?.('the server publishes no limits: not planning', { model });
      return limits;
    } finally {
      this.#asked.delete(model);
    }
  }
}

async function waitFor(question: Question, scope: CallScope): Promise<ModelLimits | null> {
  if (scope.error) throw scope.error;
  return await new Promise((resolve, reject) => {
    function leave(error: PerformanceClientError): void {
      question.waiting -= 1;
      if (question.waiting === 0) question.scope.end(error);
      reject(error);
    }
    scope.onEnd(leave);
    question.answer.then(resolve, reject).finally(() => {
      scope.forget(leave);
    });
  });
}

async function ask(
  model: string,
  call: CallContext,
  maxBytes: number,
): Promise<ModelLimits | null> {
  const headers = { ...call.headers };
  delete headers['content-type'];
  const [base = ''] = call.members.baseUrls();
  const below = /\/v[13]$/.test(base) ? '/models/' : '/v3/models/';
  const context: CallContext = {
    ...call,
    method: 'GET',
    path: below + encodeURIComponent(model),
    headers,
    idBase: `${call.idBase.replace(/-[^-]*$/, '')}-${randomHex(5)}`,
    retryBudget: new Budget(1, 0),
    hedgeBudget: new Budget(1, 0),
  };
  try {
    const reply = await compose(context, maxBytes)({ index: 0, body: null, tried: new Set() });
    return limitsIn(reply, maxBytes);
  } catch (error) {
    const isAnswer = error instanceof PerformanceClientError && hasNone(error);
    if (isAnswer) return null;
    throw error;
  }
}

// Statuses and bodies of servers that don't know the route, or answer it otherwise.
function hasNone({ kind, status }: PerformanceClientError): boolean {
  return kind === 'serialization' || status === 404 || status === 405 || status === 501;
}

function limitsIn(reply: Reply, maxBytes: number): ModelLimits | null {
  const body = decodeBody(reply.body, reply, maxBytes);
  const value = answerValue(body, reply.headers, 'array') as { limits?: unknown } | null;
  const limits = value?.limits as Partial<Record<string, unknown>> | null | undefined;
  const whole = NAMES.every((name) => typeof limits?.[name] === 'number');
  return whole ? (limits as unknown as ModelLimits) : null;
}
