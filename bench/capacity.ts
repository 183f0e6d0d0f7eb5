/**
 * Capacity with 20,000 waiting jobs of 200 accounts on a real PostgreSQL, all of whose vCPUs are granted: what a look of the
 * grantor, the look after all waiting jobs, a look of one by itself and a release with its grants take, how long `select 1` waits
 * beside them, and how many statements a second capacity costs while nothing changes. The grantor looks at no request while every vCPU
 * is granted, so its look is measured with a vCPU that is free and fits nobody as well. The roles are stopped, and the statements a
 * second are computed from those of one look of each kind. Last, all of them wait for the seats of one software.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { DataSource, EntityManager } from 'typeorm';

import { grantDue, releaseCapacity, requestCapacity } from '../src/services/execution/capacity/capacity.ts';
import { readQueue } from '../src/services/execution/capacity/queue.ts';
import { lookAfterWaiting } from '../src/services/execution/sweep/waiting-jobs.ts';
import type { CapacityLimits } from '../src/domain/capacity-pools.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

/** How much is measured. */
export interface CapacitySize {
  readonly jobs: number;
  readonly rounds: number;
}

const ACCOUNTS = 200;
const LIMITS = { totalVcpus: 64, accountVcpus: 8 };
/** The seats, and as many vCPUs as there may be. */
const SOFTWARE = 'renderer';
const OF_SEATS = { totalVcpus: 100_000, accountVcpus: 100_000, seats: { [SOFTWARE]: 4 } };
/** One vCPU is free, and every request needs two. */
const WITH_ONE_FREE = { ...LIMITS, totalVcpus: LIMITS.totalVcpus + 1 };
const GOALS = { grantMs: 1_000, besideMs: 20, statements: 20 };
/**
 * How often the grantor looks by its timer, somebody after all waiting jobs, and a waiting job by itself, in seconds
 * (`src/bin/process/granting.ts`, `capacityLookSeconds`, `capacityPollSeconds`).
 */
const LOOKS = { grantor: 2, all: 600, job: 3600 };
/** A process asks so often in the time between two looks after all jobs. */
const ASKED_BETWEEN_LOOKS = 10;
/** Every look is due then. */
const NOT_AT_ALL = 0;
const NOBODY = '00000000-0000-7000-8000-';

/** Measures capacity. */
export async function measureCapacity(size: CapacitySize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    for (const name of ['api', 'control', 'gateway', 'compute']) await bench.stack.stopChild(name);
    await fill(bench, size.jobs);
    await grantDue(bench.db, LIMITS);
    const looks = await timesOf(size.rounds, () => grantDue(bench.db, LIMITS));
    const freeLooks = await timesOf(size.rounds, () => grantDue(bench.db, WITH_ONE_FREE));
    const [waiting] = await bench.db.query<{ job_id: string; account_id: string }[]>(
      `select job_id, account_id from capacity_requests where state = 'WAITING' limit 1`,
    );
    const asked = { jobId: waiting?.job_id ?? '', accountId: waiting?.account_id ?? '' };
    const ask = { ...asked, execution: 1, vcpus: 2, priority: 0 };
    const own = await timesOf(size.rounds, () => requestCapacity(bench.db, ask, LIMITS));
    const jobs = await allJobs(bench);
    const after = await timesOf(Math.ceil(size.rounds / 20), () => lookAfter(bench.db, jobs));
    const asking = (await statementsOf(bench, (db) => lookAfter(db, jobs, LOOKS.all))) * ASKED_BETWEEN_LOOKS;
    const statements =
      (await statementsOf(bench, (db) => grantDue(db, WITH_ONE_FREE))) / LOOKS.grantor +
      ((await statementsOf(bench, (db) => lookAfter(db, jobs))) + asking) / LOOKS.all +
      (size.jobs * (await statementsOf(bench, (db) => requestCapacity(db, ask, LIMITS)))) / LOOKS.job;
    const beside: number[] = [];
    const releases = await besideOf(bench, beside, () =>
      timesOf(size.rounds, () => releaseOne(bench, LIMITS)),
    );
    await waitForSeats(bench);
    const seatLooks = await timesOf(size.rounds, () => grantDue(bench.db, OF_SEATS));
    const seats = await timesOf(size.rounds, () => releaseOne(bench, OF_SEATS));
    const places = await timesOf(Math.ceil(size.rounds / 20), () => readQueue(bench.db, OF_SEATS));
    return [
      rowOf(`${size.jobs} waiting jobs: a look of the grantor`, looks, null),
      rowOf('a look of the grantor with a vCPU free that fits nobody', freeLooks, null),
      rowOf('the look after all of them', after, null),
      rowOf('a look of a waiting job', own, null),
      rowOf('a release with its grants', releases, { most: GOALS.grantMs, of: releases.p99 }),
      rowOf('select 1 beside them, p99', spreadOf(beside), {
        most: GOALS.besideMs,
        of: spreadOf(beside).p99,
      }),
      statementsRow(size.jobs, statements),
      rowOf('a look of the grantor while all wait for a seat', seatLooks, null),
      rowOf('a seat given back, with its grant', seats, { most: GOALS.grantMs, of: seats.p99 }),
      rowOf('the places of all of them in the line', places, null),
    ];
  } finally {
    await bench.close();
  }
}

