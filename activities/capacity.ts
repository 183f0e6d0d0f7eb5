import type { DataSource } from 'typeorm';
import type { JobWorkflows } from '../src/adapters/temporal/client.ts';
import {
  releaseCapacity,
  requestCapacity,
  type CapacityLimits,
} from '../src/services/execution/capacity/capacity.ts';

/** Capacity, as the job workflow calls it. */
export type CapacityActivities = ReturnType<typeof createCapacityActivities>;

/** Queue priority by plan; higher is granted first. */
const PLAN_PRIORITY = { free: 0, pro: 10 } as const;

/** Activities that grant and give back capacity. */
export function createCapacityActivities(
  db: DataSource,
  workflows: Pick<JobWorkflows, 'capacity'>,
  limits: CapacityLimits,
) {
  return {
    /** Asks for capacity and looks whether it is granted. Idempotent by (job, execution). */
    requestCapacity(request: {
      jobId: string;
      execution: number;
      accountId: string;
      accountPlan: 'free' | 'pro';
      vcpus: number;
    }): Promise<{ granted: boolean; position: number; reason: string | null }> {
      return requestCapacity(
        db,
        {
          jobId: request.jobId,
          execution: request.execution,
          accountId: request.accountId,
          vcpus: request.vcpus,
          priority: PLAN_PRIORITY[request.accountPlan],
        },
        limits,
      );
    },

    /** Gives capacity back and wakes the jobs that it is granted to. Idempotent: a second run finds nothing to give back. */
    async releaseCapacity(request: { jobId: string; execution: number }): Promise<void> {
      const { newlyGranted } = await releaseCapacity(db, request.jobId, request.execution, limits);
      // Losing a wake-up costs the job one polling interval, nothing more.
      if (newlyGranted.length > 0) await workflows.capacity(newlyGranted).catch(() => undefined);
    },
  };
}
