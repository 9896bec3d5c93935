import { parseArgs } from 'node:util';
import { StartError } from '../../errors.ts';

/** A flag of `tensorgate embed`. */
export interface EmbedFlag {
  readonly name: string;
  readonly value: string | null;
  readonly fallback: string | null;
  readonly help: string;
}

/** The flags of `tensorgate embed`: the parser and the help text read them here. */
export const EMBED_FLAGS = [
  flag('input', 'FILE', '-', 'texts: a JSON value or a line of text each; - is stdin'),
  flag('output', 'FILE', null, 'vectors: .npy (float32 matrix) or .jsonl'),
  flag('url', 'URL', 'http://localhost:8000', 'server with an OpenAI-compatible /v1/embeddings'),
  flag('model', 'NAME', null, 'what the server calls the model'),
  flag('format', 'jsonl|text', null, 'of the input; by default text for .txt, else jsonl'),
  flag('field', 'NAME', 'text', 'field with the text where a line is an object'),
  flag('api_key_file', 'FILE', null, 'file with the key; else BASETEN_API_KEY or OPENAI_API_KEY'),
  flag('dimensions', 'N', null, 'length of the vectors, where the server can shorten them'),
  flag('batch_size', 'N', '32', 'texts of a request'),
  flag('concurrency', 'N', '32', 'requests at once'),
  flag('timeout_s', 'S', '120', 'time for one attempt'),
  flag('http_version', '1|2', '1', 'of the connections'),
  flag('errors', 'FILE', null, 'lines that failed; by default OUTPUT.errors.jsonl'),
  flag('overwrite', null, null, 'begin anew although there is output'),
  flag('help', null, null, 'show this'),
] as const;

/** What `tensorgate embed` was asked for. */
export interface EmbedOptions {
  readonly input: string;
  readonly output: string;
  readonly url: string;
  readonly model: string;
  readonly format: 'jsonl' | 'text';
  readonly field: string;
  readonly apiKeyFile: string | null;
  readonly dimensions: number | null;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly timeoutS: number;
  readonly httpVersion: number;
  readonly errors: string;
  readonly overwrite: boolean;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Reads the arguments of `tensorgate embed`.
 *
 * @param args - Without the word `embed`.
 * @returns The options, or `help`.
 * @throws {@link StartError} `usage` for the first fault.
 */
export function parseEmbedArgs(args: readonly string[]): EmbedOptions | 'help' {
  const values = valuesOf(args);
  if (values['help'] === true) return 'help';
  const input = textOf(values, 'input') ?? '-';
  const output = required(values, 'output', 'the file for the vectors, .npy or .jsonl');
  if (!/\.(?:npy|jsonl)$/.test(output))
    throw wrong('output', output, 'a name ending in .npy or .jsonl');
  return {
    input,
    output,
    url: textOf(values, 'url') ?? '',
    model: required(values, 'model', 'what the server calls the model'),
    format: formatOf(textOf(values, 'format'), input),
    field: textOf(values, 'field') ?? '',
    apiKeyFile: textOf(values, 'api_key_file'),
    dimensions:
      textOf(values, 'dimensions') === null ? null : countOf(values, 'dimensions', 1_000_000),
    batchSize: countOf(values, 'batch_size', 1024),
    concurrency: countOf(values, 'concurrency', 512),
    timeoutS: countOf(values, 'timeout_s', 3600),
    httpVersion: countOf(values, 'http_version', 2),
    errors: textOf(values, 'errors') ?? `${output}.errors.jsonl`,
    overwrite: values['overwrite'] === true,
  };
}

/**
 * @returns The help text of `tensorgate embed`, a line for each flag.
 */
export function embedHelp(): string {
  const rows = EMBED_FLAGS.map(({ name, value, fallback, help }) => {
    const left = `  --${name}${value === null ? '' : ` ${value}`}`;
    const right = fallback === null ? help : `${help} (default: ${fallback})`;
    return `${left.padEnd(28)}${right}`;
  });
  return [
    'Usage: tensorgate embed --input FILE --output FILE --model NAME [options]',
    '',
    'Embeds each line of a file, with any server that speaks the OpenAI API. An interrupted run',
    'goes on where it was when the same command is given again.',
    '',
    ...rows,
    '',
  ].join('\n');
}

function flag(
  name: string,
  value: string | null,
  ...[fallback, help]: [string | null, string]
): EmbedFlag {
  return { name, value, fallback, help };
}

function valuesOf(args: readonly string[]): Values {
  const options = Object.fromEntries(
    EMBED_FLAGS.map(({ name, value, fallback }) => [
      name,
      value === null
        ? { type: 'boolean' as const }
        : { type: 'string' as const, ...(fallback === null ? {} : { default: fallback }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node's own text names the argument; it says more in further sentences.
    const [first = ''] = (error as Error).message.split('. ');
    throw new StartError('usage', `embed: ${first}`, error);
  }
}

function textOf(values: Values, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

function required(values: Values, name: string, what: string): string {
  const value = textOf(values, name);
  if (value !== null && value !== '') return value;
  throw new StartError('usage', `--${name}: is required: ${what}`);
}

function formatOf(given: string | null, input: string): 'jsonl' | 'text' {
  if (given === null) return input.endsWith('.txt') ? 'text' : 'jsonl';
  if (given === 'jsonl' || given === 'text') return given;
  throw wrong('format', given, 'jsonl or text');
}

function countOf(values: Values, name: string, max: number): number {
  const text = textOf(values, name) ?? '';
  const count = Number(text);
  if (/^\d{1,7}$/.test(text) && count >= 1 && count <= max) return count;
  throw wrong(name, text, `a whole number from 1 to ${max}`);
}

function wrong(name: string, value: string, allowed: string): StartError {
  return new StartError('usage', `--${name}: "${value}" is not allowed: ${allowed}`);
}
