import { Shutdown, type ShutdownSteps } from '../../../src/ops/shutdown.ts';

interface Waiting {
  readonly ms: number;
  readonly end: () => void;
  readonly signal: AbortSignal;
}

/** A clock that a test moves by hand. */
class HandClock {
  readonly waits: Waiting[] = [];
  readonly wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((end, reject) => {
      this.waits.push({ ms, end, signal });
      signal.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    });
}

/** A promise that a test resolves by hand. */
function gate(): { readonly passed: Promise<void>; open: () => void } {
  const parts = { open: (): void => undefined };
  const passed = new Promise<void>((resolve) => {
    parts.open = resolve;
  });
  return { passed, ...parts };
}

/** Steps that note when they are taken; `end()` makes the server idle. */
function steps(
  changes: Partial<ShutdownSteps> = {},
): ShutdownSteps & { readonly done: string[]; readonly end: () => void } {
  const done: string[] = [];
  const idle = gate();
  return {
    drainDelayMs: 0,
    graceMs: 30_000,
    stopAccepting: () => done.push('stopAccepting'),
    idle: () => {
      done.push('idle');
      return idle.passed;
    },
    cutRemaining: () => void done.push('cutRemaining'),
    ...changes,
    done,
    end: idle.open,
  };
}

/** Lets all settled promises run their reactions. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('Shutdown', () => {
  test('serves until it begins', () => {
    expect(new Shutdown(new HandClock().wait).phase()).toBe('serving');
  });

  test('drains for the delay, then closes and waits for what is in flight', async () => {
    const clock = new HandClock();
    const shutdown = new Shutdown(clock.wait);
    const run = steps({ drainDelayMs: 5000 });
    const ended = shutdown.begin(run);
    expect(shutdown.phase()).toBe('draining');
    expect(run.done).toEqual([]);
    expect(clock.waits.map(({ ms }) => ms)).toEqual([5000]);

    clock.waits[0]?.end();
    await settle();
    expect(shutdown.phase()).toBe('closing');
    expect(run.done).toEqual(['stopAccepting', 'idle']);
    expect(clock.waits.map(({ ms }) => ms)).toEqual([5000, 30_000]);

    run.end();
    await expect(ended).resolves.toBe(true);
    expect(run.done).not.toContain('cutRemaining');
    expect(clock.waits[1]?.signal.aborted).toBe(true);
  });

  test('closes in the same turn without a delay', () => {
    const shutdown = new Shutdown(new HandClock().wait);
    const run = steps();
    void shutdown.begin(run);
    expect(shutdown.phase()).toBe('closing');
    expect(run.done).toEqual(['stopAccepting', 'idle']);
  });

  test('cuts what is left when the grace is over, and says so', async () => {
    const clock = new HandClock();
    const run = steps();
    const ended = new Shutdown(clock.wait).begin(run);
    clock.waits[0]?.end();
    await expect(ended).resolves.toBe(false);
    expect(run.done).toEqual(['stopAccepting', 'idle', 'cutRemaining']);
  });

  test('waits for the cut', async () => {
    const clock = new HandClock();
    const cut = gate();
    const run = steps({ cutRemaining: () => cut.passed });
    let over = false;
    const ended = new Shutdown(clock.wait).begin(run).then(() => {
      over = true;
    });
    clock.waits[0]?.end();
    await settle();
    expect(over).toBe(false);
    cut.open();
    await ended;
    expect(over).toBe(true);
  });

  test('begins once: a second call joins the first', async () => {
    const shutdown = new Shutdown(new HandClock().wait);
    const [first, second] = [steps(), steps()];
    const ended = [shutdown.begin(first), shutdown.begin(second)];
    first.end();
    await expect(Promise.all(ended)).resolves.toEqual([true, true]);
    expect(second.done).toEqual([]);
  });

  test('has real timers unless given others', async () => {
    const run = steps({ drainDelayMs: 1, graceMs: 1 });
    await expect(new Shutdown().begin(run)).resolves.toBe(false);
  });
});
