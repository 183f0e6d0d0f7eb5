/** Cases of jobs to record: each way a job can go, with the fault that makes it go that way. */
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { CONTROL_QUEUE } from '../../src/contracts/names.ts';
import { storageBucket } from '../../src/stack/storage.ts';
import type { RecordedHistory } from './files.ts';
import { holdsText, textOf } from './history-text.ts';
import { historyOf, runsOf, until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** One case; `run` throws when the histories do not show what the case is for. */
export interface Case {
  readonly name: string;
  run(recorder: Recorder): Promise<RecordedHistory[]>;
}

interface NoopMetadata {
  readonly seconds: number;
  readonly merge?: boolean;
  readonly fail?: readonly {
    readonly index: number | 'merge';
    readonly kind: string;
    readonly times?: number;
  }[];
}

/** A noop job with names that may not be recorded. */
export function job(taskCount: number, noop: NoopMetadata, shardSize = 1): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'noop',
    // Names and structures are here so that a test can show where they must not be.
    jobName: 'confidential-project',
    simulationParams: {
      dockingExecution: { shardSize },
      ligandLibrary: Array.from({ length: taskCount }, (_, index) => ({
        ligandId: `l${index}`,
        label: 'confidential-ligand',
        source: { kind: 'smiles', smiles: 'CC(=O)Oc1ccccc1C(=O)O' },
        preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
      })),
    },
    metadata: { noop: { outputBytes: 100, ...noop } },
  };
}

/** A job of many tasks that do nothing. */
export function manyTasks(taskCount: number, shardSize: number): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'noop',
    taskCount,
    simulationParams: { dockingExecution: { shardSize } },
    metadata: { noop: { seconds: 0, outputBytes: 10 } },
  };
}

/** Submits a job. */
export async function submit(recorder: Recorder, request: SubmitJobRequest): Promise<string> {
  return (await recorder.client.submit(request)).jobId;
}

/** Waits for a state of a job. */
export async function reaches(
  recorder: Recorder,
  jobId: string,
  ...states: readonly string[]
): Promise<void> {
  await until(
    `${jobId} is ${states.join(' or ')}`,
    async () => states.includes(await recorder.stateOf(jobId)),
    5,
  );
}

/** The histories, if the job ended as it should. */
export async function ended(recorder: Recorder, jobId: string, state: string): Promise<RecordedHistory[]> {
  const histories = await recorder.histories(jobId);
  const actual = await recorder.stateOf(jobId);
  if (actual !== state) throw new Error(`the job ended ${actual}, not ${state}`);
  return histories;
}

/** Refuses histories that do not show what they are for. */
export function insist(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`the histories do not show ${what}`);
}

/** Runs a job to an end. */
function plain(name: string, request: SubmitJobRequest, state: string): Case {
  return { name, run: async (recorder) => ended(recorder, await submit(recorder, request), state) };
}

/** Cancels a job in a state, which it is kept in by `keep` until the cancel was sent. */
function cancelIn(
  state: string,
  request: SubmitJobRequest,
  keep: (recorder: Recorder, jobId: string) => Promise<() => Promise<void> | void>,
): Case {
  return {
    name: `cancel-${state.toLowerCase()}`,
    async run(recorder) {
      const jobId = await submit(recorder, request);
      const release = await keep(recorder, jobId);
      try {
        const answer = await recorder.client.cancel(jobId, { reason: 'confidential-reason' });
        insist(answer.status === state, `a cancel in ${state}, but in ${answer.status}`);
      } finally {
        await release();
      }
      return ended(recorder, jobId, 'CANCELLED');
    },
  };
}

const nothing = (): void => undefined;

