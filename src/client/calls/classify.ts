import type { ClientCore } from '../client-core.ts';
import { answerValue } from '../decode/answer-value.ts';
import { decodeBody } from '../decode/codings.ts';
import { readClasses, type LabelScore } from '../decode/scores.ts';
import type { PreferenceOptions } from '../preference-options.ts';
import type { ClassificationResponse } from '../responses.ts';
import { runCall } from '../run-call.ts';
import { checkSettings } from '../settings.ts';
import { cutTexts } from '../text-batches.ts';
import { scoreFields, type ScoreOptions } from './rerank.ts';
import { checkTexts } from './texts.ts';

/** What callers of `classify` gave, unchecked. */
export interface ClassifyArguments extends ScoreOptions {
  readonly inputs: unknown;
  readonly options: PreferenceOptions;
}

/**
 * Labels texts.
 *
 * @param core - What the calls of the client share.
 * @param args - What the caller gave, unchecked.
 * @returns The labels of each text.
 * @throws {@link PerformanceClientError} of any kind.
 */
export async function classify(
  core: ClientCore,
  args: ClassifyArguments,
): Promise<ClassificationResponse> {
  const { inputs } = args;
  checkTexts(inputs, 'Inputs');
  const settings = checkSettings(args.options);
  const fields = scoreFields(args);
  function bodyFor(texts: readonly string[]): string {
    return JSON.stringify({ inputs: texts.map((text) => [text]), ...fields });
  }
  const { parts, info } = await runCall<LabelScore[][]>(core, {
    name: 'perfclient.classify',
    method: 'POST',
    path: '/predict',
    settings,
    model: args.model ?? null,
    codec: (limits) => ({
      batches: cutTexts({ texts: inputs, settings, limits, bodyFor }),
      bodyOf: ({ start, end }) => bodyFor(inputs.slice(start, end)),
      read: (reply, { start, end }) => {
        const body = decodeBody(reply.body, reply, core.maxAnswerBytes);
        return readClasses(answerValue(body, reply.headers, 'array'), end - start);
      },
    }),
  });
  return { object: 'list', data: parts.flatMap(({ part }) => part), ...info };
}
