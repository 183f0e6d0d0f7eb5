/**
 * The loss of an instance: the fence, the losses of its tasks, and whether the generation was of any use. All of it is written in
 * one transaction and read back from its rows, so a repeat answers the same.
 *
 * In standard recovery nothing is replaced for ever. A task is given up with its last loss (`losses.ts`). A generation is a dead
 * end when it decided no task, kept no checkpoint and no task's loss explains its end; a generation whose end gave a task up is a
 * dead end too. The answer tells the workflow how many dead ends in a row the slot has seen, and the job pauses at the third.
 *
 * In resumable recovery the loss of an instance is a matter of course: no loss of an instance is a dead end, and the slot gets
 * the next instance as long as the job lives, after pauses that grow while nothing is decided or kept. An instance that is there
 * and cannot work is a dead end in every mode.
 */
import type { DataSource } from 'typeorm';

import { announceJob } from '../../events/announce.ts';
import type { Job } from '../../../../entities/jobs.ts';
import type { Row } from '../../row.ts';
import { cancelBehindStop } from '../stop.ts';
import { MAX_DEAD_ENDS } from '../../../domain/recoveries.ts';
import { IS_LAST_LOSS } from '../losses.ts';
import { notePause } from '../../job-records/pending-pause.ts';
import { inTransaction, type Queryable, type Tx } from '../../transaction.ts';
import { lostSeconds, recordLoss } from '../../job-records/recoveries.ts';
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
  /** Dead ends in a row of the slot, this one included. */
  readonly deadEnds: number;
  /** How long the slot waits before its next instance. */
  readonly pauseSeconds: number;
}

/** The first pause of a slot whose instances are lost again and again, in seconds; configuration. */
export const REPLACE_PAUSE_SECONDS = 2;
/** No pause is longer than so many first pauses: a quarter of an hour by default. */
const MOST_FIRST_PAUSES = 450;

/** The provider has taken the instance away, as it may; no task is to blame, so no task has lost anything by it. */
const PREEMPTED = 'PREEMPTED';
/** Losses of an instance, for which a task may be to blame; in standard recovery the number of a task's losses is bounded. */
const DEATHS = ['INSTANCE_GONE', 'INSTANCE_SILENT', 'PREEMPTED', 'CONTROL_LOST'];

/**
 * Fences a lost generation, sets its running tasks back (or fails those that were lost too often) and writes the
 * recovery that the customer sees. A generation that is fenced already is left as it is.
 */
export async function replaceInstance(
  db: DataSource,
  lost: LostGeneration,
  pauseSeconds = REPLACE_PAUSE_SECONDS,
): Promise<Replacement> {
  const replacement = await inTransaction(db, async (tx) => {
    const [job] = await tx.query<Row<Job, 'recoveryMode'>[]>(
      'select recovery_mode from jobs where id = $1 for no key update',
      [lost.jobId],
    );
    const fenced = await tx.query<{ contacted: boolean }[]>(
      `with fenced as (update instances set fenced_at = now(), fence_cause = $4
         where job_id = $1 and slot = $2 and generation = $3 and fenced_at is null
         returning last_contact_at is not null as contacted)
       select * from fenced`,
      [lost.jobId, lost.slot, lost.generation, lost.cause],
    );
    const [instance] = fenced;
    if (instance === undefined) return { requeued: 0, failed: 0, ...(await sequel(tx, lost, pauseSeconds)) };
    const back = await setTasksBack(tx, lost);
    await cancelBehindStop(tx, lost.jobId);
    // An instance that never made contact is a failed launch. The workflow counts failed launches, and allows more of them.
    const isExpected =
      lost.cause === PREEMPTED || (job?.recovery_mode === 'resumable' && DEATHS.includes(lost.cause));
    const delivered = instance.contacted ? await hasDelivered(tx, lost, { ...back, isExpected }) : null;
    await recordLoss(tx, lost, { ...back, delivered });
    const { requeued, failed } = back;
    const next = await sequel(tx, lost, pauseSeconds);
    if (next.deadEnds >= MAX_DEAD_ENDS) await notePause(tx, lost.jobId, 'OPERATOR');
    return { requeued, failed, ...next };
  });
  void announceJob(db, lost.jobId);
  return replacement;
}

