import { EMBED_FLAGS, embedHelp, parseEmbedArgs } from '../../../../src/cli/embed/embed-flags.ts';
import { inputLines, textOfLine } from '../../../../src/cli/embed/input-lines.ts';
import { npyHead } from '../../../../src/cli/embed/vector-output.ts';

const NEEDED = ['--output', 'out.npy', '--model', 'm'];

describe('parseEmbedArgs()', () => {
  test('has the documented defaults', () => {
    expect(parseEmbedArgs(NEEDED)).toEqual({
      input: '-',
      output: 'out.npy',
      url: 'http://localhost:8000',
      model: 'm',
      format: 'jsonl',
      field: 'text',
      apiKeyFile: null,
      dimensions: null,
      batchSize: 32,
      concurrency: 32,
      timeoutS: 120,
      httpVersion: 1,
      errors: 'out.npy.errors.jsonl',
      overwrite: false,
    });
    expect(parseEmbedArgs([...NEEDED, '--input', 'a.txt'])).toMatchObject({ format: 'text' });
    expect(parseEmbedArgs(['--help'])).toBe('help');
  });

  test.each([
    [[], '--output: is required'],
    [['--output', 'x.csv', '--model', 'm'], '--output: "x.csv" is not allowed'],
    [['--output', 'x.npy'], '--model: is required'],
    [
      [...NEEDED, '--batch_size', '0'],
      '--batch_size: "0" is not allowed: a whole number from 1 to 1024',
    ],
    [[...NEEDED, '--batch_size', '1025'], '--batch_size: "1025"'],
    [[...NEEDED, '--concurrency', '1e2'], '--concurrency: "1e2"'],
    [[...NEEDED, '--format', 'csv'], '--format: "csv"'],
    [[...NEEDED, '--nonsense'], "embed: Unknown option '--nonsense'"],
    [[...NEEDED, 'stray'], "embed: Unexpected argument 'stray'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseEmbedArgs(args)).toThrow(message);
  });

  test('the help names every flag', () => {
    for (const { name, help } of EMBED_FLAGS) {
      expect(embedHelp()).toContain(`--${name}`);
      expect(embedHelp()).toContain(help);
    }
  });
});

describe('inputLines()', () => {
  async function read(...pieces: string[]): Promise<unknown[]> {
    async function* source(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      for (const piece of pieces) yield Buffer.from(piece);
    }
    const lines = [];
    for await (const { number, text, endBytes } of inputLines(source())) {
      lines.push([number, text, endBytes]);
    }
    return lines;
  }

  test.each<[string[], unknown[]]>([
    [[''], []],
    [['a'], [[0, 'a', 1]]],
    [
      ['a\nb\n'],
      [
        [0, 'a', 2],
        [1, 'b', 4],
      ],
    ],
    [
      ['a\r\n\r\nb'],
      [
        [0, 'a', 3],
        [2, 'b', 6],
      ],
    ],
    [
      ['a', 'b\n', '\nc'],
      [
        [0, 'ab', 3],
        [2, 'c', 5],
      ],
    ],
    [['\ufeffa\n'], [[0, 'a', 5]]],
  ])('cuts %j', async (pieces, lines) => {
    expect(await read(...pieces)).toEqual(lines);
  });
});

describe('textOfLine()', () => {
  test.each([
    ['"a"', 'a'],
    ['{"text":"a","x":1}', 'a'],
    ['{"text":""}', ''],
  ])('finds the text in %s', (line, text) => {
    expect(textOfLine(line, 'jsonl', 'text')).toBe(text);
  });

  test.each(['a', '1', 'null', '[]', '{"other":"a"}', '{"text":1}'])('refuses %s', (line) => {
    expect(() => textOfLine(line, 'jsonl', 'text')).toThrow('the line is');
  });

  test('takes a whole line as text', () => {
    expect(textOfLine('{"text":"a"}', 'text', 'text')).toBe('{"text":"a"}');
  });
});

test('npyHead() is 128 bytes long and ends a line', () => {
  const head = npyHead('(3, 2)');
  expect(head).toHaveLength(128);
  expect(head.endsWith('\n')).toBe(true);
  expect(head.charCodeAt(8)).toBe(118);
  expect(head).toContain("'shape': (3, 2), ");
});
