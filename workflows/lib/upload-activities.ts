/**
 * The activities of uploads, with their options. What fails is tried until it succeeds, as everywhere, but not beyond
 * the end of the upload's time: a store that refuses for ever must not keep an upload from expiring.
 */
import { ActivityFailure, proxyActivities, proxyLocalActivities, TimeoutFailure } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { UploadActivities } from '../../activities/uploads.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { readingAllowanceMs } from '../../src/domain/uploads.ts';
import { PATIENT_RETRY } from './activities.ts';
import { routedTo } from './queues.ts';

/** A completion that came in time is tried once, also in the last moment. */
const LEAST_MS = 60_000;
/** Three seconds of pauses: as long as whoever asked for the opening surely waits for it. */
const FIRST_ATTEMPTS = 5;

/**
 * The opening runs inside the workflow task: one round trip less on the path that a customer waits for. Tried a few
 * times only, because every workflow task that waits for it adds to the history and keeps an abort waiting.
 */
export const opening = proxyLocalActivities<Pick<UploadActivities, 'openUpload'>>({
  summary: 'room reserved, upload begun in the store',
  startToCloseTimeout: '15s',
  localRetryThreshold: '30s',
  retry: { ...PATIENT_RETRY, maximumAttempts: FIRST_ATTEMPTS },
});

/** The opening, where the store or the database refuses it for longer. */
export function openingWithin(leftMs: number) {
  return routedTo<Pick<UploadActivities, 'openUpload'>>(STORAGE_QUEUE, {
    startToCloseTimeout: '15s',
    retry: PATIENT_RETRY,
    ...within(leftMs),
  });
}

/** Putting together and removing: a store that copies the parts takes long over it. */
const ATTEMPT_MS = 3_600_000;
const PARTS = { startToCloseTimeout: ATTEMPT_MS, heartbeatTimeout: '15s', retry: PATIENT_RETRY } as const;

/** Putting the parts together. What was asked for in time gets the time that one attempt may take. */
export function assemblyWithin(leftMs: number) {
  return routedTo<Pick<UploadActivities, 'assembleUpload'>>(STORAGE_QUEUE, {
    ...PARTS,
    ...within(Math.max(leftMs, ATTEMPT_MS)),
  });
}

/** Clearing away: until it succeeds, because room is given back only for what is gone. */
export const clearing = routedTo<Pick<UploadActivities, 'closeUpload'>>(STORAGE_QUEUE, PARTS);

/**
 * A terabyte at a bad 30 MB/s takes ten hours; the next attempt goes on where a lost one was. Its bytes are all there, so
 * it may go on for so long after the upload's time.
 */
export function hashingWithin(leftMs: number, byteSize: number) {
  return routedTo<Pick<UploadActivities, 'hashStoredUpload'>>(STORAGE_QUEUE, {
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

/** Whether an activity was given up because its upload's time is over, or would be before the next attempt. */
export function isOutOfTime(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return cause.timeoutType === 'SCHEDULE_TO_CLOSE';
  return error.retryState === 'TIMEOUT';
}

function within(leftMs: number): Pick<ActivityOptions, 'scheduleToCloseTimeout'> {
  return { scheduleToCloseTimeout: Math.max(leftMs, LEAST_MS) };
}
