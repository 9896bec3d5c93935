import type { NodeType } from '../node-type.ts';
import type { Servable } from '../servable.ts';
import { EMBEDDINGS } from './embeddings.ts';

/** Every kind of node, as `type:` of a node in graphs/*.yaml. The options were checked by its own schema. */
export const NODE_TYPES: readonly NodeType<never, Servable>[] = [EMBEDDINGS];
