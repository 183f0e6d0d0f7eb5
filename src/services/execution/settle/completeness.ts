/**
 * Before a job may end, its artifacts are compared with the objects that the store lists, by key and size. The digests of
 * the objects were verified at their commit, no instance can write to their place, and no two commits write one object. So a
 * mismatch means that somebody else changed the store.
 */
import type { DataSource } from 'typeorm';
import type { Job } from '../../../../entities/jobs.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { StepKind } from '../../../contracts/job.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { withoutOutput } from '../../../domain/lost-output.ts';
import type { SetBackTask } from '../../../domain/lost-output.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import type { Recorder, Recorders } from '../recorder.ts';
import { missingObjects } from './listing.ts';
import { taskCounts } from './settle.ts';

/** The result of the comparison. */
export interface Completeness {
  /** Tasks and steps whose outputs are not as they were verified. */
  readonly setBack: number;
  /** State of the job when some were; null when none was. */
  readonly standing: {
    readonly verified: number;
    readonly failed: number;
    /** Steps that are to be done again. */
    readonly steps: readonly StepKind[];
  } | null;
}

interface Dependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly recorders: Recorders;
}

/**
 * Sets back the tasks whose outputs are missing or of another size; removes what no artifact names. The answer is read
 * from the rows: a repeat of an attempt whose answer was lost tells what that one set back.
 * @throws Invariant when the job is not FINALIZING.
 */
export async function checkCompleteness(deps: Dependencies, jobId: string): Promise<Completeness> {
  const missing = await missingObjects(deps, jobId);
  const completeness = await inTransaction(deps.db, async (tx) => {
    const [job] = await tx.query<Row<Job, 'status' | 'execution' | 'toolId'>[]>(
      'select status, execution, tool_id from jobs where id = $1 for no key update',
      [jobId],
    );
    // A late attempt must not set back tasks of a job that has ended, because these tasks are charged.
    if (job?.status !== 'FINALIZING')
      throw invariantBroken(`job ${jobId} is ${String(job?.status)}, not FINALIZING`);
    const of = { jobId, execution: job.execution, recorder: deps.recorders(job.tool_id) };
    const failed = missing.length === 0 ? 0 : await setBack(tx, of, missing);
    const open = await undecided(tx, jobId);
    const count = failed + open.reduce((sum, row) => sum + row.count, 0);
    if (count === 0) return { setBack: 0, standing: null };
    const counts = await taskCounts(tx, jobId);
    const steps = open.flatMap(({ kind }) => (kind === 'task' ? [] : [kind]));
    return { setBack: count, standing: { verified: counts.verified, failed: counts.failed, steps } };
  });
  if (completeness.setBack > 0) void announceJob(deps.db, jobId);
  return completeness;
}

interface SetBackJob {
  readonly jobId: string;
  readonly execution: number;
  readonly recorder: Recorder;
}

/**
 * The whole task is done again: its other outputs go too, so that one attempt explains all of them. Answers how many have
 * failed for good.
 */
async function setBack(tx: Tx, job: SetBackJob, missing: readonly string[]): Promise<number> {
  const back = await forget(tx, job, missing);
  const tasks = back.filter((row) => row.kind === 'task');
  await tx.query(
    `update jobs set tasks_verified = tasks_verified - $2, tasks_failed = tasks_failed + $3, version = version + 1,
       updated_at = now() where id = $1`,
    [job.jobId, tasks.length, tasks.filter((row) => row.state === 'FAILED').length],
  );
  return back.filter((row) => row.state === 'FAILED').length;
}

interface UndecidedRow {
  readonly kind: Exclude<Task['kind'], 'finish'>;
  readonly count: number;
}

/** Counts the open work; when a job is proven complete every task and step is decided, but for a merge that has nothing to merge. */
async function undecided(tx: Tx, jobId: string): Promise<readonly UndecidedRow[]> {
  return tx.query(
    `select kind, count(*)::int as count from tasks t
     where job_id = $1 and kind <> 'finish' and state in ('PENDING', 'RUNNING') and (kind <> 'merge' or exists (
       select from tasks v where v.job_id = t.job_id and v.kind = 'task' and v.state = 'SUCCEEDED'))
     group by kind order by kind`,
    [jobId],
  );
}

type LostRow = Row<Task, 'kind' | 'ordinal' | 'execution' | 'attempts' | 'chargedIn'>;

/**
 * Tasks without their artifacts and records, open again or failed for good. Only what still has a missing object as its output is
 * meant: each attempt writes objects of its own, so what was done again since has others. With a task goes the merge, which
 * has read the outputs of the task.
 */
async function forget(
  tx: Tx,
  { jobId, execution, recorder }: SetBackJob,
  missing: readonly string[],
): Promise<readonly (Pick<LostRow, 'kind'> & SetBackTask)[]> {
  const lost = await tx.query<LostRow[]>(
    `with missing as (select distinct task_kind as kind, task_ordinal as ordinal from artifacts
            where job_id = $1 and storage_key = any($2)),
          lost as (select kind, ordinal from missing union select 'merge', 0 from missing where kind = 'task'),
          gone as (delete from artifacts a using lost where a.job_id = $1 and a.task_kind = lost.kind and a.task_ordinal = lost.ordinal)
     select t.kind, t.ordinal, t.execution, t.attempts, t.charged_in from tasks t join lost on t.kind = lost.kind and t.ordinal = lost.ordinal
     where t.job_id = $1 and t.state = 'SUCCEEDED' for update of t`,
    [jobId, missing],
  );
  await recorder.lost(
    tx,
    jobId,
    lost.filter(({ kind }) => kind === 'task').map(({ ordinal }) => ordinal),
  );
  const back = lost.map((row) => ({
    kind: row.kind,
    ordinal: row.ordinal,
    ...withoutOutput({ ...row, chargedIn: row.charged_in }, execution),
  }));
  await tx.query(
    `update tasks t set progress_percent = 0, summary = null, charged_in = back.charged_in, state = back.state,
       finished_at = case when back.state = 'FAILED' then now() end,
       failure_code = case when back.state = 'FAILED' then 'OUTPUT_UNVERIFIED' end,
       failure_message = case when back.state = 'FAILED' then 'The outputs did not stay in the store as they were verified.' end
     from unnest($2::text[], $3::int[], $4::text[], $5::int[]) as back (kind, ordinal, state, charged_in)
     where t.job_id = $1 and t.kind = back.kind and t.ordinal = back.ordinal`,
    [
      jobId,
      back.map((one) => one.kind),
      back.map((one) => one.ordinal),
      back.map((one) => one.state),
      back.map((one) => one.chargedIn),
    ],
  );
  return back;
}
