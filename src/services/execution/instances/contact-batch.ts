/**
 * The signs of life of many instances, written together: 2,000 instances that contact the gateway every two seconds would be a
 * thousand statements a second. The more contacts come, the longer they are gathered, to one second at most; a contact by
 * itself is written at once.
 */
import type { DataSource } from 'typeorm';

import type { InstanceClaims } from '../../../contracts/instance.ts';
import { SETTLED_SQL } from '../../job-state-sql.ts';
import { fenceOf, JOB_WANTS_WORK, rowsOf, UNFENCED } from '../fence.ts';

const LONGEST_MS = 1000;
/** After a write the next contacts are gathered for so long for each contact that was written. */
const GATHERED_MS = 10;

const ONE = `
  with fence as (select i.job_id, i.slot, i.generation, ${JOB_WANTS_WORK} as is_open ${UNFENCED}),
  seen as (
    update instances i set last_contact_at = now() from fence
    where (i.job_id, i.slot, i.generation) = (fence.job_id, fence.slot, fence.generation)
      and i.fenced_at is null and i.state <> 'TERMINATED'
    returning fence.is_open
  )
  select is_open from seen`;

// A row that some transaction holds is skipped, because all other contacts would wait for that transaction.
const MANY = `
  with told as (select * from unnest($1::uuid[], $2::int[], $3::int[]) as told (job_id, slot, generation)),
  fence as (
    select i.job_id, i.slot, i.generation, ${JOB_WANTS_WORK} as is_open
    from told join instances i using (job_id, slot, generation) join jobs j on j.id = i.job_id
    where i.fenced_at is null and i.state <> 'TERMINATED' and j.status not in ${SETTLED_SQL}
    for no key update of i skip locked
  ),
  seen as (
    update instances i set last_contact_at = now() from fence
    where (i.job_id, i.slot, i.generation) = (fence.job_id, fence.slot, fence.generation)
    returning i.job_id, i.slot, i.generation, fence.is_open
  )
  select job_id, slot, generation, is_open from seen`;

/** What the row of an instance said at its contact: whether the job wants work done; null when the instance must not act. */
export type Seen = { readonly isOpen: boolean } | null;
/** Writes the sign of life of an instance. */
export type SeeInstance = (claims: InstanceClaims) => Promise<Seen>;

interface Waiting {
  readonly claims: InstanceClaims;
  readonly seen: PromiseWithResolvers<Seen>;
}

/** Opens the batch of one process. */
export function createContactBatch(db: DataSource): SeeInstance {
  let waiting: Waiting[] = [];
  let isDue = false;
  let nextAt = -Infinity;
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    isDue = false;
    nextAt = performance.now() + Math.min(LONGEST_MS, GATHERED_MS * batch.length);
    await write(db, batch);
  };
  return (claims) => {
    const seen = Promise.withResolvers<Seen>();
    waiting.push({ claims, seen });
    if (!isDue) {
      isDue = true;
      setTimeout(() => void flush(), Math.max(0, nextAt - performance.now()));
    }
    return seen.promise;
  };
}

/** Never rejects: each instance that waits gets the answer or the error. */
async function write(db: DataSource, batch: readonly Waiting[]): Promise<void> {
  const open = batch.length > 1 ? await seeMany(db, batch).catch(() => new Map<string, boolean>()) : null;
  await Promise.all(
    batch.map(async ({ claims, seen }) => {
      const isOpen = open?.get(nameOf(claims));
      // Alone, an instance that the batch did not see learns that it is fenced, waits for its row, or gets the error.
      if (isOpen === undefined) await seeOne(db, claims).then(seen.resolve, seen.reject);
      else seen.resolve({ isOpen });
    }),
  );
}

async function seeOne(db: DataSource, claims: InstanceClaims): Promise<Seen> {
  const [row] = await rowsOf<{ readonly is_open: boolean }>(db, ONE, fenceOf(claims));
  return row === undefined ? null : { isOpen: row.is_open };
}

async function seeMany(db: DataSource, batch: readonly Waiting[]): Promise<ReadonlyMap<string, boolean>> {
  const rows = await rowsOf<{
    readonly job_id: string;
    readonly slot: number;
    readonly generation: number;
    readonly is_open: boolean;
  }>(db, MANY, [
    batch.map(({ claims }) => claims.jobId),
    batch.map(({ claims }) => claims.slot),
    batch.map(({ claims }) => claims.generation),
  ]);
  return new Map(
    rows.map(({ job_id: jobId, slot, generation, is_open }) => [
      nameOf({ jobId, slot, generation }),
      is_open,
    ]),
  );
}

function nameOf({ jobId, slot, generation }: Pick<InstanceClaims, 'jobId' | 'slot' | 'generation'>): string {
  return `${jobId}/${String(slot)}.${String(generation)}`;
}
