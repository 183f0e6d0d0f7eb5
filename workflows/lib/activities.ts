/**
 * Every activity that a workflow calls, in groups with deliberate options. Control activities are repeatable and are
 * tried until they succeed: an outage of Postgres or the store delays a job, it never ends it. What can never succeed
 * comes back as a failure of type `Invariant` (src/domain/invariant.ts), which is not retried.
 *
 * Short statements of money and state go to the queue of the workflows, what takes long to queues of their own, so that
 * nothing heavy stands before a commit's record, a fence or a settlement.
 */
import type { RetryPolicy } from '@temporalio/common';
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AdmissionActivities } from '../../activities/admission.ts';
import type { CapacityActivities } from '../../activities/capacity.ts';
import type { FinishActivities } from '../../activities/finish.ts';
import type { InstanceActivities } from '../../activities/instances.ts';
import type { SweepActivities } from '../../activities/sweep.ts';
import type { TaskActivities } from '../../activities/tasks.ts';
import type { ComputeActivities } from '../../src/contracts/instance.ts';
import type { JobPartInput } from '../../src/contracts/job.ts';
import { computeQueue, PROVIDER_QUEUE, STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { routedTo } from './queues.ts';
import { ranges } from './visibility.ts';

/** Tried until it succeeds, unless it never can. */
export const PATIENT_RETRY = {
  initialInterval: '200ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
  nonRetryableErrorTypes: ['Invariant'],
} satisfies RetryPolicy;

/** The admission runs inside the workflow task: one round trip less on the path that a customer waits for. */
export const admission = proxyLocalActivities<AdmissionActivities>({
  summary: 'job row, hold and execution in one transaction',
  startToCloseTimeout: '10s',
  localRetryThreshold: '30s',
  retry: PATIENT_RETRY,
});

/** Short statements against Postgres. Of a control worker that was killed nothing else tells: the limit is its lease. */
export const records = proxyActivities<TaskActivities & CapacityActivities>({
  startToCloseTimeout: '10s',
  retry: PATIENT_RETRY,
});

/** Work through the store: long, with a heartbeat. */
export const storage = routedTo<TaskActivities & FinishActivities & SweepActivities>(STORAGE_QUEUE, {
  startToCloseTimeout: '6h',
  heartbeatTimeout: '10s',
  retry: PATIENT_RETRY,
});

const INSTANCE_OPTIONS = {
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: PATIENT_RETRY,
} as const;

/** Fences: short statements, which a provider that does not answer must not hold up. */
export const fences =
  proxyActivities<Pick<InstanceActivities, 'fenceJob' | 'replaceInstance'>>(INSTANCE_OPTIONS);

/** Calls of the instance provider, which may wait for evidence. */
export const instances = routedTo<Omit<InstanceActivities, 'fenceJob' | 'replaceInstance'>>(
  PROVIDER_QUEUE,
  INSTANCE_OPTIONS,
);

/** Housekeeping: what fails is found again by the next sweep. It reads the store at length, so it is no work for money's queue. */
export const housekeeping = routedTo<SweepActivities>(STORAGE_QUEUE, {
  startToCloseTimeout: '30m',
  heartbeatTimeout: '60s',
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
});

/**
 * The tools, on the queue of one instance generation. One attempt: a time-out says only that contact was lost, so the
 * workflow inquires before it decides; blind retries would start every healthy task again after an outage of Temporal.
 */
export function computeOn(part: JobPartInput, ordinals: readonly number[]): ComputeActivities {
  return proxyActivities<ComputeActivities>({
    summary: `${part.kind} ${ranges(ordinals)} on instance ${String(part.slot)}.${String(part.generation)}`,
    taskQueue: computeQueue(part.jobId, part.slot, part.generation),
    scheduleToStartTimeout: part.timing.computePickupSeconds * 1000,
    startToCloseTimeout: (part.taskTimeoutSeconds * ordinals.length + 600) * 1000,
    heartbeatTimeout: part.timing.computeHeartbeatSeconds * 1000,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
  });
}
