import { setTimeout as sleep } from 'node:timers/promises';
/** Cases of paths that few jobs take; `npm run test:mutations` names those that no history has. */
import { DOCKING_MESSAGES, dockingWorkflowId } from '../../src/contracts/docking.ts';
import { CONTROL_QUEUE } from '../../src/contracts/names.ts';
import { operator } from '../../src/services/audit/index.ts';
import { endJob } from '../../src/services/execution/settle/end-job.ts';
import { ended, insist, job, manyTasks, newestJob, newestOf, reaches, submit } from './cases.ts';
import type { Case } from './cases.ts';
import { batchOf, endedWork, start } from './docking-work-cases.ts';
import { holdsText } from './history-text.ts';
import { until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** Rounds of schedules that nothing else starts while histories are recorded. */
const rounds: readonly Case[] = ['sendAlerts', 'grantDueAllowances', 'endLongPauses'].map((type) => ({
  name: 'quiet-round',
  async run(recorder) {
    const { workflow } = await recorder.temporal();
    await workflow.execute(type, { workflowId: `round/${type}`, taskQueue: CONTROL_QUEUE });
    return newestOf(recorder, type);
  },
}));

/** Cases on the stack with real instances. */
export const RARE_CASES: readonly Case[] = [
  ...rounds,
  {
    name: 'refused-stored',
    async run(recorder) {
      // Enough for one of the two, whose requests are too long to stand in their workflows.
      const before = new Date();
      recorder.stack.pause('control');
      const poor = await recorder.newClient(1_300);
      const answers = [1, 2].map(async () =>
        poor.submit(job(1_000, { seconds: 0 }, 10)).catch((error: unknown) => error),
      );
      await sleep(2500);
      recorder.stack.resume('control');
      await Promise.all(answers);
      const histories = await newestJob(recorder, before);
      insist(holdsText(histories, 'removeRefusedRequest'), 'a stored request that is removed');
      return histories;
    },
  },
  {
    name: 'second-pause',
    async run(recorder) {
      const fail = [{ index: 0, kind: 'killinstance', times: 3 }];
      const request = { ...job(1, { seconds: 0.5, fail }), recovery: { mode: 'resumable' } } as const;
      const histories = await ended(recorder, await submit(recorder, request), 'SUCCEEDED');
      insist(holdsText(histories, 'before the next instance of slot'), 'a pause after losses in a row');
      return histories;
    },
  },
  {
    name: 'launch-failed',
    async run(recorder) {
      // The first instance of the job is never heard of, so its launch is given up and the next one comes after a pause.
      await recorder.db.query(`create function history_unheard() returns trigger language plpgsql as
        $$ begin new.last_contact_at := null; return new; end $$`);
      await recorder.db.query(`create trigger history_unheard before update on instances for each row
        when (new.generation = 1 and new.last_contact_at is not null) execute function history_unheard()`);
      try {
        const histories = await ended(
          recorder,
          await submit(recorder, job(1, { seconds: 0.1 })),
          'SUCCEEDED',
        );
        insist(holdsText(histories, 'before the next launch'), 'a pause after a launch that came to nothing');
        return histories;
      } finally {
        await recorder.db.query('drop function history_unheard cascade');
      }
    },
  },
  {
    name: 'many-tasks',
    async run(recorder) {
      // One task more than two of the largest parts, so that parts of one task more are fewer.
      const histories = await ended(recorder, await submit(recorder, manyTasks(501, 10)), 'SUCCEEDED');
      insist(holdsText(histories, 'task 500-500 on'), 'parts that are as large as a part may be');
      return histories.filter(({ workflow }) => workflow === 'job');
    },
  },
  {
    name: 'failed-by-fault',
    async run(recorder) {
      const jobId = await submit(recorder, job(3, { seconds: 1 }));
      await reaches(recorder, jobId, 'RUNNING');
      // The settlement does not find its execution, which no repetition mends.
      const renumber = (from: number, to: number): Promise<unknown> =>
        recorder.db.query('update job_executions set n = $3 where job_id = $1 and n = $2', [jobId, from, to]);
      await renumber(1, 99);
      const histories = await recorder.histories(jobId);
      await renumber(99, 1);
      const { db, workflows } = recorder;
      await endJob({ db, workflows }, { jobId, reason: 'recorded' }, operator('history-record'));
      insist(holdsText(histories, 'it is NOT settled'), 'a workflow that failed by a fault of the service');
      return histories.filter(({ workflow }) => workflow === 'job');
    },
  },
  {
    name: 'cancel-sample-batch',
    async run(recorder) {
      const { id, jobId } = await start(recorder, batchOf(8, { seconds: 2 }, { sample: true }));
      await reaches(recorder, jobId, 'SUCCEEDED');
      await until('a sample is docked again', () => isSampleRunning(recorder));
      await (await recorder.temporal()).workflow.getHandle(dockingWorkflowId('batch', id)).cancel();
      const histories = await endedWork(recorder, 'batch', id);
      insist(holdsText(histories, 'cancelDockingJob'), 'a sample that is cancelled');
      return histories;
    },
  },
];

/** Cases on the stack for long jobs. */
export const RARE_BIG_CASES: readonly Case[] = [
  {
    name: 'grown-fleet',
    async run(recorder) {
      // Two jobs leave one instance.
      const others = [2, 60].map(async (tasks) => {
        const client = await recorder.newClient(10_000);
        const { jobId } = await client.submit(withSeconds(manyTasks(tasks, 1), 60));
        return { client, jobId };
      });
      for (const other of await Promise.all(others)) await reaches(recorder, other.jobId, 'RUNNING');
      const jobId = await submit(recorder, withSeconds(manyTasks(60, 1), 1));
      await reaches(recorder, jobId, 'RUNNING');
      await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
      for (const { client, jobId: other } of await Promise.all(others)) await client.cancel(other);
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, '"signalName":"capacity"'), 'capacity that was granted meanwhile');
      return histories.filter(({ workflow }) => workflow === 'job');
    },
  },
  {
    name: 'merge-elsewhere',
    async run(recorder) {
      // The first task of the second instance is done again, so that the first instance has ended before it.
      const fail = [{ index: 6, kind: 'killself', times: 2 }];
      const noop = { seconds: 0.5, outputBytes: 10, merge: true, fail };
      const merging = { ...manyTasks(24, 1), metadata: { noop } };
      const histories = await ended(recorder, await submit(recorder, merging), 'SUCCEEDED');
      insist(holdsText(histories, 'merge 0-0 on instance 1.'), 'a merge on another instance than the first');
      return histories.filter(({ workflow }) => workflow === 'job');
    },
  },
  {
    name: 'continued-batch',
    async run(recorder) {
      const { id, jobId } = await start(recorder, batchOf(4, { seconds: 30 }));
      await reaches(recorder, jobId, 'RUNNING');
      const handle = (await recorder.temporal()).workflow.getHandle(dockingWorkflowId('batch', id));
      // The decision is known already, so these change nothing but the length of the history.
      for (let sent = 0; sent < 60; sent += 1)
        await handle.signal(DOCKING_MESSAGES.decided, { kind: 'expired' });
      const histories = await endedWork(recorder, 'batch', id);
      insist(histories.length > 1, 'a batch that continues as new');
      return histories;
    },
  },
];

function withSeconds(request: ReturnType<typeof manyTasks>, seconds: number): ReturnType<typeof manyTasks> {
  return { ...request, metadata: { noop: { seconds, outputBytes: 10 } } };
}

async function isSampleRunning({ db }: Recorder): Promise<boolean> {
  const rows = await db.query<unknown[]>(`select 1 from jobs where internal and status = 'RUNNING'`);
  return rows.length > 0;
}
