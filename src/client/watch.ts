/**
 * Follows a job by a stream, and where no stream comes through by long polls. Every status that differs from the one before is given once, the last one is terminal.
 * A restart of the service is waited out. A caller ends the following by leaving the loop or by aborting.
 */
import { pause } from './retry.ts';
import { dataOf, readParts } from './stream.ts';
import { parse } from './transport.ts';
import type { Transport } from './transport.ts';
import type { JobState, JobStatusResponse } from './types.ts';

export interface WatchOptions {
  readonly signal?: AbortSignal;
  /** How long the service holds an unchanged status back where no stream comes through; at most 25. */
  readonly waitSeconds?: number;
  /** How long a stream may be silent before it is left; 40 s by default. */
  readonly silenceMs?: number;
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
  const { signal, silenceMs } = options;
  const path = `/jobs/${encodeURIComponent(jobId)}`;
  let known: string | null = null;
  let isStreaming = true;
  while (isStreaming) {
    const parts = readParts(transport, { path: `${path}/events`, signal }, silenceMs);
    let next = await parts.next();
    try {
      for (; next.done !== true; next = await parts.next()) {
        if (next.value.name !== 'status') continue;
        const { version, status } = dataOf<StatusPart>(next.value);
        if (known === tagOf(version)) continue;
        known = tagOf(version);
        yield status;
        if (hasEnded(status)) return;
      }
    } finally {
      // Also a reader that leaves in the middle closes the stream.
      await parts.return({ kind: 'unavailable' });
    }
    isStreaming = next.value.kind === 'lost';
    if (next.value.kind === 'lost') {
      await pause(next.value.retryMs, signal);
      // A service that is away for long is told of here.
      const answer = await ask(0);
      if (answer !== null) yield answer;
      if (answer !== null && hasEnded(answer)) return;
    }
  }
  for (;;) {
    const askedAt = performance.now();
    const status = await ask(waitSeconds);
    if (status !== null) yield status;
    if (status !== null && hasEnded(status)) return;
    const left = minIntervalMs - (performance.now() - askedAt);
    if (left > 0) await pause(left, signal);
  }

  /** Asks for a status that is not known yet, and waits for it so long; null without one. */
  async function ask(seconds: number): Promise<JobStatusResponse | null> {
    const answer = await transport.send({
      method: 'GET',
      path: `${path}/status`,
      // Without a known version the service answers at once.
      headers:
        known === null
          ? {}
          : { 'if-none-match': known, ...(seconds > 0 ? { prefer: `wait=${seconds}` } : {}) },
      repeatable: true,
      timeoutSeconds: seconds + ANSWER_SPARE_SECONDS,
      signal,
    });
    if (answer.status === UNCHANGED) return null;
    known = answer.headers.get('etag');
    return parse<JobStatusResponse>(answer);
  }
}

/** A part of the stream that has the status of the job. */
interface StatusPart {
  readonly version: string;
  readonly status: JobStatusResponse;
}

/** The entity tag that GET of the status gives this version. */
function tagOf(version: string): string {
  return `W/"${version}"`;
}
