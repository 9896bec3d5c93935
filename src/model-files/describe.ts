import { join } from 'node:path';
import { integer, readList, readObject, text, type JsonObject } from './read-json.ts';

/** How many tokens a model takes. */
export interface ContextLength {
  /** Special tokens included. */
  readonly tokens: number;
  /** The key of config.json that says so; null for the default. */
  readonly source: string | null;
}

/** What the files of a model say of it. */
export interface ModelDescription {
  readonly contextLength: ContextLength;
  /** How token rows become one vector; null if no file says so, or what it says is unsupported. */
  readonly pooling: 'CLS' | 'LAST' | 'MEAN' | null;
  /** Pooling modes that are asked for and can't be served, as `max_tokens`; null if there are none. */
  readonly unsupportedPooling: string | null;
  /** Modules of modules.json beyond transformer, pooling and normalization, as `Dense`. */
  readonly unsupportedModules: readonly string[];
  /** Id that fills rows up to the longest. */
  readonly padTokenId: number;
  /** Position of the first token: 0, or pad_token_id + 1 in models like RoBERTa. */
  readonly positionOffset: number;
  /** Names of the logits, in their order; empty if config.json names none. */
  readonly labels: readonly string[];
  /** As in config.json, such as `single_label_classification`; null if it says nothing. */
  readonly problemType: string | null;
  /** Size of a token's vector; null if config.json doesn't say. */
  readonly hiddenSize: number | null;
  /** Ids of tokens are below this; null if config.json doesn't say. */
  readonly vocabSize: number | null;
}

/** Tokens of a row where config.json names no limit. */
export const DEFAULT_CONTEXT_LENGTH = 1024;

/** Keys of config.json that limit a row, the first that is there counts. Source: OVMS. */
const CONTEXT_KEYS = ['max_position_embeddings', 'n_positions', 'seq_len', 'seq_length', 'n_ctx'];

/** Keys of config.json for the size of a token's vector: BERT, DistilBERT, GPT-2, T5. */
const HIDDEN_SIZE_KEYS = ['hidden_size', 'dim', 'n_embd', 'd_model'];

/**
 * Values of `model_type` whose positions start after the padding id. Source: the
 * `create_position_ids_from_input_ids` of Hugging Face's transformers and its copies.
 */
const OFFSET_TYPES: ReadonlySet<unknown> = new Set([
  ...['roberta', 'roberta-prelayernorm', 'xlm-roberta', 'xlm-roberta-xl', 'xmod', 'camembert'],
  ...['mpnet', 'longformer', 'data2vec-text', 'ibert', 'luke', 'mluke', 'lilt', 'layoutlmv3'],
  ...['markuplm', 'esm'],
]);

/** The padding id of those models where no file names one. Source: their defaults in transformers. */
const OFFSET_PAD_TOKEN_ID = 1;

const POOLING_PREFIX = 'pooling_mode_';

/** Pooling modes that are served, as in the configuration of Sentence Transformers. */
const POOLINGS: ReadonlyMap<string, 'CLS' | 'LAST' | 'MEAN'> = new Map([
  ['cls', 'CLS'],
  ['cls_token', 'CLS'],
  ['lasttoken', 'LAST'],
  ['mean', 'MEAN'],
  ['mean_tokens', 'MEAN'],
] as const);

/** Modules of Sentence Transformers that a node takes the place of. */
const SERVED_MODULES: ReadonlySet<string> = new Set(['Transformer', 'Pooling', 'Normalize']);

interface Module {
  /** The class, as `Pooling`. */
  readonly type: string;
  /** Of its folder. */
  readonly path: string;
}

function modulesOf(list: readonly unknown[]): readonly Module[] {
  return list.map((item) => {
    const { type, path } = (item ?? {}) as JsonObject;
    return { type: text(type)?.split('.').at(-1) ?? '', path: text(path) ?? '' };
  });
}

function firstOf(object: JsonObject, keys: readonly string[], least: number): string | undefined {
  return keys.find((key) => (integer(object[key]) ?? -1) >= least);
}

function contextLengthOf(config: JsonObject, positionOffset: number): ContextLength {
  const source = firstOf(config, CONTEXT_KEYS, positionOffset + 1);
  if (source === undefined) return { tokens: DEFAULT_CONTEXT_LENGTH, source: null };
  return { tokens: Number(config[source]) - positionOffset, source };
}

