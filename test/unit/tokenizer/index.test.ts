import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KNOWN_DEVIATIONS } from '../../../src/tokenizer/deviations.ts';
import { openTokenizer, TOKENIZER_ENGINES } from '../../../src/tokenizer/index.ts';
import type { TokenizerOptions } from '../../../src/tokenizer/tokenizer.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/tiny-bert-embeddings');
const ENGINES = Object.keys(TOKENIZER_ENGINES) as TokenizerOptions['engine'][];

let folder: string;
let warnings: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tokenizer-'));
  warnings = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function open(file: string, engine: TokenizerOptions['engine']): ReturnType<typeof openTokenizer> {
  return openTokenizer(
    { file, engine },
    {
      xenovaWorkerUrl: new URL('../../../dist/tokenizer/xenova-worker.js', import.meta.url),
      warn: (message) => warnings.push(message),
    },
  );
}

describe.each(ENGINES)('openTokenizer() with the engine %s', (engine) => {
  test.each([
    ['nothing', null, 'no such file or folder'],
    ['broken JSON', '{"model":', 'it is not JSON: '],
    ['a list', '[]', 'it is JSON, but not an object'],
    ['a config.json', '{"vocab_size": 7}', 'it has no "model" with a "vocab"'],
    [
      'an unknown normalizer',
      '{"added_tokens": [], "normalizer": {"type": "Other"}, "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0}}}',
      `the ${engine} engine refuses it: `,
    ],
    [
      'an unknown model',
      '{"added_tokens": [], "model": {"type": "Other", "vocab": {}}}',
      `the ${engine} engine refuses it: `,
    ],
  ])('refuses a tokenizer.json that is %s', async (_, text, reason) => {
    const file = join(folder, 'tokenizer.json');
    if (text !== null) writeFileSync(file, text);
    writeFileSync(join(folder, 'tokenizer_config.json'), '{}');
    await expect(open(file, engine)).rejects.toMatchObject({
      name: 'StartError',
      fault: 'config',
      message: expect.stringContaining(`cannot use the tokenizer ${file}: `) as string,
    });
    await expect(open(file, engine)).rejects.toThrow(reason);
    expect(warnings).toEqual([]);
  });

  test('refuses a folder', async () => {
    await expect(open(folder, engine)).rejects.toThrow('it is a folder');
  });

  test('refuses what is not UTF-8', async () => {
    const file = join(folder, 'tokenizer.json');
    writeFileSync(file, Buffer.from('{"a": "\u00e9"}', 'latin1'));
    await expect(open(file, engine)).rejects.toThrow('the text is not UTF-8');
  });
});

describe('openTokenizer()', () => {
  test('warns of what the fallback gets wrong', async () => {
    const tokenizer = await open(join(FIXTURE, 'tokenizer.json'), 'xenova');
    await tokenizer.close();
    expect(warnings).toHaveLength(1);
    for (const kind of Object.keys(KNOWN_DEVIATIONS)) expect(warnings[0]).toContain(kind);
  });

  test('does not warn of the default', async () => {
    await open(join(FIXTURE, 'tokenizer.json'), 'tokenizers');
    expect(warnings).toEqual([]);
  });
});
