/**
 * A lost instance with the lease times of production: from `kill -9` of its worker to its tasks running again on its successor,
 * and in which steps that time passes. On this machine, and on the simulated EC2, where the machine ends after its worker and its
 * successor boots. Jobs of their own are measured side by side, because nearly all of the time is waiting; a submit that a busy machine
 * does not admit in time is repeated, as clients do.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { TASK_MARKER } from '../src/contracts/local-host.ts';
import { markedProcesses, readProcesses } from '../src/instance/process-table.ts';
import { openStackCloud } from '../test/support/ec2/cloud.ts';
import type { StackCloud } from '../test/support/ec2/cloud.ts';
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface LossesSize {
  readonly kills: number;
}

const AT_ONCE = 4;
const SLOTS = 2;
const GOAL_SECONDS = { here: 15, cloud: 21 };
const LOOK_MS = 100;
const PATIENCE_MS = 180_000;
const SETTINGS = { DOCKYARD_CAPACITY_VCPUS: '64', DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '64' };

/** Measures how long the tasks of a killed instance stand still, on this machine and on the simulated EC2. */
export async function measureLosses(size: LossesSize): Promise<Row[]> {
  const here = await measureAt('here', size, null);
  const cloud = await openStackCloud();
  try {
    return [...here, ...(await measureAt('cloud', size, cloud))];
  } finally {
    await cloud.close();
  }
}

async function measureAt(
  place: keyof typeof GOAL_SECONDS,
  { kills }: LossesSize,
  cloud: StackCloud | null,
): Promise<Row[]> {
  const bench = await openBenchStack({
    ...cloud?.settings,
    ...SETTINGS,
    DOCKYARD_INSTANCE_SLOTS: String(SLOTS),
  });
  try {
    const account = await bench.account('patient');
    const losses: Loss[] = [];
    while (losses.length < kills) {
      const some = Math.min(AT_ONCE, kills - losses.length);
      const found = Array.from({ length: some }, (_, n) => killOne(bench, account, n / AT_ONCE));
      losses.push(...(await Promise.all(found)));
    }
    return rowsOf(place, losses);
  } finally {
    await bench.close();
  }
}

function rowsOf(place: keyof typeof GOAL_SECONDS, losses: readonly Loss[]): Row[] {
  const goal = GOAL_SECONDS[place];
  const spread = spreadOf(losses.map(({ working }) => working));
  const on = place === 'cloud' ? ', simulated EC2' : '';
  const steps = {
    known: 'the loss is known',
    asked: 'the next one is asked for',
    heard: 'the next one is heard of',
  };
  return [
    {
      item: `kill -9 of an instance to its tasks running again, ${String(losses.length)} times${on}`,
      measured: describeSpread(spread, 's', 1),
      ...{ baseline: '', ratio: '' },
      ...{
        goal: `median < ${String(goal)} s`,
        ok: spread.median < goal,
        figures: { seconds: losses.map(({ working }) => working) },
      },
    },
    ...(['known', 'asked', 'heard'] as const).map((step) => {
      const seconds = losses.map((loss) => loss[step]);
      return {
        item: `until ${steps[step]}${on}`,
        measured: describeSpread(spreadOf(seconds), 's', 1),
        ...{ baseline: '', ratio: '', goal: '', ok: null, figures: { seconds } },
      };
    }),
  ];
}

/** Seconds after the kill: the instance is known to be lost, the next one is asked for and heard of, and tasks run on it. */
interface Loss {
  readonly known: number;
  readonly asked: number;
  readonly heard: number;
  readonly working: number;
}

/** Kills the worker of a new job's instance at some moment between two heartbeats. */
async function killOne(bench: BenchStack, { client }: BenchAccount, phase: number): Promise<Loss> {
  const { jobId } = await client.submit(noopJob({ tasks: 2 * SLOTS, seconds: 600 }));
  await untilRunning(bench, jobId, 1);
  await sleep(3_000 + phase * 12_000);
  const [row] = await bench.db.query<{ id: string; now: string }[]>(
    'select provider_id as id, clock_timestamp()::text as now from instances where job_id = $1 and fenced_at is null',
    [jobId],
  );
  const worker = workerOf(jobId, row?.id ?? jobId);
  const startedAt = performance.now();
  process.kill(worker, 'SIGKILL');
  const heardAt = await untilRunning(bench, jobId, 2);
  const working = (performance.now() - startedAt) / 1000;
  const [lost] = await bench.db.query<{ known: number; asked: number }[]>(
    `select extract(epoch from b.fenced_at - $2::timestamptz)::float8 as known,
       extract(epoch from coalesce(n.asked_at, n.launched_at) - $2::timestamptz)::float8 as asked
     from instances b join instances n on n.job_id = b.job_id and n.slot = b.slot and n.generation = b.generation + 1
     where b.job_id = $1 and b.fenced_at is not null order by b.generation limit 1`,
    [jobId, row?.now],
  );
  await client.cancel(jobId);
  await client.waitForEnd(jobId);
  const { known = Infinity, asked = Infinity } = lost ?? {};
  return { known, asked, heard: (heardAt - startedAt) / 1000, working };
}

/** The process that has started the tools of a job: they are marked with the instance, which in a cloud is named after its job. */
function workerOf(jobId: string, instanceId: string): number {
  const tools = [jobId, instanceId].flatMap((start) => markedProcesses(TASK_MARKER, start));
  const worker = readProcesses().find(({ pid }) => tools.includes(pid))?.parentPid;
  if (worker === undefined) throw new Error(`No tool of job ${jobId} runs.`);
  return worker;
}

/** Waits until as many tasks as the instance has slots run in this attempt; answers when the newest instance was first heard of. */
async function untilRunning({ db }: BenchStack, jobId: string, attempt: number): Promise<number> {
  const startedAt = performance.now();
  let heardAt: number | null = null;
  while (performance.now() - startedAt < PATIENCE_MS) {
    const [row] = await db.query<{ running: number; heard: boolean }[]>(
      `select (select count(*)::int from tasks where job_id = $1 and state = 'RUNNING' and attempts = $2) as running,
         exists (select from instances where job_id = $1 and generation = $2 and last_contact_at is not null) as heard`,
      [jobId, attempt],
    );
    if (row?.heard === true) heardAt ??= performance.now();
    if ((row?.running ?? 0) >= SLOTS) return heardAt ?? Infinity;
    await sleep(LOOK_MS);
  }
  throw new Error(`The tasks of job ${jobId} did not run in attempt ${String(attempt)}.`);
}
