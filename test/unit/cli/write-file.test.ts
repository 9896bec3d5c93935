import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { replaceFile, writeNew } from '../../../src/cli/write-file.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';
import { thrown } from '../../support/thrown.ts';

let folder: TempFolder;
let file: string;

beforeEach(() => {
  folder = tempFolder();
  file = join(folder.path, 'file');
});
afterEach(() => {
  folder.remove();
});

describe('writeNew()', () => {
  test('writes a file, and nothing else', () => {
    writeNew(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  test('leaves a file that is there', () => {
    folder.write('file', 'mine');
    expect(
      thrown(() => {
        writeNew(file, 'text');
      }),
    ).toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('leaves no half of a file that cannot be written', () => {
    // Refused once the file is open, as a full disk would.
    const text = { toString: () => 'x' } as unknown as string;
    expect(
      thrown(() => {
        writeNew(file, text);
      }),
    ).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('replaceFile()', () => {
  test('writes a file that is not there', () => {
    replaceFile(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  test('keeps the permissions of the file, and a link to it', () => {
    folder.write('file', 'old');
    chmodSync(file, 0o640);
    const link = join(folder.path, 'link');
    symlinkSync('file', link);
    replaceFile(link, 'text');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test('leaves nothing beside what it cannot replace', () => {
    mkdirSync(join(file, 'inner'), { recursive: true });
    expect(
      thrown(() => {
        replaceFile(file, 'text');
      }),
    ).toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder.path)).toEqual(['file']);
  });
});
