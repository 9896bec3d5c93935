import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, readSource, shownPath } from '../../../src/config/source.ts';
import { StartError } from '../../../src/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
afterAll(folder.remove);

function unreadable(reason: string): StartError {
  return new StartError('config', `unreadable: ${reason}`);
}

function read(file: string): ReturnType<typeof readSource> {
  return readSource({ file, cwd: folder.path, unreadable });
}

describe('shownPath()', () => {
  test.each([
    ['/user/a/b.yaml', 'a/b.yaml'],
    ['a/../b.yaml', 'b.yaml'],
    ['..b.yaml', '..b.yaml'],
    ['/other/b.yaml', '/other/b.yaml'],
    ['..', '/'],
    ['.', '/user'],
  ])('%s is shown as %s', (file, shown) => {
    expect(shownPath(file, '/user')).toBe(shown);
  });
});

describe('isInside()', () => {
  test.each([
    ['/a/b/c', true],
    ['/a/b', true],
    ['/a/b/..c', true],
    ['/a', false],
    ['/a/bc', false],
    ['/a/c/b', false],
  ])('/a/b holds %s: %s', (path, inside) => {
    expect(isInside('/a/b', path)).toBe(inside);
  });
});

describe('readSource()', () => {
  test('reads values, and tells where they stand', () => {
    folder.write('sub/a.yaml', '\uFEFFserver:\n  "a b": [1, {c: 2}]\n');
    const source = read('sub/a.yaml');
    expect(source.values).toEqual({ server: { 'a b': [1, { c: 2 }] } });
    expect(source.baseOf(['server'])).toBe(join(folder.path, 'sub'));
    expect(source.fault(['server', 'a b', 1, 'c'], 'r').message).toBe(
      'sub/a.yaml:2: server."a b"[1].c: r',
    );
    expect(source.fault([], 'r').message).toBe('sub/a.yaml:1: r');
  });

  test('shows a file outside of the folder of the user by its whole path', () => {
    folder.write('b.yaml', 'a: 1');
    const source = readSource({ file: join(folder.path, 'b.yaml'), cwd: '', unreadable });
    expect(source.fault([], 'r').message).toBe(`${join(folder.path, 'b.yaml')}:1: r`);
  });

  test.each([
    ['absent.yaml', 'no such file or folder'],
    ['.', 'it is a folder'],
    ['c.yaml/d.yaml', 'a part of the path is not a folder'],
    ['loop.yaml', 'its symbolic links go in a circle'],
  ])('hands on why %s cannot be read', (file, reason) => {
    folder.write('c.yaml', 'a: 1');
    if (file === 'loop.yaml') symlinkSync('loop.yaml', join(folder.path, 'loop.yaml'));
    expect(() => read(file)).toThrow(unreadable(reason));
  });

  test.each([
    ['Latin 1', Buffer.from('a: 1\nb: caf\u00e9\n', 'latin1'), 2],
    ['UTF-16', Buffer.from('\uFEFFa: 1\n', 'utf16le'), 1],
  ])('refuses %s', (_, bytes, line) => {
    folder.write('bad.yaml', bytes);
    expect(() => read('bad.yaml')).toThrow(`bad.yaml:${line}: the text is not UTF-8`);
  });

  test('locates what YAML refuses', () => {
    folder.write('tab.yaml', 'a:\n\tb: 1\n');
    expect(() => read('tab.yaml')).toThrow(
      'tab.yaml:2: a tab indents this line, and YAML allows only spaces there',
    );
    folder.write('yes.yaml', 'a:\n  b: yes\n');
    expect(() => read('yes.yaml')).toThrow(
      'yes.yaml:2: a.b: must be true or "yes" in quotes, not a bare yes',
    );
  });
});
