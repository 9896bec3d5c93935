import { changeList } from '../../../src/config/yaml.ts';

const CONFIG = [
  '# top',
  'server:',
  "  rest_port:   8000   # as 'ever'",
  '',
  'models:',
  '  # about the first',
  '  - name: a   # its name',
  '    graph: graphs/a.yaml',
  '    # at its end',
  '',
  '  # about the second',
  '  - name: "b"',
  "    graph: 'graphs/b.yaml'",
  '# bottom',
  '',
].join('\n');

const ADDED = { name: 'org/c', graph: 'graphs/c.yaml' };

describe('changeList()', () => {
  test('adds an item behind the last, and leaves every other line as it is', () => {
    const added = '  - name: org/c\n    graph: graphs/c.yaml\n# bottom\n';
    expect(changeList(CONFIG, ['models'], { add: ADDED })).toBe(
      CONFIG.replace('# bottom\n', added),
    );
  });

  test('removes the lines of an item, and leaves every other line as it is', () => {
    expect(changeList(CONFIG, ['models'], { remove: 1 })).toBe(
      CONFIG.replace('  - name: "b"\n    graph: \'graphs/b.yaml\'\n', ''),
    );
    expect(changeList(CONFIG, ['models'], { remove: 0 })).toBe(
      CONFIG.replace('  - name: a   # its name\n    graph: graphs/a.yaml\n', ''),
    );
  });

  test('undoes what it has done', () => {
    const added = changeList(CONFIG, ['models'], { add: ADDED }) ?? '';
    expect(changeList(added, ['models'], { remove: 2 })).toBe(CONFIG);
  });

  test.each([
    ['no line break at the end', 'm:\n- a: 1', 'm:\n- a: 1\n- b: x\n'],
    ['CR LF', 'm:\r\n- a: 1\r\n', 'm:\r\n- a: 1\r\n- b: x\r\n'],
    ['wide dashes', 'm:\n  -   a: 1\n', 'm:\n  -   a: 1\n  -   b: x\n'],
    ['items in braces', 'm:\n  - { a: 1 } # c\nn: 1\n', 'm:\n  - { a: 1 } # c\n  - b: x\nn: 1\n'],
    ['a list in brackets', 'm: [{ a: 1 }] # c\n', 'm: [ { a: 1 }, { b: x } ] # c\n'],
    ['a dash on a line of its own', '# c\nm:\n  -\n    a: 1\n', '# c\nm:\n  - a: 1\n  - b: x\n'],
    ['an empty list', '# c\nm: []\n', '# c\nm:\n  - b: x\n'],
  ])('adds to a text with %s', (_, text, changed) => {
    expect(changeList(text, ['m'], { add: { b: 'x' } })).toBe(changed);
  });

  test.each(['yes', '123', 'null', '#', 'a: b', '- a', ' a ', "it's", '@a', 'ünï', '1:30', '~'])(
    'writes %j so that it is read as that string',
    (name) => {
      expect(changeList('m:\n  - name: a\n', ['m'], { add: { name } })).toMatch(
        /^m:\n {2}- name: a\n {2}- name: .+\n$/,
      );
    },
  );

  test('has no way to add to a list that an alias stands for', () => {
    const text = 'a: &list\n  - b: 1\nm: *list\n';
    expect(changeList(text, ['m'], { add: { b: 'x' } })).toBeNull();
  });

  test('has no way to remove what an alias stands for', () => {
    expect(changeList('m:\n  - &x { a: 1 }\n  - *x\n', ['m'], { remove: 0 })).toBeNull();
  });
});
