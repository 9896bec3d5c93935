import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** How a program ended: one of both is null. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Where and how a program is started. */
export interface ProcessOptions {
  /** Root of the repository unless given. */
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What node runs, from the root: `dist/main.js` unless given. */
  readonly command?: readonly string[];
  /** For a server: until its ready line. For {@link runToEnd}: until it has ended. 60 s unless given. */
  readonly timeoutMs?: number;
}

/** A program at work, with what it has written so far. */
export interface RunningProcess {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<Exit>;
  /** Resolves once stdout or stderr holds the text; rejects when the program ends without it. */
  readonly written: (text: string | RegExp) => Promise<string>;
}

/** A server that has said that it is ready. */
export interface ServerProcess extends RunningProcess {
  /** `http://127.0.0.1:PORT`, where it listens unless its flags or files say otherwise. */
  readonly url: string;
  readonly port: number;
  /** SIGTERM, then the exit. */
  readonly stop: () => Promise<Exit>;
}

/** What a program that ended by itself has left. */
export interface Outcome extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

const READY = /^Ready on https?:\/\/\S+:(\d+)$/m;
const alive = new Set<ChildProcess>();

// Nothing outlives the test file that started it, however that file ends.
afterAll(async () => {
  const children = [...alive];
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(exitOf));
});

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolveExit) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolveExit({ code: child.exitCode, signal: child.signalCode });
    }
    child.once('close', (code, signal) => {
      resolveExit({ code, signal });
    });
  });
}

/** Rejects after a time; `cancel` it when it has lost the race. */
function deadline(ms: number, what: () => string): { over: Promise<never>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(what()));
    }, ms);
  });
  return {
    over,
    cancel: () => {
      clearTimeout(timer);
    },
  };
}

/** Starts node, on `dist/main.js` unless told otherwise, and collects what it writes. */
export function startProcess(
  flags: readonly string[],
  { cwd = ROOT, env = {}, command = ['dist/main.js'] }: ProcessOptions = {},
): RunningProcess {
  const [program = '', ...args] = command;
  const child = spawn(process.execPath, [resolve(ROOT, program), ...args, ...flags], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  alive.add(child);
  const text = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      for (const listener of listeners) listener();
    });
  }
  const exited = exitOf(child);
  void exited.then(() => alive.delete(child));

  function find(wanted: string | RegExp): string | undefined {
    const texts = [text.stdout, text.stderr];
    return texts.find((t) => (typeof wanted === 'string' ? t.includes(wanted) : wanted.test(t)));
  }
  function written(wanted: string | RegExp): Promise<string> {
    return new Promise((found, reject) => {
      function look(): void {
        const where = find(wanted);
        if (where === undefined) return;
        listeners.delete(look);
        found(where);
      }
      listeners.add(look);
      look();
      void exited.then(({ code, signal }) => {
        const end = String(code ?? signal);
        reject(new Error(`ended (${end}) before it wrote ${String(wanted)}:\n${text.stderr}`));
      });
    });
  }
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, exited, written };
}

/**
 * Starts the built server, on any free port unless the flags name one, and waits for its ready line.
 *
 * @param flags - As on the command line.
 * @param options - Where and how.
 * @returns The server, which the caller stops.
 */
export async function startServerProcess(
  flags: readonly string[] = [],
  options: ProcessOptions = {},
): Promise<ServerProcess> {
  const named = flags.some((flag) => /^--rest_port(=|$)/.test(flag));
  const running = startProcess(named ? flags : [...flags, '--rest_port', '0'], options);
  const { timeoutMs = 60_000 } = options;
  const limit = deadline(timeoutMs, () => `no ready line in ${timeoutMs} ms: ${running.stderr()}`);
  try {
    const stdout = await Promise.race([readyText(running), limit.over]);
    const port = Number(READY.exec(stdout)?.[1]);
    return {
      ...running,
      url: `http://127.0.0.1:${port}`,
      port,
      stop: () => {
        running.child.kill('SIGTERM');
        return running.exited;
      },
    };
  } catch (error) {
    running.child.kill('SIGKILL');
    throw error;
  } finally {
    limit.cancel();
  }
}

/** stdout from the moment that it has a whole line with the URL. */
async function readyText(running: RunningProcess): Promise<string> {
  await running.written(/^Ready on https?:.*\n/m);
  return running.stdout();
}

/**
 * Runs the built program until it ends by itself.
 *
 * @param flags - As on the command line.
 * @param options - Where and how.
 * @returns Exit code and output.
 */
export async function runToEnd(
  flags: readonly string[],
  options: ProcessOptions = {},
): Promise<Outcome> {
  const running = startProcess(flags, options);
  const { timeoutMs = 60_000 } = options;
  const limit = deadline(timeoutMs, () => `still up after ${timeoutMs} ms: ${running.stderr()}`);
  try {
    const exit = await Promise.race([running.exited, limit.over]);
    return { ...exit, stdout: running.stdout(), stderr: running.stderr() };
  } finally {
    limit.cancel();
  }
}
