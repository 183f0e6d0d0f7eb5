/**
 * The signs of life of many instances, and the progress of their tasks, written together: 2,000 instances that contact the gateway
 * every two seconds would be a thousand statements a second. The more contacts come, the longer they are gathered, to one second
 * at most; a contact by itself is written at once.
 */
import type { DataSource } from 'typeorm';

import type { ContactRequest, InstanceClaims } from '../../../contracts/instance.ts';
import { announceJob } from '../../events/announce.ts';
import { SETTLED_SQL } from '../../job-state-sql.ts';
import { rowsOf } from '../../transaction.ts';
import { fenceOf, JOB_WANTS_WORK, UNFENCED } from '../fence.ts';
import { ProgressBoard } from './progress.ts';
import type { ProgressRow } from './progress.ts';

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

// A row that some transaction holds is skipped, because all other contacts would wait for that transaction. The job's row comes
// before its tasks, as in a commit and a replacement, and progress of a job whose row is held is written a second later. Progress
// of a fenced instance is left out.
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
  ),
  progress as (
    select * from unnest($4::uuid[], $5::int[], $6::int[], $7::text[], $8::int[], $9::real[])
      as progress (job_id, slot, generation, kind, ordinal, percent)
  ),
  held as (
    select id from jobs where id in (select job_id from progress) and status not in ${SETTLED_SQL}
    for no key update skip locked
  ),
  running as (
    select t.job_id, t.kind, t.ordinal, p.percent
    from held join progress p on p.job_id = held.id
      join instances i on (i.job_id, i.slot, i.generation) = (p.job_id, p.slot, p.generation)
      join tasks t on (t.job_id, t.kind, t.ordinal) = (p.job_id, p.kind, p.ordinal)
    where i.fenced_at is null and i.state <> 'TERMINATED' and t.state = 'RUNNING'
      and (t.slot, t.generation) = (p.slot, p.generation) and t.progress_percent <> p.percent
    for no key update of t skip locked
  ),
  moved as (
    update tasks t set progress_percent = running.percent from running
    where (t.job_id, t.kind, t.ordinal) = (running.job_id, running.kind, running.ordinal)
    returning t.job_id
  ),
  changed as (
    update jobs set version = version + 1, updated_at = now() where id in (select job_id from moved) returning id
  )
  select job_id, slot, generation, is_open from seen
  union all
  select id, null, null, id in (select id from changed) from held`;

/** Answer from the row of an instance at its contact: whether the job wants work done; null when the instance must not act. */
export type Seen = { readonly isOpen: boolean } | null;
/** Writes the sign of life of an instance, and with it, or soon, what the instance tells of its tasks. */
export type SeeInstance = (claims: InstanceClaims, running: ContactRequest['running']) => Promise<Seen>;

interface Waiting {
  readonly claims: InstanceClaims;
  readonly seen: PromiseWithResolvers<Seen>;
}

/** Opens the batch of one process. */
export function createContactBatch(db: DataSource): SeeInstance {
  const batch = new ContactBatch(db);
  return (claims, running) => batch.see(claims, running);
}

class ContactBatch {
  readonly #db: DataSource;
  readonly #progress = new ProgressBoard();
  #waiting: Waiting[] = [];
  #isDue = false;
  #nextAt = -Infinity;
  #late: NodeJS.Timeout | undefined;

  constructor(db: DataSource) {
    this.#db = db;
  }

  see(claims: InstanceClaims, running: ContactRequest['running']): Promise<Seen> {
    const seen = Promise.withResolvers<Seen>();
    this.#progress.tell(claims, running);
    this.#waiting.push({ claims, seen });
    if (!this.#isDue) {
      this.#isDue = true;
      clearTimeout(this.#late);
      setTimeout(() => void this.#flush(), Math.max(0, this.#nextAt - performance.now()));
    }
    return seen.promise;
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#isDue = false;
    this.#nextAt = performance.now() + Math.min(LONGEST_MS, GATHERED_MS * batch.length);
    await this.#write(batch);
    this.#writeLate();
  }

  /**
   * Writes progress that no sign of life takes along; the next contact tells it again, so a failure loses nothing. Signs of life
   * that wait to be written take the due progress along, and the rest is looked at after them.
   */
  #writeLate(): void {
    clearTimeout(this.#late);
    if (this.#isDue) return;
    const inMs = this.#progress.dueInMs;
    if (inMs === null || !this.#db.isInitialized) return;
    this.#late = setTimeout(() => void this.#write([]).then(() => this.#writeLate()), inMs).unref();
  }

  /** Never rejects: each instance that waits gets the answer or the error. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    const progress = this.#progress.take();
    const isMany = batch.length > 1 || progress.length > 0;
    const open = isMany ? await this.#writeMany(batch, progress).catch(() => null) : null;
    await Promise.all(
      batch.map(async ({ claims, seen }) => {
        const isOpen = open?.get(nameOf(claims));
        // Alone, an instance that the batch did not see learns that it is fenced, waits for its row, or gets the error.
        if (isOpen === undefined) await seeOne(this.#db, claims).then(seen.resolve, seen.reject);
        else seen.resolve({ isOpen });
      }),
    );
  }

  async #writeMany(
    batch: readonly Waiting[],
    progress: readonly ProgressRow[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const rows = await rowsOf<SeenRow | HeldRow>(this.#db, MANY, [
      ...placesOf(batch.map(({ claims }) => claims)),
      ...placesOf(progress),
      progress.map(({ kind }) => kind),
      progress.map(({ ordinal }) => ordinal),
      progress.map(({ percent }) => percent),
    ]);
    const held = rows.filter((row) => row.slot === null);
    this.#progress.wrote(progress, new Set(held.map((row) => row.job_id)));
    for (const { job_id: jobId, is_open: isChanged } of held)
      if (isChanged) void announceJob(this.#db, jobId);
    return new Map(
      rows.flatMap((row) =>
        row.slot === null
          ? []
          : [[nameOf({ jobId: row.job_id, slot: row.slot, generation: row.generation }), row.is_open]],
      ),
    );
  }
}

interface SeenRow {
  readonly job_id: string;
  readonly slot: number;
  readonly generation: number;
  readonly is_open: boolean;
}

/** A job whose progress was written; `is_open` tells whether it has changed. */
interface HeldRow {
  readonly job_id: string;
  readonly slot: null;
  readonly generation: null;
  readonly is_open: boolean;
}

async function seeOne(db: DataSource, claims: InstanceClaims): Promise<Seen> {
  const [row] = await rowsOf<{ readonly is_open: boolean }>(db, ONE, fenceOf(claims));
  return row === undefined ? null : { isOpen: row.is_open };
}

type Place = Pick<InstanceClaims, 'jobId' | 'slot' | 'generation'>;

function placesOf(places: readonly Place[]): [string[], number[], number[]] {
  return [
    places.map(({ jobId }) => jobId),
    places.map(({ slot }) => slot),
    places.map(({ generation }) => generation),
  ];
}

function nameOf({ jobId, slot, generation }: Place): string {
  return `${jobId}/${String(slot)}.${String(generation)}`;
}
