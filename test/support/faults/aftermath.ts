/** Truths about a job that has ended, whatever happened before: its money, its outputs, and no leftovers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { markedProcesses } from '../../../src/instance/process-table.ts';
import { instanceIdOf } from '../../../src/local-host/host-table.ts';
import { INSTANCE_MARKER, TASK_MARKER } from '../../../src/contracts/local-host.ts';
import {
  jobPrefix,
  jobWorkflowId,
  logPrefix,
  REQUEST_ROOT,
  STAGING_ROOT,
} from '../../../src/contracts/names.ts';
import { verifyLedger } from '../../../src/services/ledger/verify.ts';
import { until } from '../until.ts';
import { ended, tasksOf, taskStarts } from './jobs.ts';
import type { FaultJob, TaskRow } from './jobs.ts';
import { PENNY_PER_TASK, START_FEE_PENCE } from './noop.ts';
import { RECOVERY_MS } from './times.ts';
import type { FaultWorld } from './world.ts';

/** The price of a noop job with this number of verified tasks. */
export function priceOf(verified: number): number {
  return verified === 0 ? 0 : START_FEE_PENCE + verified * PENNY_PER_TASK;
}

/** Waits for the end of the job and checks everything: state, outputs, money, leftovers. */
export async function endsWell(world: FaultWorld, job: FaultJob, taskCount: number): Promise<TaskRow[]> {
  await endsWith(world, job, { state: 'SUCCEEDED', verified: taskCount });
  const tasks = await tasksOf(world, job);
  expect(tasks.map((task) => task.state)).to.deep.equal(Array(taskCount).fill('SUCCEEDED'));
  return tasks;
}

/** Waits for an end of the job with this number of verified tasks. */
export async function endsWith(
  world: FaultWorld,
  job: FaultJob,
  expected: { readonly state: string; readonly verified: number },
): Promise<void> {
  const status = await ended(world, job);
  expect(status.status, JSON.stringify(status.failures)).to.equal(expected.state);
  expect(status.progress.completed, 'verified tasks').to.equal(expected.verified);
  expect(status.cost.chargedCents, 'charged').to.equal(priceOf(expected.verified));
  await leavesNothing(world, job);
  await outputsAreThere(world, job, expected.verified);
  await noStrays(world, job);
  await moneyIsExact(world, job, priceOf(expected.verified));
}

/** Tasks that were verified before a fault did not run again: they have the same attempts and as many starts. */
export async function notRunAgain(
  world: FaultWorld,
  job: FaultJob,
  before: readonly TaskRow[],
): Promise<void> {
  const [tasks, starts] = [await tasksOf(world, job), await taskStarts(world, job)];
  for (const earlier of before) {
    const now = tasks.find(({ ordinal }) => ordinal === earlier.ordinal);
    expect(now, `task ${earlier.ordinal}`).to.deep.equal(earlier);
    expect(starts.get(earlier.ordinal), `starts of task ${earlier.ordinal}`).to.equal(earlier.attempts);
  }
}

/** Every task was started once: nothing was lost and nothing ran twice. */
export async function startedOnce(world: FaultWorld, job: FaultJob, taskCount: number): Promise<void> {
  const tasks = await tasksOf(world, job);
  expect(tasks.map((task) => task.attempts)).to.deep.equal(Array(taskCount).fill(1));
  const starts = await taskStarts(world, job);
  expect([...starts.values()]).to.deep.equal(Array(taskCount).fill(1));
}

/** Charge and release are exact, for the hold, the account and the whole ledger. */
export async function moneyIsExact(world: FaultWorld, job: FaultJob, chargedPence: number): Promise<void> {
  const holds = await world.rows(
    `select state, held_pence::int as held, charged_pence::int as charged, released_pence::int as released
     from holds where job_id = $1`,
    [job.jobId],
  );
  const released = job.heldPence - chargedPence;
  expect(holds).to.deep.equal([{ state: 'SETTLED', held: job.heldPence, charged: chargedPence, released }]);
  expect(await verifyLedger(world.db)).to.deep.equal([]);
}

