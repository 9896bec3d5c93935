import type { HealthSettings } from './endpoint.ts';
import { unref } from './timers.ts';
import type { Exchange, Transport } from './transport.ts';
import { VERSION } from './version.ts';

/** What a check says; `no-vote` changes nothing. */
export type Vote = 'healthy' | 'unhealthy' | 'no-vote';

type Try = 'ok' | 'failed' | 'timeout';

const PAUSE_MS = 200;

/** Checks that are under way, so that they can be stopped. */
export interface HealthRound {
  readonly vote: Promise<Vote>;
  readonly stop: () => void;
}

/**
 * Runs every check of an endpoint once: one unhealthy check makes the round unhealthy.
 *
 * @param health - Its checks and times.
 * @param transport - What sends its requests.
 * @returns The vote to come, and a way to stop.
 */
export function startRound(health: HealthSettings, transport: Transport): HealthRound {
  const controller = new AbortController();
  return {
    vote: runRound(health, transport, controller.signal),
    stop: () => {
      controller.abort();
    },
  };
}

async function runRound(
  health: HealthSettings,
  transport: Transport,
  signal: AbortSignal,
): Promise<Vote> {
  const votes: Vote[] = [];
  for (const { url, timeoutIsNoVote } of health.checks) {
    const vote = await runCheck({ url, timeoutIsNoVote, health, transport, signal });
    if (signal.aborted) return 'no-vote';
    votes.push(vote);
    if (vote === 'unhealthy' && health.failOnFirst) break;
  }
  if (votes.includes('unhealthy')) return 'unhealthy';
  return votes.includes('healthy') ? 'healthy' : 'no-vote';
}

interface Check {
  readonly url: string;
  readonly timeoutIsNoVote: boolean;
  readonly health: HealthSettings;
  readonly transport: Transport;
  readonly signal: AbortSignal;
}

async function runCheck(check: Check): Promise<Vote> {
  let failed = false;
  for (let left = check.health.retries; ; left--) {
    const result = await tryOnce(check);
    if (result === 'ok') return 'healthy';
    if (result === 'failed' || !check.timeoutIsNoVote) failed = true;
    if (left <= 0 || check.signal.aborted) return failed ? 'unhealthy' : 'no-vote';
    await pause(check.signal);
  }
}

function tryOnce({ url, health, transport, signal }: Check): Promise<Try> {
  const headers = {
    authorization: `Bearer ${health.apiKey}`,
    'user-agent': `tensorgate-client/${VERSION}`,
  };
  return new Promise((resolve) => {
    let status = 0;
    const exchange: Exchange = transport.send(
      { method: 'GET', url, headers, body: null, background: true },
      {
        onHead: (head) => {
          status = head.status;
        },
        onBody: () => undefined,
        onEnd: () => {
          done(status >= 200 && status < 300 ? 'ok' : 'failed');
        },
        onError: () => {
          done('failed');
        },
      },
    );
    function giveUp(): void {
      exchange.abort();
      done('timeout');
    }
    const timer = setTimeout(giveUp, health.timeoutMs);
    unref(timer);
    signal.addEventListener('abort', giveUp);
    function done(result: Try): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(result);
    }
  });
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, PAUSE_MS);
    unref(timer);
    signal.addEventListener('abort', done);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
