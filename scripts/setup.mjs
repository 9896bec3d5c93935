// What `npm start` and `npm test` run: installs and builds what is missing, then does what is asked.
//
//   node scripts/setup.mjs start [flags]            serve
//   node scripts/setup.mjs test [jest arguments]    the test suite
//   node scripts/setup.mjs test:long [arguments]    soak and drill tests
//   node scripts/setup.mjs build                    build, also if nothing has changed
//
// It runs before anything is installed, so it is plain JavaScript without dependencies, and npm's
// pre- and post-scripts cannot do its work: `.npmrc` switches them off together with install scripts.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const STAMP = join(ROOT, 'dist', '.build-stamp');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
];

function readJson(...path) {
  return JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Ends the process when node is older than package.json asks. */
function checkNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '');
  const [major, minor] = wanted.split('.').map(Number);
  const [nodeMajor, nodeMinor] = process.versions.node.split('.').map(Number);
  if (nodeMajor > major || (nodeMajor === major && nodeMinor >= minor)) return;
  say(`tensorgate needs Node.js ${wanted} or newer, and this is ${process.versions.node}`);
  process.exit(1);
}

/** Runs a command to its end; signals go on to it, and its failure is ours. */
async function runStep(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  const forward = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forward);
  const code = await new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('exit', (status, signal) => ended(status ?? 128 + constants.signals[signal]));
  });
  for (const signal of SIGNALS) process.off(signal, forward);
  if (code !== 0) process.exit(code);
}

/** Shows that a long step goes on: npm has a spinner of its own, but only on a terminal. */
async function withDots(step) {
  const timer = process.stderr.isTTY ? null : setInterval(() => process.stderr.write('.'), 2000);
  await step();
  if (timer === null) return;
  clearInterval(timer);
  process.stderr.write('\n');
}

/**
 * Whether node_modules holds what the lockfile says: npm notes there what it has installed, and removes
 * the note while it works. Optional packages are those of other platforms.
 */
function isInstalled() {
  if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) return false;
  const wanted = readJson('package-lock.json').packages;
  const found = readJson('node_modules', '.package-lock.json').packages;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const entry = found[path];
    if (path === '' || (entry === undefined && optional)) return true;
    return entry?.version === version && entry?.integrity === integrity;
  });
}

async function install() {
  if (isInstalled()) return;
  say('Installing dependencies (once; this takes a minute) ...');
  // Development dependencies hold the compiler, so they are needed whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  if (npm !== undefined && /npm-cli\.c?js$/.test(npm)) {
    await withDots(() => runStep(process.execPath, [npm, ...args]));
  } else {
    // On Windows npm is a script, which only a shell can start.
    await withDots(() => runStep('npm', args, { shell: process.platform === 'win32' }));
  }
}

/** A digest of all that the build is made from. */
function sourceDigest() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const settings = [
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
    'scripts/build-client.mjs',
  ];
  const hash = createHash('sha256');
  for (const file of [...settings.map((name) => join(ROOT, name)), ...files.sort()]) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceDigest();
}

async function build() {
  say('Building ...');
  rmSync(STAMP, { force: true });
  const digest = sourceDigest();
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await runStep(process.execPath, [compiler, '-p', 'tsconfig.build.json']);
  removeOrphans();
  await runStep(process.execPath, [join(ROOT, 'scripts', 'build-client.mjs')]);
  writeFileSync(STAMP, digest);
}

/** Removes what was built from a source that is no longer there. */
function removeOrphans() {
  for (const entry of readdirSync(join(ROOT, 'dist'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const source = file.replace(/(\.js\.map|\.d\.ts|\.js)$/, '.ts');
    if (!existsSync(source.replace(join(ROOT, 'dist'), join(ROOT, 'src')))) rmSync(file);
  }
}

/** Becomes the server, so that a signal to this process is one to the server. */
async function start(flags) {
  const program = join(ROOT, 'dist', 'main.js');
  process.argv = [process.execPath, program, ...flags];
  await import(pathToFileURL(program).href);
}

const COMMANDS = {
  start,
  test: (args) => runStep(process.execPath, [...JEST, ...args]),
  'test:long': (args) =>
    runStep(process.execPath, [...JEST, '--config', 'jest.long.config.mjs', ...args]),
};

checkNode();
const [name = '', ...args] = process.argv.slice(2);
if (name === 'build') {
  await build();
} else if (Object.hasOwn(COMMANDS, name)) {
  await install();
  if (!isBuilt()) await build();
  await COMMANDS[name](args);
} else {
  say(`Unknown command ${JSON.stringify(name)}: one of build, ${Object.keys(COMMANDS).join(', ')}`);
  process.exit(64);
}
