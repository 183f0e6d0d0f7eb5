/**
 * A random walk over a job on the real stack: the same commands as those of the model, each done as a customer, an operator
 * or a failing machine does it. A command that is impossible at its moment changes nothing.
 */
import { expect } from 'chai';

import type { JobWorkflows } from '../../../src/adapters/temporal/client.ts';
import { settlesHold } from '../../../src/domain/job-state.ts';
import type { JobState } from '../../../src/domain/job-state.ts';
import type { Draws } from '../fleet/distributions.ts';
import { tasksOf } from '../faults/jobs.ts';
import type { FaultJob } from '../faults/jobs.ts';
import { RECOVERY_MS } from '../faults/times.ts';
import type { FaultWorld } from '../faults/world.ts';
import { until } from '../until.ts';

/** The stack of a walk. */
export interface WalkWorld {
  readonly world: FaultWorld;
  readonly workflows: JobWorkflows;
}

/** World of a command. */
interface Step extends WalkWorld {
  readonly job: FaultJob;
  readonly draws: Draws;
}

const SERVERS = ['control', 'gateway', 'api', 'compute'] as const;
const PATIENCE_MS = 3_000;
const MOST_EXECUTIONS = 12;

/** All commands. A new one is one line here. */
const COMMANDS: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
  verify: oneMoreVerified,
  lose: loseInstance,
  kill: ({ world, draws }) => world.killAndRestart(pick(SERVERS, draws)),
  vanish: loseOutput,
  pause: async (step) => {
    if (await step.workflows.pause(step.job.jobId, 'OPERATOR')) await stops(step);
  },
  cancel: async (step) => {
    // A job that has ended since answers a conflict.
    await step.job.customer.client.cancel(step.job.jobId).catch(() => undefined);
    await stops(step);
  },
  resume: (step) => resume(step),
  limit: async (step) => {
    await resume(step, 1 + Math.floor(step.draws.uniform() * 5));
    await stops(step);
  },
};

/** The names of commands; those that make the walk go on come more often. */
const NAMES = [
  ...['verify', 'verify', 'verify', 'lose', 'lose', 'kill', 'vanish', 'pause', 'pause'],
  ...['cancel', 'resume', 'resume', 'resume', 'limit'],
];

/** The commands of a walk from its seed. */
export function walkOf(draws: Draws): readonly string[] {
  return Array.from({ length: 3 + Math.floor(draws.uniform() * 5) }, () => pick(NAMES, draws));
}

/** Walks, and then lets the job go on until it has succeeded. */
export async function walk(
  walked: WalkWorld,
  job: FaultJob,
  names: readonly string[],
  draws: Draws,
): Promise<void> {
  const step = { ...walked, job, draws };
  for (const name of names) {
    await COMMANDS[name]?.(step);
    await isSound(step);
  }
  for (let turn = 0; turn < MOST_EXECUTIONS; turn += 1) {
    if ((await stops(step)) === 'SUCCEEDED') return;
    await isSound(step);
    await resume(step);
  }
  expect.fail(`job ${job.jobId} did not succeed after ${String(MOST_EXECUTIONS)} executions`);
}

/** No charge is above its hold, and nothing is held while the job stands still. */
async function isSound({ world, job }: Step): Promise<void> {
  const [row] = await world.rows<{ status: JobState; open: number; above: number }>(
    `select status, (select count(*)::int from holds h where h.job_id = j.id and h.state = 'OPEN') as open,
       (select count(*)::int from holds h where h.job_id = j.id and h.charged_pence > h.held_pence) as above
     from jobs j where id = $1`,
    [job.jobId],
  );
  expect(row?.above, 'charges above their holds').to.equal(0);
  expect(row?.open, `open holds of a job that is ${String(row?.status)}`).to.equal(
    row !== undefined && settlesHold(row.status) ? 0 : 1,
  );
}