const cancels: readonly Case[] = [
  cancelIn('SUBMITTED', job(4, { seconds: 0 }), async ({ stack }) => {
    stack.pause('control');
    return () => stack.resume('control');
  }),
  {
    name: 'cancel-queued',
    async run(recorder) {
      const first = await submit(recorder, job(2, { seconds: 30 }));
      await reaches(recorder, first, 'RUNNING');
      const jobId = await submit(recorder, job(2, { seconds: 0 }));
      await reaches(recorder, jobId, 'QUEUED');
      // Long enough to have looked for capacity more than once.
      await sleep(5000);
      await recorder.client.cancel(jobId);
      const histories = await ended(recorder, jobId, 'CANCELLED');
      await recorder.client.cancel(first);
      await ended(recorder, first, 'CANCELLED');
      return histories;
    },
  },
  cancelIn('PROVISIONING', job(4, { seconds: 0 }), async (recorder, jobId) => {
    recorder.stack.pause('compute');
    await reaches(recorder, jobId, 'PROVISIONING');
    await sleep(1000);
    return () => recorder.stack.resume('compute');
  }),
  cancelIn('RUNNING', job(6, { seconds: 3 }), async (recorder, jobId) => {
    await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
    return nothing;
  }),
  cancelIn('FINALIZING', job(3, { seconds: 1 }), async (recorder, jobId) => {
    // Seen before the store is asked for the job's outputs, which it is kept from.
    await reaches(recorder, jobId, 'FINALIZING');
    recorder.stack.pause('storage');
    return () => recorder.stack.resume('storage');
  }),
  {
    name: 'cancel-ending',
    async run(recorder) {
      const jobId = await submit(recorder, job(3, { seconds: 1 }));
      await reaches(recorder, jobId, 'RUNNING');
      await until('all is verified', async () => (await recorder.verifiedOf(jobId)) === 3, 5);
      // The check of completeness reads no instances; the fence writes them, and is kept from it.
      await recorder.db.transaction(async (tx) => {
        await tx.query('lock table instances in share mode');
        const fencing = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%set fenced_at = now()%'`;
        await until('the fence is set', async () => (await recorder.db.query<unknown[]>(fencing)).length > 0);
        await recorder.client.cancel(jobId, { reason: 'confidential-reason' });
      });
      const histories = await ended(recorder, jobId, 'CANCELLED');
      const text = textOf(histories);
      insist(
        text.indexOf('"taskCounts"') < text.indexOf('"to":"CANCELLING"'),
        'a cancel that came while the end was written',
      );
      return histories;
    },
  },
];

const pauses: readonly Case[] = [
  {
    name: 'pause-then-cancel',
    async run(recorder) {
      const jobId = await submit(recorder, job(12, { seconds: 1 }));
      await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
      await recorder.workflows.pause(jobId, 'OPERATOR');
      await reaches(recorder, jobId, 'PAUSED');
      const released = `select count(*)::text as value from capacity_requests where job_id = $1 and state = 'RELEASED'`;
      await until('capacity is given back', async () => {
        const [row] = await recorder.db.query<{ value: string }[]>(released, [jobId]);
        return row?.value === '1';
      });
      // The pause has ended the run; the cancel starts another.
      await sleep(3000);
      await recorder.client.cancel(jobId);
      const histories = await ended(recorder, jobId, 'CANCELLED');
      insist(histories.filter(({ workflow }) => workflow === 'job').length === 2, 'a cancel in a second run');
      return histories;
    },
  },
];

const refusals: readonly Case[] = [
  {
    name: 'refused',
    async run(recorder) {
      // Enough for one of the two: the API finds credits for both, the workflows admit one.
      const before = new Date();
      recorder.stack.pause('control');
      const poor = await recorder.newClient(6);
      const answers = [1, 2].map(async () =>
        poor.submit(job(4, { seconds: 0 })).catch((error: unknown) => error),
      );
      await sleep(1000);
      recorder.stack.resume('control');
      await Promise.all(answers);
      return newestJob(recorder, before);
    },
  },
  {
    name: 'expired',
    async run(recorder) {
      const before = new Date();
      await recorder.stack.stopChild('control');
      const answer = recorder.client.submit(job(4, { seconds: 0 })).catch((error: unknown) => error);
      // Longer than admitBy, so that the worker finds an admission that may not start any more.
      await sleep(6000);
      await recorder.stack.startChild('control');
      await answer;
      return newestJob(recorder, before, 'expired');
    },
  },
];

/** The job workflow that was started last, for a job that has no row. */
export async function newestJob(
  recorder: Recorder,
  since: Date,
  text = 'refused',
): Promise<RecordedHistory[]> {
  const temporal = await recorder.temporal();
  const query = `WorkflowType = "job" AND ExecutionStatus = "Completed" AND StartTime >= "${since.toISOString()}"`;
  await until('it is closed', async () => (await temporal.workflow.count(query)).count > 0);
  for (const run of await runsOf(temporal, query)) {
    const recorded = await historyOf(run, recorder.stack);
    if (holdsText([recorded], `"decision":"${text}"`)) return [recorded];
  }
  throw new Error(`no workflow that was ${text}`);
}

