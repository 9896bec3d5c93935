import type { NodeType } from '../node-type.ts';
import type { Servable } from '../servable.ts';
import { CLASSIFY } from './classify.ts';
import { EMBEDDINGS } from './embeddings.ts';
import { RERANK } from './rerank.ts';

/** Every kind of node, as `type:` of a node in graphs/*.yaml. The options were checked by its own schema. */
export const NODE_TYPES: readonly NodeType<never, Servable>[] = [EMBEDDINGS, RERANK, CLASSIFY];
