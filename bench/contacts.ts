/**
 * The contacts of 2,000 instances on one gateway, every two seconds each, spread over the two seconds: how many statements a
 * second they cost, and after which time an instance learns that it was fenced. At first all are of one job and have no progress
 * to tell, then each is the only one of a job and tells progress that has changed. The instances are rows; the gateway is its own
 * function over a real PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DataSource } from 'typeorm';

import type { InstanceClaims } from '../src/contracts/instance.ts';
import { createContact } from '../src/services/execution/instances/contact.ts';
import { oneInstanceJobs } from '../test/support/one-instance-jobs.ts';
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

/** How much is measured. */
export interface ContactsSize {
  readonly instances: number;
  readonly seconds: number;
}

const CONTACT_MS = 2_000;
const FENCED_AT_ONCE = 20;
/** A fence is seen after one interval, and the statement takes its time. */
const GOALS = { statements: 1.2, fenceSeconds: 2.2 };

/** Measures the contacts of many instances. */
export async function measureContacts(size: ContactsSize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    const { client } = await bench.account();
    const { jobId } = await client.submit(noopJob({ tasks: 2, seconds: 600 }));
    let state = '';
    while (state !== 'RUNNING') {
      ({ status: state } = await client.status(jobId));
      await sleep(200);
    }
    await bench.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus)
       select $1, slot, 1, 'local', $2 || slot, 'RUNNING', 2 from generate_series(1000, 999 + $3::int) slot`,
      [jobId, randomUUID(), size.instances],
    );
    const slots = Array.from({ length: size.instances }, (_, n) => ({ jobId, slot: 1000 + n }));
    const rows = await contactsOf(bench.db, slots, size, 'instances');
    const jobIds = await oneInstanceJobs(bench.db, jobId, size.instances);
    const alone = jobIds.map((id) => ({ jobId: id, slot: 0 }));
    rows.push(...(await contactsOf(bench.db, alone, size, 'jobs')));
    await client.cancel(jobId);
    return rows;
  } finally {
    await bench.close();
  }
}

type Place = Pick<InstanceClaims, 'jobId' | 'slot'>;
/** `instances`: without progress; `jobs`: each place is of a job of its own, and tells progress. */
type Kind = 'instances' | 'jobs';

async function contactsOf(
  db: DataSource,
  places: readonly Place[],
  size: ContactsSize,
  kind: Kind,
): Promise<Row[]> {
  const counted = countingQueries(db);
  const contact = createContact(counted.db);
  const fencedAt = new Map<number, number>();
  const seenAfter: number[] = [];
  const waits: number[] = [];
  const live = async (place: Place, n: number): Promise<void> => {
    await sleep((CONTACT_MS * n) / places.length);
    const endAt = performance.now() + size.seconds * 1000;
    for (let round = 1; performance.now() < endAt; round += 1) {
      const startedAt = performance.now();
      const claims = { ...place, generation: 1, expiresAt: 0 };
      const running = kind === 'jobs' ? [{ kind: 'task' as const, ordinal: 0, percent: round }] : [];
      const isFenced = await contact(claims, { running }).then(
        ({ stop }) => stop,
        () => true,
      );
      waits.push(performance.now() - startedAt);
      const at = fencedAt.get(n);
      if (isFenced && at !== undefined) return void seenAfter.push((performance.now() - at) / 1000);
      await sleep(Math.max(0, CONTACT_MS - (performance.now() - startedAt)));
    }
  };
  const startedAt = performance.now();
  const lives = places.map(live);
  const fencing = fenceSome(db, places, size, fencedAt);
  await Promise.all(lives);
  const seconds = (performance.now() - startedAt) / 1000;
  await fencing;
  // An instance that is not in the batch asks alone, once, which tells it that it is fenced.
  const alone = seenAfter.length;
  const perSecond = (counted.count() - alone) / seconds;
  const announced = counted.announced() / seconds;
  const written = kind === 'jobs' ? await progressOf(db, places) : null;
  return rowsFor(kind, {
    ...{ perSecond, announced, written, alone, statements: counted.count() },
    ...{ contacts: waits.length / seconds, places: places.length, fenced: fencedAt.size },
    ...{ fence: spreadOf(seenAfter), waitMs: spreadOf(waits), seen: seenAfter.length },
  });
}

interface Measured {
  readonly perSecond: number;
  readonly announced: number;
  /** The least percent that a task has; null where nothing is told. */
  readonly written: number | null;
  readonly contacts: number;
  readonly places: number;
  readonly statements: number;
  readonly alone: number;
  readonly fenced: number;
  readonly seen: number;
  readonly fence: Spread;
  readonly waitMs: Spread;
}

function rowsFor(kind: Kind, measured: Measured): Row[] {
  const { perSecond, announced, written, contacts, places, fence, waitMs, seen, fenced } = measured;
  const what = kind === 'jobs' ? `${String(places)} jobs with progress` : `${String(places)} instances`;
  const told = kind === 'jobs' ? `, and ${announced.toFixed(2)}/s that wake who waits` : '';
  return [
    {
      item: `contacts of ${what}: statements a second`,
      measured: `${perSecond.toFixed(2)}/s for ${contacts.toFixed(0)} contacts a second${told}`,
      baseline: '',
      ratio: '',
      goal: `≤ ${String(GOALS.statements)}`,
      ok: perSecond <= GOALS.statements && written !== 0,
      figures: {
        perSecond,
        announced,
        written,
        waitMs,
        statements: measured.statements,
        alone: measured.alone,
      },
    },
    {
      item: kind === 'jobs' ? 'a fence among these jobs is seen' : 'a fence among them is seen',
      measured: `${describeSpread(fence, 's', 2)}, at most ${fence.most.toFixed(2)} s`,
      baseline: '',
      ratio: '',
      goal: `p99 ≤ ${String(GOALS.fenceSeconds)} s`,
      ok: fence.p99 <= GOALS.fenceSeconds,
      figures: { fence, seen, fenced },
    },
  ];
}

async function progressOf(db: DataSource, places: readonly Place[]): Promise<number> {
  const [row] = await db.query<{ least: number | null }[]>(
    `select min(t.progress_percent)::float8 as least from tasks t join instances i on i.job_id = t.job_id
     where t.job_id = any($1) and i.fenced_at is null`,
    [places.map(({ jobId }) => jobId)],
  );
  return row?.least ?? 0;
}

/** Fences some instances each second. */
async function fenceSome(
  db: DataSource,
  places: readonly Place[],
  size: ContactsSize,
  fencedAt: Map<number, number>,
): Promise<void> {
  const rounds = Math.max(1, size.seconds - 6);
  for (let round = 0; round < rounds; round += 1) {
    await sleep(1_000);
    const chosen = Array.from({ length: FENCED_AT_ONCE }, (_, n) => (round * 97 + n * 53) % places.length);
    const fresh = chosen.filter((n) => !fencedAt.has(n)).flatMap((n) => places[n] ?? []);
    for (const n of chosen) if (!fencedAt.has(n)) fencedAt.set(n, performance.now());
    await db.query(
      `update instances set fenced_at = now() where fenced_at is null
         and (job_id, slot) in (select * from unnest($1::uuid[], $2::int[]))`,
      [fresh.map(({ jobId }) => jobId), fresh.map(({ slot }) => slot)],
    );
  }
}

function countingQueries(db: DataSource): {
  readonly db: DataSource;
  readonly count: () => number;
  readonly announced: () => number;
} {
  let [count, announced] = [0, 0];
  const counting = new Proxy(db, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return (sql: string, ...rest: unknown[]): unknown => {
        if (sql.includes('pg_notify')) announced += 1;
        else count += 1;
        return Reflect.apply(value, target, [sql, ...rest]);
      };
    },
  });
  return { db: counting, count: () => count, announced: () => announced };
}
