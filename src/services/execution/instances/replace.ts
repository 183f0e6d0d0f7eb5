/**
 * What the loss of an instance comes to: the fence, what its tasks have lost, and whether the generation was of any
 * use. All of it is written in one transaction and read back from its rows, so a repeat answers the same.
 *
 * No task and no slot is replaced for ever. A task is given up with its last loss (`losses.ts`). A generation is a dead end
 * when it decided no task and no task's loss explains its end; a generation whose end gave a task up is a dead end too. The
 * answer tells the workflow how many dead ends in a row the slot has seen, and the job pauses at the third.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { announceJob } from '../../events/announce.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { Row } from '../../row.ts';
import { LAST_LOSS_OF_JOB } from '../losses.ts';
import { inTransaction, type Queryable, type Tx } from '../../transaction.ts';
import type { Generation } from './instances.ts';

/** A generation that is given up, and why. */
export interface LostGeneration extends Generation {
  readonly execution: number;
  readonly cause: string;
}

/** The result of a loss. */
export interface Replacement {
  /** Tasks and steps that are run again. */
  readonly requeued: number;
  /** Tasks and steps that were lost too often. */
  readonly failed: number;
  /** Dead ends in a row of the slot, this one included; histories of before do not have it. */
  readonly deadEnds?: number;
}

/** Causes for which the task may be to blame: a task's losses are counted, and their number is bounded. */
const DEATHS = ['INSTANCE_GONE', 'INSTANCE_SILENT', 'CONTROL_LOST'];

/**
 * Fences a lost generation, sets its running tasks back (or fails those that were lost too often) and writes the
 * recovery that the customer sees. A generation that is fenced already is left as it is.
 */
export async function replaceInstance(db: DataSource, lost: LostGeneration): Promise<Replacement> {
  const replacement = await inTransaction(db, async (tx) => {
    await tx.query('select 1 from jobs where id = $1 for no key update', [lost.jobId]);
    const fenced = await tx.query<{ contacted: boolean }[]>(
      `with fenced as (update instances set fenced_at = now(), fence_cause = $4
         where job_id = $1 and slot = $2 and generation = $3 and fenced_at is null
         returning last_contact_at is not null as contacted)
       select * from fenced`,
      [lost.jobId, lost.slot, lost.generation, lost.cause],
    );
    const [instance] = fenced;
    if (instance === undefined) return { requeued: 0, failed: 0, deadEnds: await deadEnds(tx, lost) };
    const back = await setTasksBack(tx, lost);
    // An instance that never made contact is a failed launch. The workflow counts failed launches, and allows more of them.
    const delivered = instance.contacted ? await hasDelivered(tx, lost, back) : null;
    await recordRecovery(tx, lost, { requeued: back.requeued, delivered });
    return { ...back, deadEnds: await deadEnds(tx, lost) };
  });
  void announceJob(db, lost.jobId);
  return replacement;
}

async function setTasksBack(tx: Tx, lost: Generation): Promise<{ requeued: number; failed: number }> {
  const isLast = `t.losses + 1 >= ${LAST_LOSS_OF_JOB}`;
  const rows = await tx.query<Row<Task, 'state'>[]>(
    `with back as (update tasks t set losses = t.losses + 1, progress_percent = 0,
         state = case when ${isLast} then 'FAILED' else 'PENDING' end,
         failure_code = case when ${isLast} then 'WORKER_LOST' end,
         failure_message = case when ${isLast}
           then 'The instance was lost each time this task ran; it was started again ' || t.losses || ' times.' end,
         finished_at = case when ${isLast} then now() end
       from jobs j where j.id = t.job_id and t.job_id = $1 and t.slot = $2 and t.generation = $3 and t.state = 'RUNNING'
       returning t.state)
     select state from back`,
    [lost.jobId, lost.slot, lost.generation],
  );
  const failed = rows.filter((row) => row.state === 'FAILED').length;
  return { requeued: rows.length - failed, failed };
}

/** Whether the generation decided anything; null when it did not, but the losses of its tasks bound that already. */
async function hasDelivered(
  tx: Tx,
  lost: LostGeneration,
  back: { readonly requeued: number; readonly failed: number },
): Promise<boolean | null> {
  const decided = await tx.query<unknown[]>(
    `select 1 from tasks where job_id = $1 and slot = $2 and generation = $3 and state in ('SUCCEEDED', 'FAILED')
       and failure_code is distinct from 'WORKER_LOST' limit 1`,
    [lost.jobId, lost.slot, lost.generation],
  );
  if (decided.length > 0) return true;
  const isExplained = DEATHS.includes(lost.cause) && back.requeued > 0 && back.failed === 0;
  return isExplained ? null : false;
}

/** Dead ends of the slot since one of its generations decided something. */
async function deadEnds(tx: Queryable, { jobId, execution, slot }: LostGeneration): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>(
    `select count(*)::int as count from recoveries where job_id = $1 and execution = $2 and slot = $3 and not delivered
       and generation > coalesce((select max(generation) from recoveries
         where job_id = $1 and execution = $2 and slot = $3 and delivered), 0)`,
    [jobId, execution, slot],
  );
  return row?.count ?? 0;
}

async function recordRecovery(
  tx: Tx,
  lost: LostGeneration,
  found: { readonly requeued: number; readonly delivered: boolean | null },
): Promise<void> {
  await tx.query(
    `insert into recoveries (id, job_id, execution, slot, generation, cause, tasks_kept, tasks_requeued, seconds_lost, delivered)
     select $1, j.id, $3, $4, $5, $6, j.tasks_verified, $7::int,
       case when $7::int = 0 then 0 else extract(epoch from now() - coalesce((select min(t.started_at) from tasks t
         where t.job_id = j.id and t.slot = $4 and t.generation = $5 and t.state = 'PENDING'), now())) end, $8
     from jobs j where j.id = $2 on conflict do nothing`,
    [
      uuidv7(),
      lost.jobId,
      lost.execution,
      lost.slot,
      lost.generation,
      lost.cause,
      found.requeued,
      found.delivered,
    ],
  );
  await tx.query(
    `update jobs set recovery_count = recovery_count + 1, version = version + 1, updated_at = now(),
       tasks_failed = (select count(*) from tasks where job_id = $1 and kind = 'task' and state = 'FAILED') where id = $1`,
    [lost.jobId],
  );
}
