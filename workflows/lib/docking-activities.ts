/** The activities of the workflows of docking, tried until they succeed: an outage delays a view or a cancel, and loses neither. */
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

import type { DockingActivities } from '../../activities/docking.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';

/** A short read, which leaves one event in the history. */
export const looks = proxyLocalActivities<Pick<DockingActivities, 'lookAtDockingJob'>>({
  summary: 'how the job stands',
  startToCloseTimeout: '10s',
  localRetryThreshold: '30s',
  retry: PATIENT_RETRY,
});

/** A request to cancel, which waits for Temporal to take the message of it. */
export const cancels = proxyActivities<Pick<DockingActivities, 'cancelDockingJob'>>({
  summary: 'the job is asked to stop',
  startToCloseTimeout: '30s',
  retry: PATIENT_RETRY,
});

/**
 * The file of an export, made by control workers beside other work through the store. An attempt is given up when it has not beaten for a
 * while, and the whole after some hours, in which an account waits for its turn or an outage passes.
 */
export const exportFiles = proxyActivities<Pick<DockingActivities, 'writeDockingExport'>>({
  summary: 'the file of the export',
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '1h',
  scheduleToCloseTimeout: '6h',
  heartbeatTimeout: '15s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: PATIENT_RETRY,
});

/** The end of an export without a file, which is one short statement. */
export const exportEnds = proxyActivities<Pick<DockingActivities, 'failDockingExport'>>({
  summary: 'the export ends without a file',
  startToCloseTimeout: '10s',
  retry: PATIENT_RETRY,
});
