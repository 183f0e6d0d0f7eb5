/** Jobs of the fault tests: requests, states, and what happened to each task. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RecoveryItem } from '../../../src/client/types.ts';
import type { JobStatusResponse } from '../../../src/client/types.ts';
import { noopRequest } from './noop.ts';
import type { NoopWish } from './noop.ts';
import { until } from '../until.ts';
import { RECOVERY_MS } from './times.ts';
import type { Customer, FaultWorld } from './world.ts';

/** A job under test. */
export interface FaultJob {
  readonly jobId: string;
  readonly customer: Customer;
  readonly heldPence: number;
}

/** A task as its row has it. */
export interface TaskRow {
  readonly ordinal: number;
  readonly state: string;
  readonly attempts: number;
  readonly losses: number;
  readonly slot: number | null;
  readonly generation: number | null;
  readonly failure_code: string | null;
}

/** A start that an instance recorded before it happened. */
export interface Start {
  readonly start: 'process' | 'task';
  readonly jobId: string;
  readonly kind?: string;
  readonly ordinal?: number;
  readonly attempt?: number;
  readonly pid?: number;
  readonly generation: number;
}

/** Submits a noop job for a new customer. */
export async function submitNoop(world: FaultWorld, wish: NoopWish, customer?: Customer): Promise<FaultJob> {
  const owner = customer ?? (await world.customer());
  const { jobId, heldCents } = await owner.client.submit(noopRequest(wish));
  return { jobId, customer: owner, heldPence: heldCents };
}

/** All tasks of a job by index. */
export function tasksOf(world: FaultWorld, { jobId }: Pick<FaultJob, 'jobId'>): Promise<TaskRow[]> {
  return world.rows(
    `select ordinal, state, attempts, losses, slot, generation, failure_code from tasks
     where job_id = $1 and kind = 'task' order by ordinal`,
    [jobId],
  );
}

/** The recovery ledger of a job, as its customer reads it. */
export async function ledgerOf({ jobId, customer }: FaultJob): Promise<RecoveryItem[]> {
  const entries: RecoveryItem[] = [];
  for await (const entry of customer.client.recoveries(jobId)) entries.push(entry);
  return entries;
}

/** The state in the job's row; null when there is none. */
export async function stateOf(world: FaultWorld, { jobId }: Pick<FaultJob, 'jobId'>): Promise<string | null> {
  const [row] = await world.rows<{ status: string }>('select status from jobs where id = $1', [jobId]);
  return row?.status ?? null;
}

/** Waits until the job's row says one of the states; the error after the time-out says where the job stands. */
export async function reaches(
  world: FaultWorld,
  job: Pick<FaultJob, 'jobId'>,
  ...states: string[]
): Promise<void> {
  try {
    await until(
      `job ${job.jobId} is ${states.join(' or ')}`,
      async () => states.includes((await stateOf(world, job)) ?? ''),
      RECOVERY_MS,
    );
  } catch (error) {
    throw new Error(`${String(error)} ${await standingOf(world, job)}`, { cause: error });
  }
}

/** Reads the standing of a job: its state, its tasks and steps, its instances, and the instances that it lost. */
export async function standingOf(world: FaultWorld, { jobId }: Pick<FaultJob, 'jobId'>): Promise<string> {
  const [row] = await world.rows<{ standing: unknown }>(
    `select json_build_object('status', status, 'reason', status_reason, 'pause', pause_reason, 'transition', transition,
       'seconds', extract(epoch from now() - submitted_at),
       'work', (select json_agg(w) from (select kind, state, count(*), sum(attempts) as attempts from tasks
          where job_id = $1 group by 1, 2 order by 1, 2) w),
       'instances', (select json_agg(i) from (select generation, state, fence_cause, launched_at - j.submitted_at as launched,
          last_contact_at - j.submitted_at as contact from instances where job_id = $1 order by generation) i),
       'lost', (select json_agg(r) from (select generation, cause, delivered from recoveries where job_id = $1) r)) as standing
     from jobs j where id = $1`,
    [jobId],
  );
  return JSON.stringify(row?.standing);
}

/** Waits until this number of tasks is verified, and answers which. */
export async function untilVerified(world: FaultWorld, job: FaultJob, count: number): Promise<TaskRow[]> {
  return untilTasks(world, job, 'SUCCEEDED', count);
}

/** Waits until this number of tasks runs, and answers which. */
export async function untilRunning(world: FaultWorld, job: FaultJob, count = 1): Promise<TaskRow[]> {
  return untilTasks(world, job, 'RUNNING', count);
}

async function untilTasks(
  world: FaultWorld,
  job: FaultJob,
  state: string,
  count: number,
): Promise<TaskRow[]> {
  let found: TaskRow[] = [];
  await until(
    `${count} tasks of job ${job.jobId} are ${state}`,
    async () => {
      found = (await tasksOf(world, job)).filter((task) => task.state === state);
      return found.length >= count;
    },
    RECOVERY_MS,
  );
  return found;
}

const ENDS = ['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED'];

/** Waits for the end of the job, and answers the status that the customer sees. */
export async function ended(world: FaultWorld, job: FaultJob): Promise<JobStatusResponse> {
  await reaches(world, job, ...ENDS);
  return job.customer.client.status(job.jobId);
}

/** The starts of the job's tool processes and tasks, as its instances recorded them. */
export async function startsOf(world: FaultWorld, { jobId }: Pick<FaultJob, 'jobId'>): Promise<Start[]> {
  const text = await readFile(join(world.computeFolder, 'starts.log'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.includes(jobId))
    .map((line): Start => JSON.parse(line));
}

/** How often each task was started, by index. */
export async function taskStarts(world: FaultWorld, job: FaultJob): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { start, ordinal } of await startsOf(world, job)) {
    if (start === 'task' && ordinal !== undefined) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
  }
  return counts;
}

/** The instance that works on the job now, by the name of its process in the stack. */
export async function instanceOf(world: FaultWorld, job: FaultJob): Promise<string> {
  let name: string | null = null;
  await until(
    `an instance of job ${job.jobId} runs`,
    async () => {
      const [row] = await world.rows<{ provider_id: string | null }>(
        `select provider_id from instances where job_id = $1 and fenced_at is null and state = 'RUNNING'`,
        [job.jobId],
      );
      const found = row?.provider_id == null ? null : `instance/${row.provider_id}`;
      name = found !== null && world.stack.pid(found) !== undefined ? found : null;
      return name !== null;
    },
    RECOVERY_MS,
  );
  if (name === null) throw new Error('unreachable');
  return name;
}
