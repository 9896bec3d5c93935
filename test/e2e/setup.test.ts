import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, runToEnd, type Outcome } from '../support/server-process.ts';

/** Installs as npm does, as far as set-up can tell; notes how it was called. */
const NPM = `
import { appendFileSync, mkdirSync, symlinkSync, rmSync, copyFileSync } from 'node:fs';
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules');
symlinkSync(${JSON.stringify(join(ROOT, 'node_modules/typescript'))}, 'node_modules/typescript', 'junction');
copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
`;

/** A lockfile with a package of a version, and one of another platform. */
function lockfile(version: string): string {
  const packages = {
    '': { name: 'small' },
    'node_modules/one': { version, integrity: `sha512-${version}` },
  };
  return JSON.stringify({ packages });
}

const folder = mkdtempSync(join(tmpdir(), "set-up, 'quoted' and spaced "));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function read(name: string): string {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
}

/** Runs set-up; gives its end and which steps it took. */
async function setUp(...args: string[]): Promise<Outcome & { steps: string[] }> {
  rmSync(join(folder, 'npm-calls'), { force: true });
  const outcome = await runToEnd(args, {
    command: [join(folder, 'scripts/setup.mjs')],
    cwd: tmpdir(),
    env: { npm_execpath: join(folder, 'npm-cli.js'), NODE_ENV: 'production' },
  });
  const built = outcome.stderr.includes('Building') ? ['build'] : [];
  return { ...outcome, steps: [...read('npm-calls').split('\n').filter(Boolean), ...built] };
}

const INSTALL = 'ci --include=dev --no-audit --no-fund';

beforeAll(() => {
  cpSync(join(ROOT, 'scripts/setup.mjs'), join(folder, 'scripts/setup.mjs'));
  // This project has no client to bundle.
  write('scripts/build-client.mjs', '');
  write('npm-cli.js', NPM);
  write('package.json', JSON.stringify({ type: 'module', engines: { node: '>=20.19' } }));
  write('package-lock.json', lockfile('1.0.0'));
  write('tsconfig.json', '{}');
  write(
    'tsconfig.build.json',
    JSON.stringify({
      compilerOptions: {
        rootDir: 'src',
        outDir: 'dist',
        module: 'nodenext',
        types: [],
        lib: ['es2023'],
      },
      include: ['src'],
    }),
  );
  write(
    'src/main.ts',
    'declare const process: any;\nprocess.stdout.write(process.argv.slice(2).join());\n',
  );
});

describe('scripts/setup.mjs', () => {
  test('installs, builds and starts with the flags, wherever it is', async () => {
    await expect(setUp('start', '--rest_port', '9000')).resolves.toMatchObject({
      code: 0,
      stdout: '--rest_port,9000',
      steps: [INSTALL, 'build'],
    });
  });

  test('does nothing twice', async () => {
    await expect(setUp('start', 'again')).resolves.toMatchObject({
      code: 0,
      stdout: 'again',
      stderr: '',
      steps: [],
    });
  });

  test('builds when a source has changed, and removes what has no source', async () => {
    write('dist/inner/gone.js', '');
    write('dist/inner/gone.d.ts', '');
    write('src/other.ts', 'export {};\n');
    await expect(setUp('start')).resolves.toMatchObject({ code: 0, steps: ['build'] });
    expect(existsSync(join(folder, 'dist/other.js'))).toBe(true);
    expect(existsSync(join(folder, 'dist/inner/gone.js'))).toBe(false);
    expect(existsSync(join(folder, 'dist/inner/gone.d.ts'))).toBe(false);
  });

  test('installs when the lockfile has changed', async () => {
    write('package-lock.json', lockfile('2.0.0'));
    await expect(setUp('start')).resolves.toMatchObject({ code: 0, steps: [INSTALL, 'build'] });
    await expect(setUp('start')).resolves.toMatchObject({ code: 0, steps: [] });
  });

  test('installs when an installation was broken off', async () => {
    rmSync(join(folder, 'node_modules/.package-lock.json'));
    await expect(setUp('start')).resolves.toMatchObject({ code: 0, steps: [INSTALL] });
  });

  test('does not miss optional packages of other platforms', async () => {
    const { packages } = JSON.parse(lockfile('2.0.0')) as { packages: object };
    const other = { version: '1.0.0', optional: true };
    write('package-lock.json', JSON.stringify({ packages: { ...packages, other } }));
    write('node_modules/.package-lock.json', lockfile('2.0.0'));
    await expect(setUp('start')).resolves.toMatchObject({ code: 0, steps: ['build'] });
  });

  test('builds on demand, also if nothing has changed', async () => {
    await expect(setUp('build')).resolves.toMatchObject({ code: 0, steps: ['build'], stdout: '' });
  });

  test('ends with the code of the step that failed, and tries it again next time', async () => {
    write('src/other.ts', 'export const wrong: string = 1;\n');
    const failed = {
      code: 2,
      steps: ['build'],
      stdout: expect.stringContaining('src/other.ts(1,14): error TS2322') as string,
    };
    await expect(setUp('start')).resolves.toMatchObject(failed);
    await expect(setUp('start')).resolves.toMatchObject(failed);
  });

  test('says which version of Node.js is needed', async () => {
    write('package.json', JSON.stringify({ type: 'module', engines: { node: '>=99.1' } }));
    await expect(setUp('start')).resolves.toMatchObject({
      code: 1,
      stderr: `tensorgate needs Node.js 99.1 or newer, and this is ${process.versions.node}\n`,
    });
  });
});

test('scripts/setup.mjs says what it can do', async () => {
  const outcome = await runToEnd(['serve'], { command: ['scripts/setup.mjs'] });
  expect(outcome).toMatchObject({
    code: 64,
    stderr: 'Unknown command "serve": one of build, start, test, test:long\n',
  });
});
