/**
 * Cases of a job on a provider with one spot place: an instance on it, one on demand after the wait, and an instance that is
 * taken away with a notice.
 */
import { loadConfig } from '../../src/config.ts';
import { ended, insist, job, submit } from './cases.ts';
import type { Case } from './cases.ts';
import { holdsText } from './history-text.ts';
import { until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

const NOTICE_SECONDS = 15;

/** Jobs that ask for spot instances. */
export const SPOT_CASES: readonly Case[] = [
  {
    name: 'spot',
    async run(recorder) {
      const request = { ...job(16, { seconds: 1 }), recovery: { mode: 'resumable' } } as const;
      const histories = await ended(recorder, await submit(recorder, request), 'SUCCEEDED');
      insist(holdsText(histories, 'no-spot'), 'a wait for a spot instance');
      insist(holdsText(histories, '"market":"ON_DEMAND"'), 'an instance on demand after the wait');
      return histories;
    },
  },
  {
    name: 'preempted',
    async run(recorder) {
      const request = { ...job(24, { seconds: 0.5 }), recovery: { mode: 'resumable' } } as const;
      const jobId = await submit(recorder, request);
      await until('some tasks are verified', async () => (await recorder.verifiedOf(jobId)) >= 3);
      await takeAwaySpot(recorder, jobId);
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, 'drainInstance'), 'an instance that was about to be taken away');
      insist(holdsText(histories, '"cause":"PREEMPTED"'), 'its loss');
      return histories;
    },
  },
];

/** Takes the spot instance of a job away as a market does. */
async function takeAwaySpot({ db, stack }: Recorder, jobId: string): Promise<void> {
  const [row] = await db.query<{ readonly launch_token: string }[]>(
    `select launch_token from instances where job_id = $1 and market = 'SPOT' and fenced_at is null`,
    [jobId],
  );
  insist(row !== undefined, 'a spot instance');
  const { computeUrl, computeToken } = loadConfig('control', stack.env);
  const path = `/v1/instances/${encodeURIComponent(row?.launch_token ?? '')}/interruption`;
  await fetch(new URL(path, computeUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${computeToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ seconds: NOTICE_SECONDS }),
  });
}
