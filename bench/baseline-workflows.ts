/** The baseline with which Dockyard is compared: the least that Temporal needs to do the same work. */
import {
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

import type { AdmissionActivities } from '../activities/admission.ts';
import type { AdmissionDecision, JobAdmission } from '../src/contracts/job.ts';

/** The activities that the worker of the baseline runs besides the admission. */
export interface BareActivities {
  /** Writes bytes to a file, as the measured tool does. */
  writeBytes(name: string, byteSize: number): Promise<void>;
}

const { admitJob } = proxyLocalActivities<AdmissionActivities>({ startToCloseTimeout: '10s' });
const { writeBytes } = proxyActivities<BareActivities>({
  startToCloseTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

/** Update: waits for the decision. */
export const decidedUpdate = defineUpdate<AdmissionDecision>('decided');

/** Runs one local activity in the main function; the update waits for the activity. */
export async function bareSubmit(admission: JobAdmission): Promise<void> {
  let decision: AdmissionDecision | null = null;
  setHandler(decidedUpdate, async () => {
    await condition(() => decision !== null);
    if (decision === null) throw new Error('unreachable: decided');
    return decision;
  });
  decision = await admitJob(admission, workflowInfo().firstExecutionRunId);
}

/** Runs activities, with `window` of them open at a time. */
export async function bareTasks(count: number, window: number, byteSize: number): Promise<void> {
  const { workflowId } = workflowInfo();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await writeBytes(`${workflowId}-${index}`, byteSize);
    }
  };
  await Promise.all(Array.from({ length: window }, lane));
}

/** Runs activities that do nothing on another queue, with `window` of them open at a time. */
export async function tasksElsewhere(taskQueue: string, count: number, window: number): Promise<void> {
  const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({
    taskQueue,
    startToCloseTimeout: '1m',
    retry: { maximumAttempts: 1 },
  });
  let next = 0;
  const lane = async (): Promise<void> => {
    for (; next < count;) {
      next += 1;
      await nothing();
    }
  };
  await Promise.all(Array.from({ length: window }, lane));
}
