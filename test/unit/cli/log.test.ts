import { lineLogger, type Log, type LogLevel } from '../../../src/cli/log.ts';

function logged(level: LogLevel): { lines: string[]; log: Log } {
  const lines: string[] = [];
  const log = lineLogger({
    level,
    now: () => new Date('2026-01-31T12:00:00Z'),
    write: (line) => void lines.push(line),
  });
  return { lines, log };
}

describe('lineLogger()', () => {
  test('writes time, level, message and fields in a line', () => {
    const { lines, log } = logged('INFO');
    log('INFO', 'Listening', { url: 'http://127.0.0.1:8000', models: 1 });
    expect(lines).toEqual([
      '2026-01-31T12:00:00.000Z INFO Listening url=http://127.0.0.1:8000 models=1\n',
    ]);
  });

  test.each([
    ['a b', '"a b"'],
    ['a"b', '"a\\"b"'],
    ['a=b', '"a=b"'],
    ['', '""'],
    ['a\nb', '"a\\nb"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ a: 1 }, '"{\\"a\\":1}"'],
  ])('writes a field of %j so that it cannot be misread', (value, text) => {
    const { lines, log } = logged('INFO');
    log('ERROR', 'm', { value });
    expect(lines).toEqual([`2026-01-31T12:00:00.000Z ERROR m value=${text}\n`]);
  });

  test('writes where an error is from', () => {
    const { lines, log } = logged('INFO');
    log('ERROR', 'm', { error: new TypeError('no') });
    expect(lines[0]).toMatch(/ m error="TypeError: no\\n {4}at .*"\n$/);
  });

  test('keeps a message in its line', () => {
    const { lines, log } = logged('INFO');
    log('INFO', 'one\r\n  two');
    expect(lines).toEqual(['2026-01-31T12:00:00.000Z INFO one | two\n']);
  });

  test('drops what is below its level', () => {
    const { lines, log } = logged('WARNING');
    for (const level of ['TRACE', 'DEBUG', 'INFO', 'WARNING', 'ERROR'] as const) log(level, level);
    expect(lines.map((line) => line.trim().split(' ').at(-1))).toEqual(['WARNING', 'ERROR']);
  });
});
