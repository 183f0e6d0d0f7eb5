/**
 * Follows a job by long polls. Every status that differs from the one before is given once, the last one is terminal.
 * A restart of the service is waited out. A caller ends the following by leaving the loop or by aborting.
 */
import { pause } from './retry.ts';
import { parse } from './transport.ts';
import type { Transport } from './transport.ts';
import type { JobState, JobStatusResponse } from './types.ts';

export interface WatchOptions {
  readonly signal?: AbortSignal;
  /** How long the service holds an unchanged status back; at most 25. */
  readonly waitSeconds?: number;
  /** Least time between two questions, so that a busy job does not use up the rate limit. */
  readonly minIntervalMs?: number;
}

const LONGEST_WAIT_SECONDS = 25;
const ANSWER_SPARE_SECONDS = 20;
const MIN_INTERVAL_MS = 250;
const UNCHANGED = 304;

const ENDED: ReadonlySet<JobState> = new Set(['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED']);

/** Whether nothing more happens to a job by itself. */
export function hasEnded(status: Pick<JobStatusResponse, 'status'>): boolean {
  return ENDED.has(status.status);
}

/** Gives a job's statuses as they change, up to the terminal one. */
export async function* watchJob(
  transport: Transport,
  jobId: string,
  options: WatchOptions = {},
): AsyncGenerator<JobStatusResponse, void, void> {
  const waitSeconds = Math.min(options.waitSeconds ?? LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  const minIntervalMs = options.minIntervalMs ?? MIN_INTERVAL_MS;
  let version: string | null = null;
  for (;;) {
    const askedAt = performance.now();
    const answer = await transport.send({
      method: 'GET',
      path: `/jobs/${encodeURIComponent(jobId)}/status`,
      // Without a known version the service answers at once.
      headers: version === null ? {} : { 'if-none-match': version, prefer: `wait=${waitSeconds}` },
      repeatable: true,
      timeoutSeconds: waitSeconds + ANSWER_SPARE_SECONDS,
      signal: options.signal,
    });
    if (answer.status !== UNCHANGED) {
      version = answer.headers.get('etag');
      const status = parse<JobStatusResponse>(answer);
      yield status;
      if (hasEnded(status)) return;
    }
    const left = minIntervalMs - (performance.now() - askedAt);
    if (left > 0) await pause(left, options.signal);
  }
}
