import { stripVTControlCharacters } from 'node:util';
import { terminalLine } from '../../../src/ops/terminal-line.ts';

const TIME = '2026-01-31T12:00:00.125Z';

/** A line without its colours. */
function shown(fields: Readonly<Record<string, unknown>>): string {
  const line = terminalLine(JSON.stringify({ level: 'INFO', time: TIME, message: 'm', ...fields }));
  return stripVTControlCharacters(line);
}

describe('terminalLine()', () => {
  test('shows clock, level, message and fields', () => {
    expect(shown({ message: 'Listening', url: 'http://localhost:8000', models: 1 })).toBe(
      '12:00:00.125 INFO Listening url=http://localhost:8000 models=1\n',
    );
  });

  test.each([
    ['a b', '"a b"'],
    ['a"b', String.raw`"a\"b"`],
    ['a=b', '"a=b"'],
    ['', '""'],
    ['a\nb', String.raw`"a\nb"`],
    ['\u001b[2J', String.raw`"\u001b[2J"`],
    [null, 'null'],
    [{ a: 1 }, String.raw`"{\"a\":1}"`],
  ])('shows a field of %j so that it cannot be misread', (value, text) => {
    expect(shown({ value })).toBe(`12:00:00.125 INFO m value=${text}\n`);
  });

  test('keeps a message in its line', () => {
    expect(shown({ message: 'one\r\n  two\u0007' })).toBe('12:00:00.125 INFO one | two?\n');
  });

  test.each(['WARNING', 'ERROR'])('marks %s by a colour', (level) => {
    const line = terminalLine(JSON.stringify({ level, time: TIME, message: 'm' }));
    expect(line).toMatch(new RegExp(String.raw`\u001b\[3\dm${level}\u001b\[0m m\n`));
  });
});
