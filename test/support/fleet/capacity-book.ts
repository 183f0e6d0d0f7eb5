/** The capacity of a simulated fleet: who is granted the next instance is decided by the product's own order of turns. */
import { firstStepOf, nextToGrow, nextToStart } from '../../../src/services/execution/capacity/turns.ts';
import type { CapacityLimits, Turn } from '../../../src/services/execution/capacity/turns.ts';

/** A request; `granted` is null while the request waits for its first instance. */
export interface SimulatedRequest {
  readonly jobId: string;
  readonly accountId: string;
  readonly step: number;
  readonly asked: number;
  granted: number | null;
  wanted: number;
  /** Called after a grant. */
  readonly told: () => void;
}

/** All requests. */
export class CapacityBook {
  private readonly limits: CapacityLimits;
  private readonly requests = new Set<SimulatedRequest>();

  constructor(limits: CapacityLimits) {
    this.limits = limits;
  }

  /** Grants what is due, to a new request or after a change of one. */
  grant(request: SimulatedRequest): void {
    this.requests.add(request);
    this.grantDue();
  }

  release(request: SimulatedRequest): void {
    this.requests.delete(request);
    this.grantDue();
  }

  private grantDue(): void {
    const told = new Set<SimulatedRequest>();
    const used = new Map<string, number>();
    let left = this.limits.totalVcpus;
    const take = (request: SimulatedRequest, vcpus: number): void => {
      left -= vcpus;
      used.set(request.accountId, (used.get(request.accountId) ?? 0) + vcpus);
    };
    for (const request of this.requests) if (request.granted !== null) take(request, request.granted);
    for (;;) {
      const next = nextToStart(this.turns(true), { limits: this.limits, used });
      if (next === null || firstStepOf(next, this.limits) > left) break;
      next.request.granted = firstStepOf(next, this.limits);
      take(next.request, next.request.granted);
      told.add(next.request);
    }
    for (;;) {
      const next = nextToGrow(this.turns(false), { limits: this.limits, used }, left);
      if (next === null) break;
      next.request.granted = (next.request.granted ?? 0) + next.request.step;
      take(next.request, next.request.step);
      told.add(next.request);
    }
    for (const request of told) request.told();
  }

  private turns(isWaiting: boolean): (Turn & { readonly request: SimulatedRequest })[] {
    return [...this.requests]
      .filter((request) => (request.granted === null) === isWaiting)
      .filter((request) => isWaiting || request.wanted >= (request.granted ?? 0) + request.step)
      .map((request) => ({
        ...{ job_id: request.jobId, execution: 1, account_id: request.accountId, priority: 0 },
        ...{ vcpus: request.granted ?? request.wanted, step_vcpus: request.step },
        ...{ asked: String(request.asked).padStart(12, '0'), request },
      }));
  }
}