async function fill({ db }: BenchStack, jobs: number): Promise<void> {
  await db.query(
    `insert into accounts (id) select ('${NOBODY}' || lpad(n::text, 12, '0'))::uuid from generate_series(1, $1) n`,
    [ACCOUNTS],
  );
  await db.query(
    `insert into users (id, account_id, email) select id, id, id || '@example.com' from accounts where id::text like '${NOBODY}%'`,
  );
  await db.query(
    `with made as (
       insert into jobs (id, account_id, user_id, job_type, tool_id, provider, status, request, fingerprint, submit_response, first_run_id, unit,
         task_total, submitted_at, updated_at, status_at)
       select gen_random_uuid(), a, a, 'simulation', 'noop', 'local', 'QUEUED', '{}', '', '{}', '', 'task',
         1, now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour'
       from (select ('${NOBODY}' || lpad((1 + n % $1)::text, 12, '0'))::uuid as a from generate_series(1, $2) n) x
       returning id, account_id)
     insert into capacity_requests (job_id, execution, account_id, vcpus, priority) select id, 1, account_id, 2, 0 from made`,
    [ACCOUNTS, jobs],
  );
  await db.query('analyze capacity_requests');
}

/** Looks after all waiting jobs, whose workflows all run as far as Temporal tells; when the look is due that often. */
async function lookAfter(
  db: DataSource,
  jobs: ReadonlySet<string>,
  everySeconds = NOT_AT_ALL,
): Promise<void> {
  const workflows = {
    openJobs: () => Promise.resolve(jobs),
    endOf: () => Promise.reject(new Error('Temporal lists every job.')),
    // The few jobs that are granted have no workflow here that would go on.
    capacity: () => Promise.resolve(),
  };
  const takeUp = (): Promise<boolean> => Promise.resolve(false);
  await lookAfterWaiting({ db, workflows, takeUp }, { everySeconds, againSeconds: 0 });
}

async function allJobs({ db }: BenchStack): Promise<ReadonlySet<string>> {
  return new Set((await db.query<{ id: string }[]>('select id from jobs')).map(({ id }) => id));
}

/** Has every request ask again, for a seat. */
async function waitForSeats({ db }: BenchStack): Promise<void> {
  await db.query(
    `update capacity_requests set state = 'WAITING', licence = $1, reserved_at = null where state <> 'RELEASED'`,
    [SOFTWARE],
  );
  await db.query('analyze capacity_requests');
  const { newlyGranted } = await grantDue(db, OF_SEATS);
  if (newlyGranted.length !== OF_SEATS.seats[SOFTWARE])
    throw new Error(`${newlyGranted.length} jobs got a seat.`);
}

async function releaseOne({ db }: BenchStack, limits: CapacityLimits): Promise<void> {
  const [row] = await db.query<{ job_id: string }[]>(
    `select job_id from capacity_requests where state = 'GRANTED' limit 1`,
  );
  const { newlyGranted } = await releaseCapacity(db, row?.job_id ?? '', 1, limits);
  if (newlyGranted.length !== 1) throw new Error(`${String(newlyGranted.length)} jobs were granted.`);
}

/** Runs the work, and asks for nothing of PostgreSQL meanwhile, every few milliseconds. */
async function besideOf<T>({ db }: BenchStack, times: number[], work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await db.query('select 1');
      times.push(performance.now() - startedAt);
      await sleep(2);
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await asking;
  }
}

async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<Spread> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return spreadOf(times);
}

/** How many statements some work has, BEGIN and COMMIT among them. */
async function statementsOf({ db }: BenchStack, work: (db: DataSource) => Promise<unknown>): Promise<number> {
  let count = 0;
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name): unknown {
        const value: unknown = Reflect.get(from, name);
        if (typeof value !== 'function') return value;
        if (name === 'query') count += 1;
        if (name !== 'transaction') return value.bind(from);
        return (inside: (tx: EntityManager) => Promise<unknown>) => {
          count += 2;
          return db.transaction((tx) => inside(counting(tx)));
        };
      },
    });
  await work(counting(db));
  return count;
}

function statementsRow(jobs: number, perSecond: number): Row {
  return {
    item: `${String(jobs)} waiting jobs: statements a second while nothing changes`,
    measured: `${perSecond.toFixed(1)}/s`,
    baseline: '',
    ratio: '',
    goal: `< ${String(GOALS.statements)}/s`,
    ok: perSecond < GOALS.statements,
    figures: { perSecond },
  };
}

function rowOf(
  item: string,
  spread: Spread,
  goal: { readonly most: number; readonly of: number } | null,
): Row {
  return {
    item,
    measured: describeSpread(spread, 'ms', 2),
    baseline: '',
    ratio: '',
    goal: goal === null ? '' : `p99 < ${String(goal.most)} ms`,
    ok: goal === null ? null : goal.of < goal.most,
    figures: { spread },
  };
}
