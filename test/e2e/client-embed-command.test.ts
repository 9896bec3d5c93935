import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embedHelp } from '../../src/cli/embed/embed-flags.ts';
import { runEmbed } from '../../src/cli/embed/run-embed.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  vectorOf,
  type Responder,
} from '../support/recording-stub.ts';

let folder: string;
let stub: RecordingStub;
let respond: Responder;
let errors: string;
let controller: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embed-'));
  respond = answerAnything;
  stub = await RecordingStub.open((...args) => respond(...args));
  errors = '';
  controller = new AbortController();
});

afterEach(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

/** Runs the command on a file of these lines. */
async function embed(lines: readonly string[], output: string, ...more: string[]): Promise<number> {
  const input = join(folder, 'texts.jsonl');
  await writeFile(input, lines.map((line) => `${line}\n`).join(''));
  return await run('--input', input, '--output', join(folder, output), ...more);
}

function run(...args: string[]): Promise<number> {
  return runEmbed(['--url', stub.url, '--model', 'm', ...args], {
    write: () => undefined,
    writeError: (text) => {
      errors += text;
    },
    stdin: async function* () {
      await Promise.resolve();
      yield Buffer.from('"from stdin"\n');
    },
    terminalColumns: () => 80,
    signal: controller.signal,
  });
}

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `text ${i} ${'x'.repeat(i % 7)}`);
}

interface Matrix {
  readonly shape: readonly number[];
  readonly rows: readonly (readonly number[])[];
}

async function readNpy(name: string): Promise<Matrix> {
  const bytes = await readFile(join(folder, name));
  expect(bytes.toString('latin1', 0, 6)).toBe('\x93NUMPY');
  const match = /'descr': '<f4', 'fortran_order': False, 'shape': \((\d+), (\d+)\)/.exec(
    bytes.toString('latin1', 0, 128),
  );
  const shape = [Number(match?.[1]), Number(match?.[2])];
  const [count = 0, size = 0] = shape;
  expect(bytes).toHaveLength(128 + count * size * 4);
  const rows = Array.from({ length: count }, (_, row) =>
    Array.from({ length: size }, (__, at) => bytes.readFloatLE(128 + (row * size + at) * 4)),
  );
  return { shape, rows };
}

async function readLines(name: string): Promise<unknown[]> {
  const text = await readFile(join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

describe('tensorgate embed', () => {
  test('writes a matrix with a row for each line', async () => {
    const input = texts(1000);
    expect(
      await embed(
        input.map((text) => JSON.stringify({ text })),
        'out.npy',
        '--concurrency',
        '4',
      ),
    ).toBe(0);
    expect(await readNpy('out.npy')).toEqual({ shape: [1000, 2], rows: input.map(vectorOf) });
    expect(errors).toMatch(/1000 texts, \d+\.\d s\n$/);
    expect(await readLines('out.npy.errors.jsonl')).toEqual([]);
    await expect(readFile(join(folder, 'out.npy.progress'))).rejects.toThrow('ENOENT');
  });

  test('writes JSON lines', async () => {
    await embed(['"a"', '', '"bcd"'], 'out.jsonl');
    expect(await readLines('out.jsonl')).toEqual([
      { line: 0, embedding: vectorOf('a') },
      { line: 2, embedding: vectorOf('bcd') },
    ]);
  });

  test('reads stdin', async () => {
    expect(await run('--output', join(folder, 'out.npy'))).toBe(0);
    expect((await readNpy('out.npy')).rows).toEqual([vectorOf('from stdin')]);
  });

  test('lines that fail are told in a side file, and cost their neighbours nothing', async () => {
    respond = (request, response) => {
      if (request.body.includes('bad'))
        sendJson(response, { error: { message: 'no', code: 'c' } }, 400);
      else answerAnything(request, response);
    };
    expect(await embed(['"a"', '"bad"', 'broken', '"b"'], 'out.npy')).toBe(1);
    const { shape, rows } = await readNpy('out.npy');
    expect(shape).toEqual([4, 2]);
    expect(rows[0]).toEqual(vectorOf('a'));
    expect(rows[1]).toEqual([NaN, NaN]);
    expect(rows[2]).toEqual([NaN, NaN]);
    expect(rows[3]).toEqual(vectorOf('b'));
    expect(await readLines('out.npy.errors.jsonl')).toEqual([
      { line: 1, message: 'no', status: 400, code: 'c' },
      { line: 2, message: 'the line is not JSON' },
    ]);
  });

  test.each(['out.npy', 'out.jsonl'])('goes on after an interruption: %s', async (name) => {
    const input = texts(200);
    const lines = input.map((text) => JSON.stringify(text));
    const small = ['--batch_size', '4', '--concurrency', '2'];
    respond = (request, response, number) => {
      if (number === 20) controller.abort();
      else answerAnything(request, response);
    };
    expect(await embed(lines, name, ...small)).toBe(130);
    expect(errors).toContain('The same command goes on at line');
    const before = stub.requests.length;
    controller = new AbortController();
    respond = answerAnything;
    expect(await embed(lines, name, ...small)).toBe(0);
    expect(stub.requests.length - before).toBeLessThan(50);
    if (name === 'out.npy') expect((await readNpy(name)).rows).toEqual(input.map(vectorOf));
    else {
      expect(await readLines(name)).toEqual(
        input.map((text, line) => ({ line, embedding: vectorOf(text) })),
      );
    }
  });

  test('stops, and can go on, when the server refuses the key', async () => {
    respond = (_request, response) => {
      sendJson(response, { error: { message: 'no key' } }, 401);
    };
    expect(await embed(['"a"'], 'out.npy')).toBe(69);
    expect(errors).toContain('Stopped: API request failed with status 401');
  });

  test('does not replace what is there', async () => {
    await writeFile(join(folder, 'out.npy'), 'mine');
    expect(await embed(['"a"'], 'out.npy')).toBe(64);
    expect(errors).toContain('exists; --overwrite replaces it');
    expect(await embed(['"a"'], 'out.npy', '--overwrite')).toBe(0);
  });

  test('an input that is not there is a usage error', async () => {
    expect(await run('--input', join(folder, 'none'), '--output', join(folder, 'o.npy'))).toBe(64);
  });

  test('is a command of the program', () => {
    const program = join(import.meta.dirname, '../../dist/main.js');
    const { status, stdout } = spawnSync(process.execPath, [program, 'embed', '--help'], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: embedHelp() });
  });
});
