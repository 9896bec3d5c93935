#!/usr/bin/env node
import { constants } from 'node:os';
import { runEmbed } from './cli/embed/run-embed.ts';
import { run } from './cli/run.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

type EndSignal = (typeof SIGNALS)[number];

/**
 * ms in which a second signal under `npm start` is taken for an echo of the first: a terminal sends
 * its Ctrl-C to all processes in it, and npm, one of them, passes it on.
 */
const NPM_ECHO_MS = process.env['npm_lifecycle_event'] === 'start' ? 250 : 0;

function terminated(): Promise<string> {
  return new Promise((resolve) => {
    let firstMs: number | null = null;
    function onSignal(signal: EndSignal): void {
      const nowMs = performance.now();
      if (firstMs === null) {
        firstMs = nowMs;
        resolve(signal);
      } else if (nowMs - firstMs >= NPM_ECHO_MS) {
        endAtOnce(signal);
      }
    }
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}

// Dies of the signal itself: that waits for no thread, and the parent sees why.
function endAtOnce(signal: EndSignal): void {
  for (const each of SIGNALS) process.removeAllListeners(each);
  process.kill(process.pid, signal);
  // Still here: the first process of a container doesn't die of signals.
  process.exit(128 + constants.signals[signal]);
}

// A reader that has gone, as in `tensorgate --help | head -1`, is no fault.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// Resolves when all that was written is on its way.
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise((resolve) => stream.write('', resolve));
  }
}

// The signal of a command that stops in its own way: it aborts at the first one, the next one kills.
function terminationSignal(): AbortSignal {
  const controller = new AbortController();
  void terminated().then((signal) => {
    controller.abort(new Error(signal));
  });
  return controller.signal;
}

function runCommand(args: readonly string[]): Promise<number> {
  function write(text: string): void {
    process.stdout.write(text);
  }
  function writeError(text: string): void {
    process.stderr.write(text);
  }
  if (args[0] !== 'embed') {
    return run(args, {
      write,
      writeError,
      errorFd: process.stderr.fd,
      isTerminal: process.stderr.isTTY,
      env: process.env,
      kill: () => process.kill(process.pid, 'SIGKILL'),
      terminated,
    });
  }
  return runEmbed(args.slice(1), {
    write,
    writeError,
    stdin: () => process.stdin,
    terminalColumns: () => (process.stderr.isTTY ? process.stderr.columns : null),
    signal: terminationSignal(),
  });
}

const code = await runCommand(process.argv.slice(2));
await flushed();
// Not waiting for what is left in the event loop: nothing may be.
process.exit(code);
