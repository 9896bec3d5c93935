/** A JSON object as parsed. */
export type Json = Readonly<Record<string, unknown>>;

const MODEL_TYPES: readonly string[] = ['WordPiece', 'BPE', 'Unigram'];

/**
 * Writes a tokenizer.json as `@xenova/transformers` 2.17 knows it, where files of newer `tokenizers`
 * say the same otherwise: the merges of a BPE model are pairs, which it takes as text with a space;
 * and a Metaspace pre-tokenizer has no `add_prefix_space`, beside `prepend_scheme`.
 *
 * @param json - A tokenizer.json; not changed.
 * @returns What the library's tokenizers are made of.
 * @throws Error: the model is of a type that the library takes for something else.
 */
export function forXenova(json: Json): Json {
  const model = json['model'] as Json;
  const { type } = model;
  if (typeof type === 'string' && !MODEL_TYPES.includes(type)) {
    throw new Error(`its model has the type "${type}", which is none of ${MODEL_TYPES.join(', ')}`);
  }
  return {
    ...json,
    model: withMergesAsText(model),
    pre_tokenizer: withPrefixSpace(json['pre_tokenizer']),
    normalizer: json['normalizer'] ?? null,
    post_processor: json['post_processor'] ?? null,
    decoder: null, // Nothing is decoded here, and decoders that it doesn't know are no reason to fail.
    added_tokens: json['added_tokens'] ?? [],
  };
}

function withMergesAsText(model: Json): Json {
  const { merges } = model;
  if (!Array.isArray(merges)) return model;
  const asText = merges.map((merge: unknown) => (Array.isArray(merge) ? merge.join(' ') : merge));
  return { ...model, merges: asText };
}

function withPrefixSpace(preTokenizer: unknown): unknown {
  if (typeof preTokenizer !== 'object' || preTokenizer === null) return null;
  const { type, pretokenizers } = preTokenizer as Json;
  if (type === 'Metaspace') return { add_prefix_space: true, ...preTokenizer };
  if (!Array.isArray(pretokenizers)) return preTokenizer;
  return { ...preTokenizer, pretokenizers: pretokenizers.map(withPrefixSpace) };
}

/**
 * Whether pairs get no other type than 0, as RoBERTa's do; the library gives them those of BERT.
 *
 * @param postProcessor - Of a tokenizer.json.
 * @returns Whether it is RobertaProcessing, or a sequence with it.
 */
export function isRoberta(postProcessor: unknown): boolean {
  if (typeof postProcessor !== 'object' || postProcessor === null) return false;
  const { type, processors } = postProcessor as Json;
  return type === 'RobertaProcessing' || (Array.isArray(processors) && processors.some(isRoberta));
}
