import type { CallScope } from './call-scope.ts';
import { PerformanceClientError } from './errors.ts';
import type { Settings } from './settings.ts';

/**
 * Ends a call when its token or its signal says so, or its total time is over.
 *
 * @param scope - Life of the call that waits.
 * @param settings - Checked preferences.
 * @returns takes the listeners and the timer back.
 */
export function watchSignals(scope: CallScope, settings: Settings): () => void {
  const undo: (() => void)[] = [];
  for (const signal of [settings.cancelToken?.signal, settings.signal]) {
    if (signal) undo.push(watch(signal, scope));
  }
  if (settings.totalTimeoutS !== null) undo.push(startClock(settings.totalTimeoutS, scope));
  return () => {
    for (const step of undo) step();
  };
}

function watch(signal: AbortSignal, scope: CallScope): () => void {
  function cancel(): void {
    const facts = { cause: signal.reason as unknown };
    scope.end(new PerformanceClientError('cancelled', 'Operation cancelled by token', facts));
  }
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  return () => {
    signal.removeEventListener('abort', cancel);
  };
}

/** Timers can't be longer than this; a call that long is over sooner. */
const MAX_TIMER_MS = 2_147_483_647;

function startClock(totalTimeoutS: number, scope: CallScope): () => void {
  const timer = setTimeout(
    () => {
      scope.end(outOfTime(totalTimeoutS));
    },
    Math.min(totalTimeoutS * 1000, MAX_TIMER_MS),
  );
  return () => {
    clearTimeout(timer);
  };
}

/**
 * The error of a call that took too long.
 *
 * @param totalTimeoutS - Seconds that it had.
 * @returns Of kind `local_timeout`.
 */
export function outOfTime(totalTimeoutS: number): PerformanceClientError {
  const after = `${totalTimeoutS.toFixed(2)}s`;
  return new PerformanceClientError(
    'local_timeout',
    `Local timeout: Total operation timed out after ${after}`,
  );
}