function modesOf(pooling: JsonObject): readonly string[] {
  const { pooling_mode: named, [`${POOLING_PREFIX}mean_tokens`]: mean } = pooling;
  if (typeof named === 'string') return [named];
  const modes = Object.keys(pooling)
    .filter((key) => key.startsWith(POOLING_PREFIX) && pooling[key] === true)
    .map((key) => key.slice(POOLING_PREFIX.length));
  // As in Sentence Transformers, where the mean is taken unless the file says otherwise.
  return modes.length === 0 && mean === undefined ? ['mean_tokens'] : modes;
}

function poolingOf(
  file: JsonObject | null,
): Pick<ModelDescription, 'pooling' | 'unsupportedPooling'> {
  const modes = file === null ? [] : modesOf(file);
  const [mode] = modes;
  if (mode === undefined) return { pooling: null, unsupportedPooling: null };
  const pooling = modes.length === 1 ? (POOLINGS.get(mode) ?? null) : null;
  return { pooling, unsupportedPooling: pooling === null ? modes.join(' + ') : null };
}

// A token is written as its text, or as an object that holds it.
function tokenText(value: unknown): string | null {
  return text(value) ?? text((value as JsonObject | null | undefined)?.['content']);
}

function padTokenIdOf(
  config: JsonObject,
  tokenizer: JsonObject,
  special: JsonObject,
): number | null {
  const id = integer(config['pad_token_id']);
  if (id !== null && id >= 0) return id;
  const token = tokenText(tokenizer['pad_token']) ?? tokenText(special['pad_token']);
  const added = Object.entries((tokenizer['added_tokens_decoder'] ?? {}) as JsonObject);
  const found = added.find(([, entry]) => token !== null && tokenText(entry) === token);
  return found === undefined ? null : Number(found[0]);
}

function labelsOf({ id2label }: JsonObject): readonly string[] {
  return Object.entries((id2label ?? {}) as JsonObject)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, label]) => String(label));
}

/**
 * Reads what the files of a model say of it: config.json, and those that may be missing, which are
 * modules.json, 1_Pooling/config.json, tokenizer_config.json and special_tokens_map.json.
 *
 * @param folder - Path of the model; it may be relative.
 * @returns Its description; defaults where no file says anything.
 * @throws {@link StartError} `config`: config.json is missing, or a file can't be read, isn't JSON, or
 * holds something else than it should; names it.
 */
export function describeModel(folder: string): ModelDescription {
  function optional(...path: readonly string[]): JsonObject | null {
    return readObject(join(folder, ...path), 'optional');
  }
  const config = readObject(join(folder, 'config.json'), 'required');
  const modules = modulesOf(readList(join(folder, 'modules.json')) ?? []);
  const tokenizer = optional('tokenizer_config.json') ?? {};
  const special = optional('special_tokens_map.json') ?? {};
  const poolingFolder = modules.find(({ type }) => type === 'Pooling')?.path ?? '1_Pooling';
  const hasOffset = OFFSET_TYPES.has(config['model_type']);
  const padTokenId =
    padTokenIdOf(config, tokenizer, special) ?? (hasOffset ? OFFSET_PAD_TOKEN_ID : 0);
  const positionOffset = hasOffset ? padTokenId + 1 : 0;
  const hiddenSize = firstOf(config, HIDDEN_SIZE_KEYS, 1);
  return {
    ...poolingOf(optional(poolingFolder, 'config.json')),
    contextLength: contextLengthOf(config, positionOffset),
    unsupportedModules: modules.map(({ type }) => type).filter((type) => !SERVED_MODULES.has(type)),
    padTokenId,
    positionOffset,
    labels: labelsOf(config),
    problemType: text(config['problem_type']),
    hiddenSize: hiddenSize === undefined ? null : Number(config[hiddenSize]),
    vocabSize: integer(config['vocab_size']),
  };
}

/**
 * Checks a configured context length against that of the model.
 *
 * @param maxLength - Tokens; undefined: not configured.
 * @param contextLength - What the model says.
 * @returns What is wrong with it, to follow its name; null if nothing is.
 */
export function maxLengthFault(
  maxLength: number | undefined,
  { tokens, source }: ContextLength,
): string | null {
  if (maxLength === undefined || source === null || maxLength <= tokens) return null;
  return `must be at most ${tokens}, the context length of the model (${source} in config.json), not ${maxLength}`;
}
