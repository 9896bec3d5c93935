import type { Endpoint } from './endpoint.ts';
import { invalid } from './errors.ts';
import { HealthMonitor } from './health-monitor.ts';
import type { Member, Members } from './members.ts';
import { RetryGate } from './retry-gate.ts';
import { pickByTicket } from './splitmix64.ts';

const PREFIX = 'Invalid endpoint pool configuration: Invalid parameter: ';

interface PoolMember extends Member {
  readonly weight: number;
  readonly monitor: HealthMonitor;
}

/** Servers that share the requests of a client, as far as they are well. */
export class EndpointPool implements Members {
  readonly #members: readonly PoolMember[];
  #ticket = 0;

  /**
   * @param endpoints - The members, each with its own URL.
   * @param endpointWeights - Shares of the requests; each 1 if left out.
   * @throws {@link PerformanceClientError} of kind `invalid_parameter` for bad values.
   */
  constructor(endpoints: readonly Endpoint[], endpointWeights?: readonly number[] | null) {
    checkEndpoints(endpoints, endpointWeights ?? null);
    this.#members = endpoints.map((endpoint, at) => ({
      baseUrl: endpoint.baseUrl,
      transport: endpoint.clientWrapper.transport,
      gate: new RetryGate(),
      weight: endpointWeights?.[at] ?? 1,
      monitor: new HealthMonitor(endpoint),
    }));
  }

  /**
   * Base URL and health of each member.
   *
   * @returns One for each member, in order.
   */
  healthSnapshot(): { baseUrl: string; healthy: boolean }[] {
    return this.#members.map(({ baseUrl, monitor }) => ({ baseUrl, healthy: monitor.healthy }));
  }

  /** Ends the health checks. */
  close(): void {
    for (const { monitor } of this.#members) monitor.stop();
  }

  /**
   * @param tried - Members that have had a request of the batch.
   * @returns The member for a request, if possible a healthy one that isn't among `tried`.
   */
  pick(tried: ReadonlySet<Member>): Member {
    const candidates = this.#candidates(tried);
    const at = pickByTicket(
      this.#ticket,
      candidates.map(({ weight }) => weight),
    );
    this.#ticket += 1;
    const picked = candidates[at];
    if (!picked) throw new Error('an endpoint pool has no members');
    return picked;
  }

  /**
   * @returns Base URLs of all members.
   */
  baseUrls(): readonly string[] {
    return this.#members.map(({ baseUrl }) => baseUrl);
  }

  #candidates(tried: ReadonlySet<Member>): readonly PoolMember[] {
    const healthy = this.#members.filter(({ monitor }) => monitor.healthy);
    const tiers = [
      healthy.filter((member) => !tried.has(member)),
      healthy,
      this.#members.filter((member) => !tried.has(member)),
    ];
    return tiers.find((tier) => tier.length > 0) ?? this.#members;
  }
}

function checkEndpoints(endpoints: readonly Endpoint[], weights: readonly number[] | null): void {
  if (endpoints.length === 0) throw invalid('endpoints must not be empty');
  if (new Set(endpoints.map(({ baseUrl }) => baseUrl)).size !== endpoints.length) {
    throw invalid(`${PREFIX}endpoint pool endpoints must be unique`);
  }
  if (weights === null) return;
  if (weights.length !== endpoints.length) {
    throw invalid(`${PREFIX}endpoint pool weights length must match endpoints length`);
  }
  if (!weights.every((weight) => Number.isFinite(weight) && weight >= 0)) {
    throw invalid(`${PREFIX}endpoint pool weights must be finite and non-negative`);
  }
  if (weights.every((weight) => weight === 0)) {
    throw invalid(`${PREFIX}endpoint pool weights cannot all be zero`);
  }
}