const losses: readonly Case[] = [
  {
    name: 'recovery',
    async run(recorder) {
      const jobId = await submit(recorder, job(10, { seconds: 1 }));
      await until('something is verified', async () => (await recorder.verifiedOf(jobId)) > 0);
      const instance = recorder.stack.processes().find(({ name }) => name.startsWith('instance/'));
      insist(instance !== undefined, 'an instance');
      recorder.stack.kill(instance?.name ?? '');
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, '"end":"lost"'), 'a lost part');
      return histories;
    },
  },
  {
    name: 'timeout-adoption',
    async run(recorder) {
      const jobId = await submit(recorder, job(4, { seconds: 12 }));
      await reaches(recorder, jobId, 'RUNNING');
      await sleep(2000);
      await recorder.stack.stopChild('temporal', 'SIGKILL');
      await sleep(4000);
      await recorder.stack.startChild('temporal');
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, '"state":"alive","cause":"CONTACT"'), 'an inquiry');
      insist(!holdsText(histories, '"end":"lost"'), 'an adoption');
      return histories;
    },
  },
  {
    name: 'redo-unverified',
    async run(recorder) {
      const jobId = await submit(recorder, job(6, { seconds: 1 }));
      const staged = join(recorder.stack.home, 'storage', storageBucket, 'staging', jobId, '*', '*', '*.bin');
      let file: string | undefined;
      await until('an output is staged', () => (file = globSync(staged)[0]) !== undefined, 10);
      writeFileSync(file ?? '', 'other bytes');
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(/"redo":\[\d/.test(textOf(histories)), 'a task that is run again');
      return histories;
    },
  },
  {
    name: 'output-missing',
    async run(recorder) {
      const jobId = await submit(recorder, job(3, { seconds: 1 }));
      await until('all is verified', async () => (await recorder.verifiedOf(jobId)) === 3, 5);
      recorder.stack.pause('storage');
      const committed = join(
        recorder.stack.home,
        'storage',
        storageBucket,
        'accounts',
        '*',
        'jobs',
        jobId,
        '0',
        '*',
      );
      for (const file of globSync(committed)) rmSync(file);
      recorder.stack.resume('storage');
      const histories = await ended(recorder, jobId, 'SUCCEEDED');
      insist(holdsText(histories, '"setBack":1'), 'a task that was set back');
      return histories;
    },
  },
];

const deployment: readonly Case[] = [
  { name: 'round', run: (recorder) => newestOf(recorder, 'sweepDeployment') },
  {
    name: 'round',
    async run(recorder) {
      const { schedule } = await recorder.temporal();
      await schedule.getHandle('ledger-audit').trigger();
      return newestOf(recorder, 'auditLedger');
    },
  },
  ...['fetchFxRate', 'reconcileBooks'].map((type) => ({
    name: 'round',
    async run(recorder: Recorder) {
      const { workflow } = await recorder.temporal();
      await workflow.execute(type, { workflowId: `round/${type}`, taskQueue: CONTROL_QUEUE });
      return newestOf(recorder, type);
    },
  })),
];

/** The last round of a schedule's workflow. */
export async function newestOf(recorder: Recorder, type: string): Promise<RecordedHistory[]> {
  const temporal = await recorder.temporal();
  const query = `WorkflowType = "${type}" AND ExecutionStatus = "Completed"`;
  await until(`${type} has run`, async () => (await temporal.workflow.count(query)).count > 0);
  const last = (await runsOf(temporal, query)).at(-1);
  if (last === undefined) throw new Error(`no ${type}`);
  return [await historyOf(last, recorder.stack)];
}

/** Cases on the stack with real instances, one job at a time. */
export const CASES: readonly Case[] = [
  plain('success', job(12, { seconds: 0.1 }, 3), 'SUCCEEDED'),
  plain('merge', job(6, { seconds: 0.1, merge: true }, 2), 'SUCCEEDED'),
  plain(
    'merge-failed',
    job(3, { seconds: 0.1, merge: true, fail: [{ index: 'merge', kind: 'error' }] }),
    'PARTIALLY_SUCCEEDED',
  ),
  plain(
    'partial',
    job(5, { seconds: 0.1, fail: [1, 3].map((index) => ({ index, kind: index === 1 ? 'error' : 'exit' })) }),
    'PARTIALLY_SUCCEEDED',
  ),
  plain(
    'failure',
    job(3, { seconds: 0.1, fail: [0, 1, 2].map((index) => ({ index, kind: 'error' })) }),
    'FAILED',
  ),
  ...refusals,
  ...cancels,
  ...pauses,
  ...losses,
  ...deployment,
];

/** Cases on the stack for long jobs. */
export const bigCases: readonly Case[] = [
  {
    name: 'fleet',
    async run(recorder) {
      const histories = await ended(recorder, await submit(recorder, manyTasks(60, 1)), 'SUCCEEDED');
      insist(holdsText(histories, 'stepVcpus'), 'capacity that is granted by the instance');
      insist(holdsText(histories, 'partStarts'), 'parts that fit the instances');
      insist(holdsText(histories, 'reduceCapacity'), 'an instance that ended before the job');
      return histories;
    },
  },
  {
    name: 'continue-as-new',
    async run(recorder) {
      const histories = await ended(recorder, await submit(recorder, manyTasks(1000, 10)), 'SUCCEEDED');
      insist(histories.filter(({ workflow }) => workflow === 'job').length > 1, 'a second run');
      return histories;
    },
  },
];
