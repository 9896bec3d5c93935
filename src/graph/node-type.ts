import type { StartError } from '../errors.ts';
import type { Engine, EngineOptions } from '../inference/engine.ts';
import type { Tokenizer, TokenizerOptions } from '../tokenizer/tokenizer.ts';

/** What a node is opened with; server.ts gives real openers, tests give others. */
export interface NodeContext<Options> {
  /** The name that clients will send. */
  readonly name: string;
  /** Passed the option schema, defaults filled in, keys in camelCase, paths absolute. */
  readonly options: Options;
  /** An error that says where the option was set: `fault(['max_length'], 'must be …')`. */
  readonly fault: (option: readonly string[], reason: string) => StartError;
  /** Tells the operator of something that is served but not as it should be. */
  readonly warn: (message: string) => void;
  /** For drills: the worker that gets the row of exactly this text dies; null: none does. */
  readonly faultText: string | null;
  readonly openTokenizer: (options: TokenizerOptions) => Promise<Tokenizer>;
  readonly openEngine: (options: EngineOptions) => Promise<Engine>;
}

/** A kind of node, as `type:` of a node in graphs/*.yaml. */
export interface NodeType<Options, Opened> {
  readonly type: string;
  /** JSON Schema of `options:`. A property of format `path` resolves against the file that holds it. */
  readonly optionsSchema: object;
  readonly open: (context: NodeContext<Options>) => Promise<Opened>;
}
