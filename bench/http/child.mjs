import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Everything that runs now and was started here. */
const running = new Set();

/** Starts a Node program; it is ended with this process. */
export function startNode(args, options) {
  const child = spawn(process.execPath, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Runs a script of this folder to its end.
 *
 * @param {string} script
 * @param {Record<string, string | number>} flags
 * @param {number} timeoutMs
 * @returns {Promise<any>} The JSON that it printed
 */
export async function runScript(script, flags, timeoutMs) {
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const file = new URL(script, import.meta.url).pathname;
  const child = startNode([file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (code === 0) return JSON.parse(output);
  const reason = /^\w*Error: .*$/m.exec(complaint)?.[0] ?? (complaint.trim() || `exit ${code}`);
  throw new Error(`${script} ${args.join(' ')}: ${reason}`);
}

/** Asks a child to end, and ends it after a while. */
export async function endChild(child, graceMs = 10_000) {
  if (!running.has(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([exit, sleep(graceMs, undefined, { ref: false })]);
  if (running.has(child)) child.kill('SIGKILL');
  await exit;
}

/** Ends all that still runs. */
export function endChildren() {
  return Promise.all([...running].map((child) => endChild(child)));
}
