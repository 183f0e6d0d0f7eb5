/**
 * The progress of running tasks, as instances tell it. What all instances of a job have told is written together, at most
 * once a second, because every write wakes all long polls that wait for the job's next version.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { ContactRequest, InstanceClaims } from '../../../contracts/instance.ts';
import { announceJob } from '../../events/announce.ts';
import { SETTLED_SQL } from '../../job-state-sql.ts';
import { rowsOf } from '../fence.ts';

const INTERVAL_MS = 1000;
const REMEMBERED_JOBS = 10_000;

// The job's row is locked first, as in a commit and a replacement: in another order two of them would deadlock. What a
// fenced instance has told is left out.
const PROGRESS = `
  with open_job as (select id from jobs where id = $1 and status not in ${SETTLED_SQL} for no key update),
  moved as (
    update tasks t set progress_percent = told.percent
    from open_job, unnest($2::int[], $3::int[], $4::text[], $5::int[], $6::real[])
        as told (slot, generation, kind, ordinal, percent)
      join instances i on i.job_id = $1 and i.slot = told.slot and i.generation = told.generation
    where i.fenced_at is null and i.state <> 'TERMINATED'
      and t.job_id = $1 and t.kind = told.kind and t.ordinal = told.ordinal and t.state = 'RUNNING'
      and t.slot = told.slot and t.generation = told.generation and t.progress_percent <> told.percent
    returning 1
  ), job as (
    update jobs set version = version + 1, updated_at = now() where id = $1 and exists (select 1 from moved) returning 1
  )
  select 1 from job`;

/** Takes what one instance tells of the tasks that it runs. The promise is over when it is written, or due to be. */
export type TellProgress = (claims: InstanceClaims, running: ContactRequest['running']) => Promise<void>;

interface Told extends Pick<InstanceClaims, 'slot' | 'generation'> {
  readonly running: ContactRequest['running'];
}

/** What the instances of a job have told since the last write, by slot. */
interface JobBoard {
  readonly told: Map<number, Told>;
  writtenAt: number;
  isDue: boolean;
}

/** Opens the use case. */
export function createProgress(db: DataSource): TellProgress {
  const boards = new LRUCache<string, JobBoard>({ max: REMEMBERED_JOBS });
  return async ({ jobId, slot, generation }, running) => {
    const board = boards.get(jobId) ?? { told: new Map<number, Told>(), writtenAt: -Infinity, isDue: false };
    boards.set(jobId, board);
    board.told.set(slot, { slot, generation, running });
    if (board.isDue) return;
    const waitMs = board.writtenAt + INTERVAL_MS - performance.now();
    if (waitMs <= 0) return writeBoard(db, jobId, board);
    board.isDue = true;
    // The next contact of an instance tells its progress again, so a write that fails here loses nothing.
    setTimeout(() => void writeBoard(db, jobId, board).catch(() => undefined), waitMs).unref();
  };
}

async function writeBoard(db: DataSource, jobId: string, board: JobBoard): Promise<void> {
  const rows = [...board.told.values()].flatMap(({ slot, generation, running }) =>
    running.map((task) => ({ slot, generation, ...task })),
  );
  board.told.clear();
  board.isDue = false;
  board.writtenAt = performance.now();
  const moved = await rowsOf(db, PROGRESS, [
    jobId,
    rows.map(({ slot }) => slot),
    rows.map(({ generation }) => generation),
    rows.map(({ kind }) => kind),
    rows.map(({ ordinal }) => ordinal),
    rows.map(({ percent }) => percent),
  ]);
  if (moved.length > 0) void announceJob(db, jobId);
}
