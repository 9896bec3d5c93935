import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_HELD_BYTES, openLog, type LogLevel, type OpenLog } from '../../../src/ops/logger.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
let files = 0;

afterAll(() => {
  folder.remove();
});

/** Lines that a log has written in a file, once it's closed. */
async function written(
  use: (log: OpenLog['log']) => void,
  { level = 'INFO', isTerminal = false }: { level?: LogLevel; isTerminal?: boolean } = {},
): Promise<readonly string[]> {
  files += 1;
  const file = join(folder.path, `${files}.log`);
  const opened = openLog({ level, fd: openSync(file, 'a'), isTerminal });
  use(opened.log);
  await opened.close();
  const text = readFileSync(file, 'utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1);
}

describe('openLog()', () => {
  test('writes JSON lines with level, time, fields and message', async () => {
    const [line = ''] = await written((log) => {
      log('WARNING', 'Hm', { model: 'm', ms: 1.5 });
    });
    expect(JSON.parse(line)).toEqual({
      level: 'WARNING',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      model: 'm',
      ms: 1.5,
      message: 'Hm',
    });
  });

  test.each<[LogLevel, number]>([
    ['TRACE', 5],
    ['DEBUG', 4],
    ['INFO', 3],
    ['WARNING', 2],
    ['ERROR', 1],
  ])('at %s writes %i of the five levels', async (level, count) => {
    const levels = ['TRACE', 'DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
    const lines = await written(
      (log) => {
        for (const each of levels) log(each, 'm');
      },
      { level },
    );
    const found = lines.map((line) => (JSON.parse(line) as { level: string }).level);
    expect(found).toEqual(levels.slice(-count));
  });

  test('writes where an error is from, also one that comes from another realm', async () => {
    const foreign = structuredClone(new TypeError('no'));
    const lines = await written((log) => {
      for (const error of [new RangeError('far'), foreign]) log('ERROR', 'm', { error });
    });
    const errors = lines.map((line) => (JSON.parse(line) as { error: string }).error);
    expect(errors).toEqual([
      expect.stringMatching(/^RangeError: far\n {4}at /),
      expect.stringMatching(/^TypeError: no\n {4}at /),
    ]);
  });

  test('writes for people on a terminal', async () => {
    const lines = await written(
      (log) => {
        log('INFO', 'Listening', { port: 1 });
      },
      { isTerminal: true },
    );
    expect(lines).toEqual([expect.stringMatching(/INFO.* Listening port=1$/)]);
  });

  test('writes nothing more once it is closed', async () => {
    const logs: OpenLog['log'][] = [];
    const lines = await written((log) => {
      logs.push(log);
    });
    logs[0]?.('ERROR', 'm');
    expect(logs).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});

describe('a log that nobody reads', () => {
  const pipe = join(folder.path, 'pipe');
  const [line, many] = ['x'.repeat(1_000), 2 * Math.ceil(MAX_HELD_BYTES / 1_000)];
  let reader: number;
  let writer: number;

  beforeEach(() => {
    execFileSync('mkfifo', [pipe]);
    const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
    reader = openSync(pipe, O_RDONLY | O_NONBLOCK);
    writer = openSync(pipe, O_WRONLY | O_NONBLOCK);
  });
  afterEach(() => {
    execFileSync('rm', [pipe]);
    closeSync(reader);
  });

  /** What is in the pipe now. */
  function take(): string {
    const bytes = Buffer.alloc(1_048_576);
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
      throw error;
    }
  }

  test('drops lines beyond its bound, and tells so when it is read again', async () => {
    const { log, close } = openLog({ level: 'INFO', fd: writer, isTerminal: false });
    for (let at = 0; at < many; at += 1) log('INFO', line, { at });
    let text = '';
    while (!text.includes('too slow')) {
      text += take();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await close();
    const lines = text.split('\n').filter((each) => each.endsWith('}'));
    const last = JSON.parse(lines.at(-1) ?? '') as { level: string; lines: number };
    expect(last.level).toBe('WARNING');
    expect(lines.length - 1 + last.lines).toBe(many);
  });

  test('ends all the same', async () => {
    const { log, close } = openLog({ level: 'INFO', fd: writer, isTerminal: false });
    for (let at = 0; at < 200; at += 1) log('INFO', line);
    await close();
    expect(take().length).toBeGreaterThan(0);
  });
});
