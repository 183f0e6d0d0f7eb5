/** Cases of jobs that go on: a resume after an end and out of a rest, and a job that is taken up from its rows. */
import { setTimeout as sleep } from 'node:timers/promises';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { grantCredits } from '../../src/services/ledger/index.ts';
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
      // The pause has ended the run; the resume starts another.
      await sleep(3000);
      await recorder.client.resume(jobId);
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(histories.filter(({ workflow }) => workflow === 'job').length === 2, 'a resume after a pause');
      return histories;
    },
  },
  {
    name: 'resume-twice',
    async run(recorder) {
      const jobId = await submit(recorder, job(8, { seconds: 1 }));
      // Each resume finds no run, so the run that it starts is given its message, too; it must not take the message for a further one.
      for (const verified of [1, 3]) {
        await until('more is verified', async () => (await recorder.verifiedOf(jobId)) >= verified);
        await recorder.workflows.pause(jobId, 'OPERATOR');
        await reaches(recorder, jobId, 'PAUSED');
        await until('the run has ended', async () => (await recorder.workflows.endOf(jobId)) !== null);
        await recorder.client.resume(jobId);
      }
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      const runs = histories.filter(({ workflow }) => workflow === 'job');
      insist(runs.length === 3, 'a run for each execution');
      insist(holdsText(histories, '"signalName":"resume"'), 'runs that resumes have started');
      return histories;
    },
  },
  {
    name: 'limit',
    async run(recorder) {
      // Three pence and a fifth are held, and the tasks take ten times as long as is expected.
      const client = await recorder.newClient(5);
      const request = { jobType: 'simulation', simulator: 'noop', taskCount: 8 } as const;
      const noop = { pricing: 'measured', seconds: 1, outputBytes: 100 };
      const { jobId } = await client.submit({ ...request, metadata: { taskRuntimeMinutes: 0.0016, noop } });
      await reaches(recorder, jobId, 'PAUSED');
      const [row] = await recorder.db.query<{ owner: string }[]>(
        'select account_id as owner from jobs where id = $1',
        [jobId],
      );
      const credits = { accountId: row?.owner ?? '', amountPence: 500, key: jobId, description: 'To finish' };
      await grantCredits(recorder.db, credits);
      await client.resume(jobId);
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, 'coverTasks'), 'tasks that are covered before their dispatch');
      insist(holdsText(histories, '"pauseReason":"CREDITS"'), 'a pause for want of credits');
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