/** Waits until the job is paused or has ended, and answers the state. A paused job that is to be cancelled ends first: no resume is taken. */
async function stops({ world, job }: Step): Promise<JobState> {
  let state: JobState = 'SUBMITTED';
  await until(
    `job ${job.jobId} stops`,
    async () => {
      const [row] = await world.rows<{ status: JobState; ends: boolean }>(
        'select status, cancel_requested_at is not null as ends from jobs where id = $1',
        [job.jobId],
      );
      state = row?.status ?? state;
      return settlesHold(state) && !(state === 'PAUSED' && row?.ends === true);
    },
    RECOVERY_MS,
  ).catch(async (error: unknown) => {
    throw new Error(`The job does not stop: ${await standOf({ world, job })}`, { cause: error });
  });
  return state;
}

/** The job with its workflow, instances and losses, for whoever is to find out why the job hangs. */
async function standOf({ world, job }: Pick<Step, 'world' | 'job'>): Promise<string> {
  const [row] = await world.rows<{ stand: unknown }>(
    `select jsonb_build_object('job', (select jsonb_build_object('status', status, 'reason', status_reason, 'pause', pause_reason,
         'execution', execution, 'cancel', cancel_requested_at, 'updated', updated_at, 'now', clock_timestamp()) from jobs where id = $1),
       'executions', (select jsonb_agg(jsonb_build_object('n', n, 'began', started_at, 'settled', settled_at, 'outcome', outcome))
         from job_executions where job_id = $1),
       'tasks', (select jsonb_agg(jsonb_build_array(kind, ordinal, state, execution, attempts, losses, slot, generation, failure_code)) from tasks where job_id = $1),
       'capacity', (select jsonb_agg(to_jsonb(c)) from capacity_requests c where job_id = $1),
       'instances', (select jsonb_agg(jsonb_build_array(slot, generation, state, launched_at, last_contact_at, fenced_at, fence_cause)) from instances where job_id = $1),
       'recoveries', (select jsonb_agg(jsonb_build_array(created_at, kind, cause, slot, generation)) from recoveries where job_id = $1)) as stand`,
    [job.jobId],
  );
  const { workflow } = await world.temporal();
  const runs: unknown[] = [];
  for await (const run of workflow.list({ query: `WorkflowId = 'job/${job.jobId}'` }))
    runs.push([run.runId, run.status.name, run.startTime, run.closeTime, run.historyLength]);
  return JSON.stringify({ ...(row?.stand as object), runs });
}

async function oneMoreVerified(step: Step): Promise<void> {
  const count = async (): Promise<number> =>
    (await tasksOf(step.world, step.job)).filter(({ state }) => state === 'SUCCEEDED').length;
  const before = await count();
  await until('one more task is verified', async () => (await count()) > before, PATIENCE_MS).catch(
    () => null,
  );
}

async function loseInstance({ world, job }: Step): Promise<void> {
  const rows = await world.rows<{ provider_id: string | null }>(
    `select provider_id from instances where job_id = $1 and fenced_at is null and state = 'RUNNING'`,
    [job.jobId],
  );
  for (const { provider_id: id } of rows) {
    const name = `instance/${String(id)}`;
    if (world.stack.pid(name) !== undefined) world.stack.kill(name);
  }
}

/** Somebody removes the output of a task that is verified; of a job that has succeeded nobody would ever notice. */
async function loseOutput({ world, job, draws }: Step): Promise<void> {
  const rows = await world.rows<{ storage_key: string }>(
    `select a.storage_key from artifacts a join jobs j on j.id = a.job_id
     where j.id = $1 and a.task_kind = 'task' and j.status not in ('SUCCEEDED', 'FINALIZING') order by a.task_ordinal`,
    [job.jobId],
  );
  if (rows.length > 0) await world.store.remove([pick(rows, draws).storage_key]);
}

/** Resumes the job, with a limit that may be too small for a task. */
async function resume({ job }: Step, limitCents?: number): Promise<void> {
  const request = limitCents === undefined ? {} : { limitCents };
  await job.customer.client.resume(job.jobId, request).catch((error: unknown) => {
    const { code } = error as { readonly code?: string };
    if (limitCents !== undefined && code === 'COST_LIMIT_EXCEEDED') return;
    expect(error).to.include({ status: 409, code: 'JOB_NOT_RESUMABLE' });
  });
}

function pick<T>(from: readonly T[], draws: Draws): T {
  const one = from[Math.floor(draws.uniform() * from.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}
