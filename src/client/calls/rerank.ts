import type { ClientCore } from '../client-core.ts';
import { answerValue } from '../decode/answer-value.ts';
import { decodeBody } from '../decode/codings.ts';
import { readRerank, type RerankItem } from '../decode/scores.ts';
import { invalid } from '../errors.ts';
import type { PreferenceOptions } from '../preference-options.ts';
import type { RerankResponse } from '../responses.ts';
import { runCall } from '../run-call.ts';
import { checkSettings } from '../settings.ts';
import { cutTexts } from '../text-batches.ts';
import { checkTexts } from './texts.ts';

/** Options of scoring calls, as they are sent. */
export interface ScoreOptions {
  readonly rawScores: boolean | null | undefined;
  readonly model: string | null | undefined;
  readonly truncate: boolean | null | undefined;
  readonly truncationDirection: string | null | undefined;
}

/** What callers of `rerank` gave, unchecked. */
export interface RerankArguments extends ScoreOptions {
  readonly query: unknown;
  readonly texts: unknown;
  readonly returnText: boolean | null | undefined;
  readonly options: PreferenceOptions;
}

/**
 * The fields that rerank and classify requests share.
 *
 * @param args - What the caller gave, unchecked.
 * @returns Names as they are sent.
 */
export function scoreFields(args: ScoreOptions): object {
  const { model } = args;
  return {
    raw_scores: args.rawScores ?? false,
    truncate: args.truncate ?? false,
    truncation_direction: args.truncationDirection ?? 'Right',
    ...(model === undefined || model === null ? {} : { model }),
  };
}

/**
 * Scores texts against a query.
 *
 * @param core - What the calls of the client share.
 * @param args - What the caller gave, unchecked.
 * @returns A score for each text, ranked batch by batch.
 * @throws {@link PerformanceClientError} of any kind.
 */
export async function rerank(core: ClientCore, args: RerankArguments): Promise<RerankResponse> {
  const { query, texts } = args;
  checkTexts(texts, 'Texts');
  if (typeof query !== 'string') throw invalid('query must be a string');
  const settings = checkSettings(args.options);
  const fields = { ...scoreFields(args), return_text: args.returnText ?? false };
  function bodyFor(some: readonly string[]): string {
    return JSON.stringify({ query, texts: some, ...fields });
  }
  const { parts, info } = await runCall<RerankItem[]>(core, {
    name: 'perfclient.rerank',
    method: 'POST',
    path: '/rerank',
    settings,
    model: args.model ?? null,
    codec: (limits) => ({
      batches: cutTexts({ texts, settings, limits, bodyFor }),
      bodyOf: ({ start, end }) => bodyFor(texts.slice(start, end)),
      read: (reply, { start, end }) => {
        const body = decodeBody(reply.body, reply, core.maxAnswerBytes);
        return readRerank(answerValue(body, reply.headers, 'array'), end - start);
      },
    }),
  });
  const data = parts.flatMap(({ part, start }) =>
    part.map((item) => ({ ...item, index: item.index + start })),
  );
  return { object: 'list', data, ...info };
}
