/**
 * The activities that the workflows of a job call, in groups with options of their own. A control activity is repeatable
 * and is tried until it succeeds, so that an outage of Postgres or the store delays a job and never ends the job. An
 * activity that can never succeed fails with the type `Invariant` (src/domain/invariant.ts), which is not retried.
 *
 * Short statements of money and state go to the task queue of the workflows, and activities that take long go to task
 * queues of their own, so that a commit's record, a fence or a settlement never waits behind a long activity.
 */
import type { RetryPolicy } from '@temporalio/common';
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AdmissionActivities } from '../../activities/admission.ts';
import type { CapacityActivities } from '../../activities/capacity.ts';
import type { FinishActivities } from '../../activities/finish.ts';
import type { InstanceActivities } from '../../activities/instances.ts';
import type { RateActivities } from '../../activities/rates.ts';
import type { SweepActivities } from '../../activities/sweep.ts';
import type { TaskActivities } from '../../activities/tasks.ts';
import type { ComputeActivities } from '../../src/contracts/instance.ts';
import type { JobPartInput } from '../../src/contracts/job.ts';
import { computeQueue, PROVIDER_QUEUE, STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { ranges } from './visibility.ts';

/** Retries an activity until it succeeds, except after a failure of type `Invariant`. */
export const PATIENT_RETRY = {
  initialInterval: '200ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
  nonRetryableErrorTypes: ['Invariant'],
} satisfies RetryPolicy;

/** The admission, a local activity: it runs inside the workflow task, which saves a submit one round trip. */
export const admission = proxyLocalActivities<AdmissionActivities>({
  summary: 'job row, hold and execution in one transaction',
  startToCloseTimeout: '10s',
  localRetryThreshold: '30s',
  retry: PATIENT_RETRY,
});

/** Short statements against Postgres. The time limit is short, because only the limit tells that a worker was killed. */
export const records = proxyActivities<TaskActivities & CapacityActivities>({
  startToCloseTimeout: '10s',
  retry: PATIENT_RETRY,
});

/** Activities that move or read bytes in the store: they take long and beat. */
export const storage = proxyActivities<TaskActivities & FinishActivities & SweepActivities>({
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '6h',
  heartbeatTimeout: '10s',
  retry: PATIENT_RETRY,
});

const INSTANCE_OPTIONS = {
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: PATIENT_RETRY,
} as const;

type Fence = 'drainInstance' | 'fenceJob' | 'replaceInstance';

/** Fences: short statements, which must not wait behind calls of a provider that does not answer. */
export const fences = proxyActivities<Pick<InstanceActivities, Fence>>(INSTANCE_OPTIONS);

/** Calls of an instance provider, which may wait long for evidence about an instance. */
export const instances = proxyActivities<Omit<InstanceActivities, Fence>>({
  taskQueue: PROVIDER_QUEUE,
  ...INSTANCE_OPTIONS,
});

/** Housekeeping, which lists the store at length. The next sweep repeats a step that failed, so few attempts are made. */
export const housekeeping = proxyActivities<SweepActivities>({
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '60s',
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
});

/** Exchange rates, whose source is outside and may hang. The next round comes in an hour, so few attempts are made. */
export const rates = proxyActivities<RateActivities>({
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '30s',
  retry: { ...PATIENT_RETRY, initialInterval: '5s', maximumInterval: '60s', maximumAttempts: 5 },
});

/**
 * The compute activity on the task queue of one instance generation. The activity has one attempt, because a time-out
 * says only that contact was lost, and the workflow inquires before it decides; retries by Temporal would start every
 * healthy task again after an outage of Temporal.
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
