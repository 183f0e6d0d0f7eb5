/** The activities of the workflows of docking, tried until they succeed: an outage delays a view or a cancel, and loses neither. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

import type { DockingActivities } from '../../activities/docking.ts';
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