/** The customer's list of outputs is complete and agrees with the store, object by object. */
async function outputsAreThere(world: FaultWorld, job: FaultJob, verified: number): Promise<void> {
  const outputs = [];
  for await (const output of job.customer.client.outputs(job.jobId)) {
    if (output.taskIndex !== null) outputs.push(output);
  }
  expect(new Set(outputs.map(({ taskIndex }) => taskIndex)).size, 'tasks with outputs').to.equal(verified);
  expect(outputs.length, 'outputs').to.equal(verified);
  for (const { storageKey, sha256, byteSize } of outputs) {
    expect(await world.store.hash(storageKey), storageKey).to.deep.equal({ byteSize, sha256 });
  }
}

/** The store has of the job exactly what the database names: outputs, logs and the stored request. */
async function noStrays(world: FaultWorld, { jobId, customer }: FaultJob): Promise<void> {
  const { accountId } = customer;
  const places = [
    [jobPrefix(accountId, jobId), 'select storage_key from artifacts where job_id = $1'],
    [logPrefix(jobId), 'select storage_key from task_logs where job_id = $1'],
    [
      `${REQUEST_ROOT}${accountId}/${jobId}/`,
      'select request_key as storage_key from jobs where id = $1 and request_key is not null',
    ],
  ] as const;
  for (const [prefix, sql] of places) {
    const named = await world.rows<{ storage_key: string }>(sql, [jobId]);
    const keys = named.map(({ storage_key }) => storage_key).sort();
    expect(await keysUnder(world, prefix), `objects under ${prefix}`).to.deep.equal(keys);
  }
}

async function keysUnder(world: FaultWorld, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of world.store.list(prefix)) keys.push(...page.map(({ key }) => key));
  return keys.sort();
}

/** No process, work folder, instance, hold, capacity or staged file is left of the job, and its workflow is closed. */
export async function leavesNothing(world: FaultWorld, job: FaultJob): Promise<void> {
  let left: string[] = [];
  await until(
    `nothing is left of job ${job.jobId}`,
    async () => {
      left = await leftovers(world, job.jobId);
      return left.length === 0;
    },
    RECOVERY_MS,
  ).catch((error: unknown) => {
    throw new Error(`Left of job ${job.jobId}: ${left.join('; ')}`, { cause: error });
  });
}

async function leftovers(world: FaultWorld, jobId: string): Promise<string[]> {
  const instances = await world.rows<{ launch_token: string; state: string }>(
    'select launch_token, state from instances where job_id = $1',
    [jobId],
  );
  const ids = instances.map(({ launch_token }) => instanceIdOf(launch_token));
  const rows = await world.rows<{ what: string }>(
    `select 'hold ' || id as what from holds where job_id = $1 and state = 'OPEN'
     union all select 'execution ' || n from job_executions where job_id = $1 and settled_at is null
     union all select 'capacity ' || state from capacity_requests where job_id = $1 and state <> 'RELEASED'
     union all select 'task ' || ordinal || ' ' || state from tasks where job_id = $1 and state in ('PENDING', 'RUNNING')`,
    [jobId],
  );
  return [
    ...rows.map(({ what }) => what),
    ...instances.filter(({ state }) => state !== 'TERMINATED').map(({ state }) => `instance ${state}`),
    ...ids.flatMap(processesOf),
    ...ids.map((id) => join(world.computeFolder, 'instances', id)).filter((path) => existsSync(path)),
    ...(await stagedFiles(world, jobId)),
    ...(await openWorkflows(world, jobId)),
  ];
}

/** Processes of an instance: the worker, its tools, and what they started. */
export function processesOf(instanceId: string): string[] {
  const workers = markedProcesses(INSTANCE_MARKER, `${instanceId}\0`).map((pid) => `worker ${pid}`);
  const tools = markedProcesses(TASK_MARKER, `${instanceId}/`).map((pid) => `tool ${pid}`);
  return [...workers, ...tools];
}

/** The files in the job's staging. */
export async function stagedFiles(world: FaultWorld, jobId: string): Promise<string[]> {
  return keysUnder(world, `${STAGING_ROOT}${jobId}/`);
}

async function openWorkflows(world: FaultWorld, jobId: string): Promise<string[]> {
  const client = await world.temporal();
  const { status } = await client.workflow.getHandle(jobWorkflowId(jobId)).describe();
  return status.name === 'RUNNING' ? ['its workflow'] : [];
}
