/** The capacity of a simulated fleet: who is granted the next instance is decided by the product's own order of turns. */
import { Usage, lackOf } from '../../../src/domain/capacity-pools.ts';
import type { CapacityLimits } from '../../../src/domain/capacity-pools.ts';
import { firstStepOf, nextToGrow, nextToStart } from '../../../src/services/execution/capacity/turns.ts';
import type { Turn } from '../../../src/services/execution/capacity/turns.ts';

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
    const room = { limits: this.limits, used: new Usage(), kept: new Set<string>() };
    const take = (request: SimulatedRequest, vcpus: number): void => {
      room.used.take(turnOf(request), { vcpus, gpus: 0, seats: 0 });
    };
    for (const request of this.requests) if (request.granted !== null) take(request, request.granted);
    for (;;) {
      const next = nextToStart(this.turns(true), room);
      if (next === null) break;
      const need = firstStepOf(next, this.limits);
      if (lackOf(next, need, this.limits, room.used) !== null) break;
      next.request.granted = need.vcpus;
      take(next.request, need.vcpus);
      told.add(next.request);
    }
    for (;;) {
      const next = nextToGrow(this.turns(false), room);
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
      .map(turnOf);
  }
}

function turnOf(request: SimulatedRequest): Turn & { readonly request: SimulatedRequest } {
  return {
    ...{ job_id: request.jobId, execution: 1, account_id: request.accountId, priority: 0 },
    ...{ class: 'cpu', plan: null, licence: '', step_gpus: 0 },
    ...{ vcpus: request.granted ?? request.wanted, step_vcpus: request.step },
    ...{ asked: String(request.asked).padStart(12, '0'), request },
  };
}
