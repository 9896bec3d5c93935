import { CODED_ROWS } from './coded-fixtures.ts';
import { EMBEDDING_ROWS } from './embedding-fixtures.ts';
import { expand, type AnswerFixture } from './fixture-row.ts';
import { SCORE_ROWS } from './score-answer-fixtures.ts';

/** Every answer that clients are tried with. */
export const ANSWER_FIXTURES: readonly AnswerFixture[] = [
  ...EMBEDDING_ROWS,
  ...CODED_ROWS,
  ...SCORE_ROWS,
].flatMap(expand);
