/**
 * The contacts of 2,000 instances on one gateway, every two seconds each, spread over the two seconds: how many statements a
 * second they cost, and after which time an instance learns that it was fenced. The instances are rows; the gateway is its
 * own function over a real PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DataSource } from 'typeorm';

import { createContact } from '../src/services/execution/instances/contact.ts';
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

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
    const rows = await contactsOf(bench.db, jobId, size);
    await client.cancel(jobId);
    return rows;
  } finally {
    await bench.close();
  }
}

async function contactsOf(db: DataSource, jobId: string, size: ContactsSize): Promise<Row[]> {
  const counted = countingQueries(db);
  const contact = createContact(counted.db);
  const fencedAt = new Map<number, number>();
  const seenAfter: number[] = [];
  const waits: number[] = [];
  const live = async (slot: number): Promise<void> => {
    await sleep((CONTACT_MS * (slot % size.instances)) / size.instances);
    for (const endAt = performance.now() + size.seconds * 1000; performance.now() < endAt;) {
      const startedAt = performance.now();
      const claims = { jobId, slot, generation: 1, expiresAt: 0 };
      const isFenced = await contact(claims, { running: [] }).then(
        ({ stop }) => stop,
        () => true,
      );
      waits.push(performance.now() - startedAt);
      const at = fencedAt.get(slot);
      if (isFenced && at !== undefined) return void seenAfter.push((performance.now() - at) / 1000);
      await sleep(Math.max(0, CONTACT_MS - (performance.now() - startedAt)));
    }
  };
  const lives = Array.from({ length: size.instances }, (_, n) => live(1000 + n));
  const startedAt = performance.now();
  const fencing = fenceSome(db, jobId, size, fencedAt);
  await Promise.all(lives);
  const seconds = (performance.now() - startedAt) / 1000;
  await fencing;
  // An instance that is not in the batch asks alone, once, which tells it that it is fenced.
  const alone = seenAfter.length;
  const perSecond = (counted.count() - alone) / seconds;
  const fence = spreadOf(seenAfter);
  const wait = spreadOf(waits);
  return [
    {
      item: `contacts of ${String(size.instances)} instances: statements a second`,
      measured: `${perSecond.toFixed(2)}/s for ${(waits.length / seconds).toFixed(0)} contacts a second`,
      baseline: '',
      ratio: '',
      goal: `≤ ${String(GOALS.statements)}`,
      ok: perSecond <= GOALS.statements,
      figures: { perSecond, waitMs: wait, statements: counted.count(), alone },
    },
    {
      item: 'a fence among them is seen',
      measured: `${describeSpread(fence, 's', 2)}, at most ${fence.most.toFixed(2)} s`,
      baseline: '',
      ratio: '',
      goal: `p99 ≤ ${String(GOALS.fenceSeconds)} s`,
      ok: fence.p99 <= GOALS.fenceSeconds,
      figures: { fence, seen: seenAfter.length, fenced: fencedAt.size },
    },
  ];
}

/** Fences some instances each second. */
async function fenceSome(
  db: DataSource,
  jobId: string,
  size: ContactsSize,
  fencedAt: Map<number, number>,
): Promise<void> {
  const rounds = Math.max(1, size.seconds - 6);
  for (let round = 0; round < rounds; round += 1) {
    await sleep(1_000);
    const slots = Array.from(
      { length: FENCED_AT_ONCE },
      (_, n) => 1000 + ((round * 97 + n * 53) % size.instances),
    );
    const fresh = slots.filter((slot) => !fencedAt.has(slot));
    for (const slot of fresh) fencedAt.set(slot, performance.now());
    await db.query(
      'update instances set fenced_at = now() where job_id = $1 and slot = any($2) and fenced_at is null',
      [jobId, fresh],
    );
  }
}

function countingQueries(db: DataSource): { readonly db: DataSource; readonly count: () => number } {
  let count = 0;
  const counting = new Proxy(db, {
    get(target, name): unknown {
      if (name === 'query') count += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { db: counting, count: () => count };
}
