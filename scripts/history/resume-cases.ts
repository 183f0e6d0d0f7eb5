/** What is recorded of jobs that go on: a resume after an end and out of a rest, and a job that is taken up from its rows. */
import { setTimeout as sleep } from 'node:timers/promises';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { ended, insist, job, reaches, submit } from './cases.ts';
import type { Case } from './cases.ts';
import { holdsText } from './history-text.ts';
import { until } from './recorder.ts';

/** Jobs that go on after an end or a pause, or after their workflow was lost. */
export const RESUME_CASES: readonly Case[] = [
  {
    name: 'resume-cancelled',
    async run(recorder) {
      const jobId = await submit(recorder, job(8, { seconds: 1 }));
      await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
      await recorder.client.cancel(jobId);
      await reaches(recorder, jobId, 'CANCELLED');
      await recorder.client.resume(jobId);
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, '"takenUp":true'), 'a next execution');
      return histories;
    },
  },
  {
    name: 'resume-paused',
    async run(recorder) {
      const jobId = await submit(recorder, job(8, { seconds: 1 }));
      await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
      await recorder.workflows.pause(jobId, 'OPERATOR');
      await reaches(recorder, jobId, 'PAUSED');
      // The workflow continues as new before it rests.
      await sleep(3000);
      await recorder.client.resume(jobId);
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(histories.filter(({ workflow }) => workflow === 'job').length === 3, 'a resume out of a rest');
      return histories;
    },
  },
  {
    name: 'taken-up',
    async run(recorder) {
      const jobId = await submit(recorder, job(8, { seconds: 1 }));
      await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
      const { workflow, schedule } = await recorder.temporal();
      await workflow.getHandle(jobWorkflowId(jobId)).terminate('by hand');
      await recorder.db.query(`update jobs set submitted_at = now() - interval '6 minutes' where id = $1`, [
        jobId,
      ]);
      await schedule.getHandle('ledger-audit').trigger();
      // The run that was terminated is closed before the next one is there.
      await reaches(recorder, jobId, 'SUCCEEDED');
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, 'CONTROL_LOST'), 'a job that was taken up');
      return histories;
    },
  },
];
