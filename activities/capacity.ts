import type { DataSource } from 'typeorm';
import type { JobWorkflows } from '../src/adapters/temporal/client.ts';
import {
  reduceCapacity,
  releaseCapacity,
  requestCapacity,
  withdrawCapacity,
  type CapacityAnswer,
} from '../src/services/execution/capacity/capacity.ts';
import type { CapacityLimits } from '../src/domain/capacity-pools.ts';

/** The activities of capacity, as the job workflow calls them. */
export type CapacityActivities = ReturnType<typeof createCapacityActivities>;

/** The priority of a request by the account's plan; a request of higher priority is granted first. */
const PLAN_PRIORITY = { free: 0, pro: 10 } as const;

/** Makes the activities that grant and give back capacity. */
export function createCapacityActivities(
  db: DataSource,
  workflows: Pick<JobWorkflows, 'capacity'>,
  limits: CapacityLimits,
) {
  // A job whose message is lost is told again by the grantor.
  const tell = async (jobIds: readonly string[]): Promise<void> => {
    if (jobIds.length > 0) await workflows.capacity(jobIds).catch(() => undefined);
  };
  return {
    /**
     * Requests capacity and answers whether the request is granted, and how much of it by now. Idempotent by (job, execution);
     * with a step a later request may want more, which is granted step by step.
     */
    async requestCapacity(request: {
      jobId: string;
      execution: number;
      accountId: string;
      accountPlan: 'free' | 'pro';
      vcpus: number;
      /** The vCPUs of one instance, by which the request is granted; absent: all at once. */
      stepVcpus?: number;
      /** The class of the instances, and the GPUs of one; absent: instances without GPUs. */
      instanceClass?: string;
      stepGpus?: number;
      /** The software of which each instance takes a seat; absent: none. */
      licence?: string;
    }): Promise<CapacityAnswer> {
      const { newlyGranted, ...answer } = await requestCapacity(
        db,
        {
          jobId: request.jobId,
          execution: request.execution,
          accountId: request.accountId,
          vcpus: request.vcpus,
          stepVcpus: request.stepVcpus ?? null,
          ...(request.instanceClass !== undefined && { instanceClass: request.instanceClass }),
          stepGpus: request.stepGpus ?? 0,
          ...(request.licence !== undefined && { licence: request.licence }),
          plan: request.accountPlan,
          priority: PLAN_PRIORITY[request.accountPlan],
        },
        limits,
      );
      await tell(newlyGranted);
      return answer;
    },

    /**
     * Gives a part of the capacity back, so that so many vCPUs stay, and wakes the jobs that get it now. Idempotent: a second
     * run finds nothing to give back.
     */
    async reduceCapacity(request: { jobId: string; execution: number; vcpus: number }): Promise<void> {
      await tell((await reduceCapacity(db, request, limits)).newlyGranted);
    },

    /**
     * Gives capacity back while the provider has no room, and wakes the jobs that get it now; the execution may ask again.
     * Idempotent: a second run finds nothing to give back.
     */
    async returnCapacity(request: { jobId: string; execution: number }): Promise<void> {
      await tell((await withdrawCapacity(db, request, limits)).newlyGranted);
    },

    /** Gives capacity back and wakes the jobs that get it now. Idempotent: a second run finds nothing to give back. */
    async releaseCapacity(request: { jobId: string; execution: number }): Promise<void> {
      await tell((await releaseCapacity(db, request.jobId, request.execution, limits)).newlyGranted);
    },
  };
}
