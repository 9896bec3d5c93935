import { admit } from '../../limits/admit.ts';
import { classifyReply, CLASSIFY_SCHEMA, parseClassify } from '../../protocol/classify.ts';
import { CLASSIFICATION_SCHEMA } from '../../protocol/score-answers.ts';
import type { Route } from '../route.ts';

/** Classifies texts, in the shape of Infinity. */
export const classify: Route = {
  method: 'post',
  paths: ['/classify'],
  isInference: true,
  operations: [{ summary: 'Classify texts', body: CLASSIFY_SCHEMA, answer: CLASSIFICATION_SCHEMA }],
  async handle({ body, scope, servable }) {
    const call = parseClassify(body);
    const model = servable('classify', call.model);
    const batch = admit(call, model.limits);
    return classifyReply(await model.classify(batch, { ...call.options, scope }), model);
  },
};
