/**
 * The activities of uploads, with their options. An activity is tried until it succeeds, but not beyond the time of its
 * upload, because a store that refuses for ever must not keep an upload from expiring.
 */
import { ActivityFailure, proxyActivities, proxyLocalActivities, TimeoutFailure } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { UploadActivities } from '../../activities/uploads.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { readingAllowanceMs } from '../../src/domain/uploads.ts';
import { PATIENT_RETRY } from './activities.ts';

/** The least time for an activity, so that a completion that came in the last moment is tried once. */
const LEAST_MS = 60_000;
/** Attempts with three seconds of pauses between them, for which the API waits. */
const FIRST_ATTEMPTS = 5;

/**
 * The opening, a local activity: it runs inside the workflow task, which saves a customer one round trip. The opening
 * is tried a few times only, because every workflow task that waits for the opening adds to the history and keeps an
 * abort waiting.
 */
export const opening = proxyLocalActivities<Pick<UploadActivities, 'openUpload'>>({
  summary: 'room reserved, upload begun in the store',
  startToCloseTimeout: '15s',
  localRetryThreshold: '30s',
  retry: { ...PATIENT_RETRY, maximumAttempts: FIRST_ATTEMPTS },
});

/** The opening as an ordinary activity, after the local activity has failed. */
export function openingWithin(leftMs: number) {
  return proxyActivities<Pick<UploadActivities, 'openUpload'>>({
    taskQueue: STORAGE_QUEUE,
    startToCloseTimeout: '15s',
    retry: PATIENT_RETRY,
    ...within(leftMs),
  });
}

/** One attempt to put parts together or to remove them, which takes a store long that copies every part. */
const ATTEMPT_MS = 3_600_000;
const PARTS = { startToCloseTimeout: ATTEMPT_MS, heartbeatTimeout: '15s', retry: PATIENT_RETRY } as const;

/** Putting the parts together. A completion that was requested in time gets the time of one whole attempt. */
export function assemblyWithin(leftMs: number) {
  return proxyActivities<Pick<UploadActivities, 'assembleUpload'>>({
    taskQueue: STORAGE_QUEUE,
    ...PARTS,
    ...within(Math.max(leftMs, ATTEMPT_MS)),
  });
}

/**
 * Removing an upload from the store. The removal is tried until it succeeds, because room is given back for removed
 * bytes only.
 */
export const clearing = proxyActivities<Pick<UploadActivities, 'closeUpload'>>({
  taskQueue: STORAGE_QUEUE,
  ...PARTS,
});

/**
 * Hashing the stored object. A terabyte at 30 MB/s takes ten hours, and an attempt goes on where a lost attempt ended. All
 * bytes of the upload are in the store, so hashing may go on after the upload's time for as long as reading them takes.
 */
export function hashingWithin(leftMs: number, byteSize: number) {
  return proxyActivities<Pick<UploadActivities, 'hashStoredUpload'>>({
    taskQueue: STORAGE_QUEUE,
    startToCloseTimeout: '3 days',
    heartbeatTimeout: '15s',
    retry: PATIENT_RETRY,
    ...within(Math.max(leftMs, 0) + readingAllowanceMs(byteSize)),
  });
}

/** Short statements against Postgres. */
export const records = proxyActivities<Pick<UploadActivities, 'releaseUpload'>>({
  startToCloseTimeout: '10s',
  retry: PATIENT_RETRY,
});

/** Whether an activity was given up because the upload's time is over, or is over before the next attempt. */
export function isOutOfTime(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return cause.timeoutType === 'SCHEDULE_TO_CLOSE';
  return error.retryState === 'TIMEOUT';
}

function within(leftMs: number): Pick<ActivityOptions, 'scheduleToCloseTimeout'> {
  return { scheduleToCloseTimeout: Math.max(leftMs, LEAST_MS) };
}
