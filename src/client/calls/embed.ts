import { giveBack } from '../body-buffers.ts';
import type { ClientCore } from '../client-core.ts';
import { answerValue } from '../decode/answer-value.ts';
import { decodeBody } from '../decode/codings.ts';
import { readEmbeddings, type EmbeddingsPart, type Vector } from '../decode/embeddings.ts';
import { invalid } from '../errors.ts';
import { floatMatrix } from '../float-matrix.ts';
import type { PreferenceOptions } from '../preference-options.ts';
import type { EmbeddingsResponse } from '../responses.ts';
import { runCall, type CallOutcome } from '../run-call.ts';
import { checkSettings, wholeNumber } from '../settings.ts';
import { cutTexts } from '../text-batches.ts';
import { checkTexts } from './texts.ts';

/** What callers of `embed` gave, unchecked. */
export interface EmbedArguments {
  readonly input: unknown;
  readonly model: unknown;
  readonly encodingFormat: unknown;
  readonly dimensions: unknown;
  readonly user: unknown;
  readonly options: PreferenceOptions;
}

const MAX_DIMENSIONS = 1_000_000;
const MAX_USER_BYTES = 1000;
const MAX_USAGE = 2 ** 32 - 1;

/**
 * Embeds texts.
 *
 * @param core - What the calls of the client share.
 * @param args - What the caller gave, unchecked.
 * @returns A vector for each text, in their order.
 * @throws {@link PerformanceClientError} of any kind.
 */
export async function embed(
  core: ClientCore,
  args: EmbedArguments,
): Promise<EmbeddingsResponse<Vector>> {
  const { input } = args;
  checkTexts(input, 'Input');
  const fields = fieldsOf(args);
  const settings = checkSettings(args.options);
  function bodyFor(texts: readonly string[]): string {
    return JSON.stringify({ input: texts, ...fields });
  }
  const outcome = await runCall<EmbeddingsPart>(core, {
    name: 'perfclient.embed',
    method: 'POST',
    path: '/v1/embeddings',
    settings,
    model: fields.model,
    codec: (limits) => ({
      batches: cutTexts({ texts: input, settings, limits, bodyFor }),
      bodyOf: ({ start, end }) => bodyFor(input.slice(start, end)),
      read: (reply, { start, end }) => {
        const body = decodeBody(reply.body, reply, core.maxAnswerBytes);
        const value = answerValue(body, reply.headers, settings.vectors);
        const part = readEmbeddings(value, end - start, settings.vectors);
        // Numbers and texts are copies: nothing of the body is left in them.
        giveBack(reply.body);
        return part;
      },
    }),
  });
  return responseOf(outcome, input.length);
}

interface EmbedFields {
  readonly model: string;
  readonly encoding_format?: string;
  readonly dimensions?: number;
  readonly user?: string;
}

function fieldsOf({
  model,
  encodingFormat,
  dimensions,
  user,
  options,
}: EmbedArguments): EmbedFields {
  if (typeof model !== 'string' || model.trim() === '') throw invalid('Model name cannot be empty');
  return {
    model,
    ...checkDimensions(dimensions),
    ...checkUser(user),
    ...checkEncoding(encodingFormat, options),
  };
}

function checkDimensions(value: unknown): { dimensions?: number } {
  if (value === undefined || value === null) return {};
  const dimensions = wholeNumber('dimensions', value);
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw invalid('Dimensions must be between 1 and 1000000');
  }
  return { dimensions };
}

function checkUser(value: unknown): { user?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') throw invalid('user must be a string');
  if (new TextEncoder().encode(value).length > MAX_USER_BYTES) {
    throw invalid('User string cannot exceed 1000 characters');
  }
  return { user: value };
}

function checkEncoding(
  value: unknown,
  { vectors }: PreferenceOptions,
): { encoding_format?: string } {
  if (value === undefined || value === null) return {};
  const allowed = value === 'float' || value === 'base64';
  if (allowed || (value === 'tensor' && vectors === 'float32')) return { encoding_format: value };
  throw invalid("Encoding format must be 'float' or 'base64'");
}

function responseOf(
  { parts, info }: CallOutcome<EmbeddingsPart>,
  inputs: number,
): EmbeddingsResponse<Vector> {
  const data: EmbeddingsPart['data'] = [];
  const usage = { prompt_tokens: 0, total_tokens: 0 };
  for (const { part, start } of parts) {
    usage.prompt_tokens = Math.min(usage.prompt_tokens + part.promptTokens, MAX_USAGE);
    usage.total_tokens = Math.min(usage.total_tokens + part.totalTokens, MAX_USAGE);
    for (const item of part.data) {
      item.index += start;
      data.push(item);
    }
  }
  const [first] = parts;
  const response = {
    object: 'list' as const,
    data,
    model: first?.part.model ?? '',
    usage,
    ...info,
  };
  // Not enumerable: the rest is a plain object that can be compared, cloned and written as JSON.
  return Object.defineProperty(response, 'toFloat32Array', {
    value: () => floatMatrix(data, inputs),
  }) as EmbeddingsResponse<Vector>;
}
