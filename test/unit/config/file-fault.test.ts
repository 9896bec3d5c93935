import { fileFault } from '../../../src/config/file-fault.ts';

describe('fileFault()', () => {
  test.each([
    [{ code: 'ENOENT' }, 'no such file or folder'],
    [{ code: 'EACCES' }, 'permission denied'],
    [{ code: 'EMFILE' }, 'EMFILE'],
    [{}, 'unknown error'],
  ])('puts %j in words', (error, reason) => {
    expect(fileFault(error)).toBe(reason);
  });
});
