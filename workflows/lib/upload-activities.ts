/** The activities of uploads, with their options. What fails is tried until it succeeds, as everywhere. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { UploadActivities } from '../../activities/uploads.ts';
import { PATIENT_RETRY } from './activities.ts';

/** The opening runs inside the workflow task: one round trip less on the path that a customer waits for. */
export const opening = proxyLocalActivities<Pick<UploadActivities, 'openUpload'>>({
  summary: 'room reserved, upload begun in the store',
  startToCloseTimeout: '15s',
  localRetryThreshold: '30s',
  retry: PATIENT_RETRY,
});

/** Putting together and removing: a store that copies the parts takes long over it. */
export const parts = proxyActivities<Pick<UploadActivities, 'assembleUpload' | 'closeUpload'>>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '15s',
  retry: PATIENT_RETRY,
});

/** A terabyte at a bad 30 MB/s takes ten hours; the next attempt goes on where a lost one was. */
export const hashing = proxyActivities<Pick<UploadActivities, 'hashStoredUpload'>>({
  startToCloseTimeout: '3 days',
  heartbeatTimeout: '15s',
  retry: PATIENT_RETRY,
});

/** Short statements against Postgres. */
export const records = proxyActivities<Pick<UploadActivities, 'releaseUpload'>>({
  startToCloseTimeout: '10s',
  retry: PATIENT_RETRY,
});