interface SetBack {
  readonly requeued: number;
  readonly failed: number;
  /** The work of the tasks that counts for nothing, until the instance was given up. */
  readonly secondsLost: number;
  /** Whether a task has kept something that its next attempt goes on from. */
  readonly hasKept: boolean;
}

async function setTasksBack(tx: Tx, lost: LostGeneration): Promise<SetBack> {
  const isGivenUp = `$4::int = 1 and ${IS_LAST_LOSS}`;
  const [back] = await tx.query<SetBack[]>(
    `with back as (update tasks t set losses = t.losses + $4::int, progress_percent = 0,
         state = case when ${isGivenUp} then 'FAILED' else 'PENDING' end,
         failure_code = case when ${isGivenUp} then 'WORKER_LOST' end,
         failure_message = case when ${isGivenUp}
           then 'The instance was lost each time this task ran; it was started again ' || t.losses || ' times.' end,
         finished_at = case when ${isGivenUp} then now() end
       from jobs j where j.id = t.job_id and t.job_id = $1 and t.slot = $2 and t.generation = $3 and t.state = 'RUNNING'
       returning t.*)
     select count(*) filter (where state <> 'FAILED')::int as requeued, count(*) filter (where state = 'FAILED')::int as failed,
       ${lostSeconds('back')} as "secondsLost", coalesce(bool_or(checkpoint_at > started_at), false) as "hasKept" from back`,
    [lost.jobId, lost.slot, lost.generation, lost.cause === PREEMPTED ? 0 : 1],
  );
  return back ?? { requeued: 0, failed: 0, secondsLost: 0, hasKept: false };
}

/** Whether the generation decided anything; null when it did not, but the loss was expected, or losses of its tasks bound that already. */
async function hasDelivered(
  tx: Tx,
  lost: LostGeneration,
  back: Omit<SetBack, 'secondsLost'> & { readonly isExpected: boolean },
): Promise<boolean | null> {
  if (back.hasKept) return true;
  const decided = await tx.query<unknown[]>(
    `select 1 from tasks where job_id = $1 and slot = $2 and generation = $3 and state in ('SUCCEEDED', 'FAILED', 'CANCELLED')
       and failure_code is distinct from 'WORKER_LOST' limit 1`,
    [lost.jobId, lost.slot, lost.generation],
  );
  if (decided.length > 0) return true;
  const isExplained = DEATHS.includes(lost.cause) && back.requeued > 0 && back.failed === 0;
  return back.isExpected || isExplained ? null : false;
}

/**
 * Computes the dead ends of the slot, and its pause, counted since one of its generations decided or kept something. In resumable
 * recovery the second loss in a row makes a pause, and each further loss one of twice the length. A launch that came to nothing
 * is an instance that never made contact; the workflow makes the pauses after those.
 */
async function sequel(
  tx: Queryable,
  { jobId, execution, slot, generation }: LostGeneration,
  firstSeconds: number,
): Promise<{ readonly deadEnds: number; readonly pauseSeconds: number }> {
  const [row] = await tx.query<{ dead_ends: number; losses: number; pauses: boolean }[]>(
    `select count(*) filter (where not r.delivered)::int as dead_ends,
       count(*) filter (where i.last_contact_at is not null)::int as losses,
       coalesce(bool_or(r.generation = $4 and i.last_contact_at is not null), false)
         and (select recovery_mode = 'resumable' from jobs where id = $1) as pauses
     from recoveries r join instances i on (i.job_id, i.slot, i.generation) = (r.job_id, r.slot, r.generation)
     where r.job_id = $1 and r.execution = $2 and r.slot = $3
       and r.generation > coalesce((select max(generation) from recoveries
         where job_id = $1 and execution = $2 and slot = $3 and delivered), 0)`,
    [jobId, execution, slot, generation],
  );
  const { dead_ends: deadEnds = 0, losses = 0, pauses = false } = row ?? {};
  if (!pauses || losses < 2) return { deadEnds, pauseSeconds: 0 };
  return { deadEnds, pauseSeconds: firstSeconds * Math.min(2 ** (losses - 2), MOST_FIRST_PAUSES) };
}
