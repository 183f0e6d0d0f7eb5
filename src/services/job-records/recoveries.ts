/**
 * The recovery ledger: one entry for each lost instance, each pause and each resume of a job. An entry is written in the transaction
 * of what it tells, under the lock of the job's row, so that entries have their times in the order of their commits. When work
 * goes on, the claim of the first task says so (`claim.ts`). Nothing of the ledger is ever charged.
 */
import { v7 as uuidv7 } from 'uuid';

import type { PauseReason } from '../../domain/job-state.ts';
import { RESUMED } from '../../domain/recoveries.ts';
import type { Queryable, Tx } from '../transaction.ts';

/**
 * SQL: the seconds of work that come to nothing when these running tasks are set back now; the rows have the columns of tasks. An
 * instance has worked until it was last heard of, whenever its loss is found. The tasks of a shard are claimed together and run
 * one after the other, so their time counts once. Work until a checkpoint is kept.
 */
export function lostSeconds(tasks: string): string {
  return `(select coalesce(sum(seconds), 0)::float8 from (
      select greatest(0, extract(epoch from least(clock_timestamp(), max(i.last_contact_at)) - min(greatest(t.started_at, t.checkpoint_at)))) as seconds
      from ${tasks} t left join instances i on (i.job_id, i.slot, i.generation) = (t.job_id, t.slot, t.generation)
      group by t.slot, t.generation, t.kind, t.started_at) shards)`;
}

/** SQL: an entry is written for a job `j`, whose verified tasks are kept; the parameters of each kind follow. */
const ENTRY = `insert into recoveries (id, job_id, execution, tasks_kept, created_at, kind, cause, tasks_requeued, seconds_lost, slot, generation, delivered)
     select $1, j.id, $3, j.tasks_verified, clock_timestamp()`;

/** A generation that was given up, and why. */
export interface LostInstance {
  readonly jobId: string;
  readonly execution: number;
  readonly slot: number;
  readonly generation: number;
  readonly cause: string;
}

/** Loss of an instance; `delivered` as in the entity. */
export interface Loss {
  readonly requeued: number;
  readonly secondsLost: number;
  readonly delivered: boolean | null;
}

/** Writes the loss of an instance, and counts it in the job's row. */
export async function recordLoss(tx: Tx, lost: LostInstance, loss: Loss): Promise<void> {
  const { jobId, execution, slot, generation, cause } = lost;
  await tx.query(
    `${ENTRY}, 'LOSS', $4, $5::int, $6::float8, $7::int, $8::int, $9::boolean from jobs j where j.id = $2 on conflict do nothing`,
    [uuidv7(), jobId, execution, cause, loss.requeued, loss.secondsLost, slot, generation, loss.delivered],
  );
  await tx.query(
    `update jobs set recovery_count = recovery_count + 1, version = version + 1, updated_at = now(),
       tasks_failed = (select count(*) from tasks where job_id = $1 and kind = 'task' and state = 'FAILED') where id = $1`,
    [jobId],
  );
}

/** Writes the pause of a job, whose running tasks are set back; called before they are. */
export async function recordPause(
  tx: Queryable,
  { jobId, execution, pauseReason }: { jobId: string; execution: number; pauseReason: PauseReason | null },
): Promise<void> {
  await tx.query(
    `with running as (select * from tasks where job_id = $2 and state = 'RUNNING')
     ${ENTRY}, 'PAUSE', $4, (select count(*)::int from running), ${lostSeconds('running')}, null, null, null from jobs j where j.id = $2`,
    [uuidv7(), jobId, execution, pauseReason ?? 'OPERATOR'],
  );
}

/** Writes the resume of a job, for which so many tasks and steps were opened again. */
export async function recordResume(
  tx: Queryable,
  { jobId, execution, tasks }: { jobId: string; execution: number; tasks: number },
): Promise<void> {
  await tx.query(`${ENTRY}, 'RESUME', $4, $5::int, 0, null, null, null from jobs j where j.id = $2`, [
    uuidv7(),
    jobId,
    execution,
    RESUMED,
    tasks,
  ]);
}
