import { parseYaml } from '../../../src/config/yaml.ts';

const TAB = 'a tab indents this line, and YAML allows only spaces there';

describe('parseYaml()', () => {
  test('gives plain values by the core schema of YAML 1.2', () => {
    const text =
      'a: 123\nb: 0x10\nc: true\nd: "yes"\ne: ~\nf:\ng: [1.5, x]\nh: {i: 0.5, j: -0, k: "007"}\n1: one\n';
    expect(parseYaml(text).values).toEqual({
      ...{
        a: 123,
        b: 16,
        c: true,
        d: 'yes',
        e: null,
        f: null,
        g: [1.5, 'x'],
        h: { i: 0.5, j: -0, k: '007' },
      },
      1: 'one',
    });
  });

  test('keeps to YAML 1.2 when a file asks for another', () => {
    expect(parseYaml('%YAML 1.1\n---\na: 1:30\n').values).toEqual({ a: '1:30' });
  });

  test('says on which line a key or item stands', () => {
    const { lineOf } = parseYaml('# c\na:\n  - b: 1\n\n    c: 2\n  -\n    - x\n"d e": 3\n');
    const rows: [(string | number)[], number][] = [
      [[], 1],
      [['a'], 2],
      [['a', 0], 3],
      [['a', 0, 'b'], 3],
      [['a', 0, 'c'], 5],
      [['a', 1, 0], 7],
      [['d e'], 8],
      [['a', 0, 'absent', 'deeper'], 3],
      [['absent'], 1],
    ];
    expect(rows.map(([path]) => lineOf(path))).toEqual(rows.map(([, line]) => line));
  });

  test('counts lines that end in CR LF', () => {
    expect(parseYaml('a: 1\r\nb: 2\r\n').lineOf(['b'])).toBe(2);
  });

  test('follows aliases to values of their own', () => {
    const { values, lineOf } = parseYaml('a: &x\n  b: 1\nc: *x\n');
    const { a, c } = values as Record<string, unknown>;
    expect(c).toEqual({ b: 1 });
    expect(c).not.toBe(a);
    expect(lineOf(['c'])).toBe(3);
  });

  test('takes keys that prototypes have as ordinary ones', () => {
    const { values } = parseYaml('__proto__: {x: 1}\nconstructor: 2\n');
    expect(Object.keys(values as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  test.each([
    ['a tab', 'a:\n\tb: 1', 2, TAB],
    ['a tab in the first line', '\ta: 1', 1, TAB],
    ['a tab after spaces', 'a:\n  - b: 1\n  \tc: 2', 3, TAB],
    ['a tab that the parser takes for another fault', 'x\n\ty: 1', 1, TAB],
    ['a tab between braces', 'a: {b: 1,\n\tc: 2}', 2, TAB],
    ['a key that occurs twice', 'ab: 1\nc: 2\nab: 3', 3, 'the key ab is already there, above'],
    [
      'several documents',
      'a: 1\n---\nb: 2',
      2,
      'a second document begins here, and only one is allowed',
    ],
    ['an empty text', '', 1, 'the file is empty'],
    ['comments alone', '# a\n', 1, 'the file is empty'],
    ['a tag', 'a: 1\nb: !include x', 2, 'not valid YAML: Unresolved tag: !include'],
    ['an open quote', 'a: "x', 1, 'not valid YAML: Missing closing "quote'],
    ['a key that is a list', 'a: 1\n? [b]\n: 2', 1, 'a key must be a string'],
    ['an alias of nothing', 'a: 1\nb: *x', 2, 'no anchor &x above'],
    ['an alias of what it is in', 'a: &a [*a]', 1, 'more than 64 levels deep'],
    ['a bare yes', 'a: 1\nb: yes', 2, 'must be true or "yes" in quotes, not a bare yes'],
    ['a bare Off', 'a: 1\nb: [Off]', 2, 'must be false or "Off" in quotes, not a bare Off'],
    ['leading zeros', 'a: 1\nb: 010', 2, 'must be 10 or "010" in quotes, not a bare 010'],
    ['more of them', 'a: [-007.5]', 1, 'must be -7.5 or "-007.5" in quotes, not a bare -007.5'],
    ['lists in lists', `a: 1\nb: ${'['.repeat(20_000)}`, 2, 'more than 64 levels deep'],
    ['items in items', `a:\n  ${'- '.repeat(20_000)}`, 2, 'more than 64 levels deep'],
  ])('refuses %s', (_, text, ...[line, reason]) => {
    const { values, fault, lineOf } = parseYaml(text);
    expect(fault).toMatchObject({ line, reason });
    expect(values).toBeUndefined();
    expect(lineOf(['anything'])).toBe(line);
  });

  test('names the path of a value that it refuses', () => {
    expect(parseYaml('a:\n  - b: no').fault?.path).toEqual(['a', 0, 'b']);
  });

  test('leaves tabs alone where they do not indent', () => {
    expect(parseYaml('a:\t1 # x\n\t\nb: |\n  \ty\n').values).toEqual({ a: 1, b: '\ty\n' });
  });

  test('refuses aliases that multiply, at once', () => {
    const bomb = Array.from({ length: 12 }, (_, level) => {
      const items =
        level === 0
          ? 'x'
          : Array(9)
              .fill(`*a${level - 1}`)
              .join(', ');
      return `a${level}: &a${level} [${items}]`;
    });
    expect(parseYaml(bomb.join('\n')).fault?.reason).toBe('more than 10000 values');
  });

  test('takes as many values as are allowed, and not one more', () => {
    const items = Array(9_999).fill(1).join(',');
    expect(parseYaml(`[${items}]`).fault).toBeNull();
    expect(parseYaml(`[${items},1]`).fault?.reason).toBe('more than 10000 values');
  });
});
