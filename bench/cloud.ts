/**
 * Instances of a cloud, on the simulated EC2 of the tests: what 300 instances that boot at once cost the provider and another job, and
 * how long after the boot of its instance the first task of a job starts.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '../src/client/index.ts';
import { openStackCloud } from '../test/support/ec2/cloud.ts';
import type { StackCloud } from '../test/support/ec2/cloud.ts';
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';
import { tuned } from '../test/support/tuning.ts';

/** How much is measured. */
export interface CloudSize {
  /** Instances that boot at once. */
  readonly instances: number;
  /** Jobs that are measured alone, and beside them. */
  readonly jobs: number;
}

const GOALS = { beside: 1.5, firstTaskSeconds: 3 };
/** The provider is looked at no more often (`src/adapters/instances/ec2/looks.ts`). */
const LOOK_SECONDS = 5;
/** Difference that the way to the provider may make between two requests. */
const ON_THE_WAY_SECONDS = 0.1;
/** Longer than the measurement. */
const ENDLESS_BOOT_SECONDS = 3_600;
/** Longer than the first looks of a job at its instance, which last a few seconds. */
const BOOT_SECONDS = 20;
/** Within it every instance that boots is looked after twice. */
const LONGEST_WATCH_MS = 130_000;
const TASKS = 4;
const AT_ONCE = 8;

/** Measures instances of a cloud. */
export async function measureCloud(size: CloudSize): Promise<Row[]> {
  const cloud = await openStackCloud();
  const bench = await openBenchStack({
    ...cloud.settings,
    DOCKYARD_CAPACITY_VCPUS: '100000',
    DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '100000',
    ...tuned({ launchSeconds: ENDLESS_BOOT_SECONDS * 2 }),
  });
  try {
    const account = await bench.account();
    const first = await firstTasks(bench, account, cloud, size.jobs);
    const alone = await secondsOfJobs(account, size.jobs);
    await bootMany(bench, account, cloud, size.instances);
    const startedAt = performance.now();
    const beside = await secondsOfJobs(account, size.jobs);
    // At least six periods, so that a look too many shows, and until there are some: machines that boot are looked after ever less often.
    const since = (): number => performance.now() - startedAt;
    while (
      since() < LOOK_SECONDS * 6_000 ||
      (looksSince(cloud, startedAt).length < 3 && since() < LONGEST_WATCH_MS)
    )
      await sleep(500);
    const looks = looksSince(cloud, startedAt);
    const shortest = Math.min(...looks.slice(1).map((at, index) => (at - (looks[index] ?? at)) / 1000));
    const ratio = spreadOf(beside).median / spreadOf(alone).median;
    return [
      {
        item: 'submit to first task, beyond the boot',
        measured: describeSpread(spreadOf(first), 's', 2),
        ...{ baseline: `a boot of ${String(BOOT_SECONDS)} s`, ratio: '' },
        goal: `median below ${String(GOALS.firstTaskSeconds)} s`,
        ok: spreadOf(first).median < GOALS.firstTaskSeconds,
        figures: { seconds: first },
      },
      {
        item: `shortest time between two DescribeInstances while ${String(size.instances)} instances boot`,
        measured: `${shortest.toFixed(2)} s (${String(looks.length)} in all)`,
        ...{ baseline: 'one control worker', ratio: '' },
        goal: `at least ${String(LOOK_SECONDS)} s`,
        ok: looks.length > 1 && shortest >= LOOK_SECONDS - ON_THE_WAY_SECONDS,
        figures: { shortest, looks: looks.length },
      },
      {
        item: `${String(TASKS)} tasks beside ${String(size.instances)} instances that boot`,
        measured: describeSpread(spreadOf(beside), 's', 2),
        baseline: `${describeSpread(spreadOf(alone), 's', 2)} alone`,
        ratio: ratio.toFixed(2),
        goal: `at most ${String(GOALS.beside)}`,
        ok: ratio <= GOALS.beside,
        figures: { beside, alone },
      },
    ];
  } finally {
    await bench.close();
    await cloud.close();
  }
}

/** Seconds from submit to the first task of each job, without the boot. */
async function firstTasks(
  { db }: BenchStack,
  { client }: BenchAccount,
  { cloud }: StackCloud,
  jobs: number,
): Promise<number[]> {
  const seconds: number[] = [];
  cloud.bootSeconds = BOOT_SECONDS;
  for (let job = 0; job < jobs; job += 1) {
    const { jobId } = await client.submit(noopJob({ tasks: 1 }));
    await client.waitForEnd(jobId);
    const [row] = await db.query<{ seconds: number }[]>(
      `select extract(epoch from (select min(started_at) from tasks where job_id = $1) - submitted_at)::float8 as seconds
       from jobs where id = $1`,
      [jobId],
    );
    seconds.push((row?.seconds ?? NaN) - BOOT_SECONDS);
  }
  cloud.bootSeconds = 0;
  return seconds;
}

/** Seconds of jobs of four tasks, one after the other, each on an instance of its own that boots at once. */
async function secondsOfJobs({ client }: BenchAccount, jobs: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const startedAt = performance.now();
    const { jobId } = await client.submit(noopJob({ tasks: TASKS }));
    await client.waitForEnd(jobId);
    seconds.push((performance.now() - startedAt) / 1000);
  }
  return seconds;
}

/** Submits jobs whose instances boot for ever, and waits until all of them are launched. */
async function bootMany(
  { stack }: BenchStack,
  { liveKey }: BenchAccount,
  { cloud }: StackCloud,
  instances: number,
): Promise<void> {
  // This client repeats what a busy stack refuses; how fast it submits is measured elsewhere.
  const client = createClient({ apiUrl: stack.apiUrl, apiKey: liveKey });
  cloud.bootSeconds = ENDLESS_BOOT_SECONDS;
  const before = cloud.instances.size;
  for (let begun = 0; begun < instances; begun += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, instances - begun) }, () =>
        client.submit(noopJob({ tasks: 1 })),
      ),
    );
  while (cloud.instances.size < before + instances) await sleep(200);
  cloud.bootSeconds = 0;
}

/** When listings were begun since then; a further page is part of its listing. */
function looksSince({ cloud }: StackCloud, sinceMs: number): number[] {
  return cloud.calls
    .filter(
      ({ action, atMs, form }) =>
        action === 'DescribeInstances' && atMs >= sinceMs && form['NextToken'] === undefined,
    )
    .map(({ atMs }) => atMs);
}
