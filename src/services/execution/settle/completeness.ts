/**
 * Before a job may end, its artifacts are compared with the objects that the store lists, by key and size. The digests of
 * the objects were verified at their commit, no instance can write to their place, and no two commits write one object. So a
 * mismatch means that somebody else changed the store.
 */
import { Any } from 'typeorm';
import type { DataSource } from 'typeorm';
import { JobEntity } from '../../../../entities/jobs.ts';
import type { Job } from '../../../../entities/jobs.ts';
import { ArtifactEntity } from '../../../../entities/storage.ts';
import type { Artifact } from '../../../../entities/storage.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { StepKind } from '../../../contracts/job.ts';
import { jobPrefix } from '../../../contracts/names.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import { MAX_UNVERIFIED_ATTEMPTS } from '../commit/commit-records.ts';
import { taskCounts } from './settle.ts';

/** The result of the comparison. */
export interface Completeness {
  /** Tasks and steps whose outputs are not as they were verified. */
  readonly setBack: number;
  /** Where the job stands when some were; histories of before do not have it. */
  readonly standing?: {
    readonly verified: number;
    readonly failed: number;
    /** Steps that are to be done again. */
    readonly steps: readonly StepKind[];
  };
}

interface Dependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/**
 * Sets back the tasks whose outputs are missing or of another size; removes what no artifact names. The answer is read
 * from the rows: a repeat of an attempt whose answer was lost tells what that one set back.
 * @throws Invariant when the job is not FINALIZING.
 */
export async function checkCompleteness(deps: Dependencies, jobId: string): Promise<Completeness> {
  const { accountId, missing, strays } = await compare(deps, jobId);
  await removeUnnamed(deps, accountId, strays);
  const completeness = await inTransaction(deps.db, async (tx) => {
    const [job] = await tx.query<Row<Job, 'status'>[]>(
      'select status from jobs where id = $1 for no key update',
      [jobId],
    );
    // A late attempt must not set back tasks of a job that has ended, because these tasks are charged.
    if (job?.status !== 'FINALIZING')
      throw invariantBroken(`job ${jobId} is ${String(job?.status)}, not FINALIZING`);
    const failed = missing.length === 0 ? 0 : await setBack(tx, jobId, missing);
    const open = await undecided(tx, jobId);
    const count = failed + open.reduce((sum, row) => sum + row.count, 0);
    if (count === 0) return { setBack: 0 };
    const counts = await taskCounts(tx, jobId);
    const steps = open.flatMap(({ kind }) => (kind === 'task' ? [] : [kind]));
    return { setBack: count, standing: { verified: counts.verified, failed: counts.failed, steps } };
  });
  if (completeness.setBack > 0) void announceJob(deps.db, jobId);
  return completeness;
}

/** Removes what no artifact names: copies of commits that did not live to the end of theirs. */
export async function removeStrays(deps: Dependencies, jobId: string): Promise<void> {
  const { accountId, strays } = await compare(deps, jobId);
  await removeUnnamed(deps, accountId, strays);
}

async function compare(
  { db, store }: Dependencies,
  jobId: string,
): Promise<{ accountId: string; missing: readonly string[]; strays: readonly string[] }> {
  const job = await db
    .getRepository(JobEntity)
    .findOne({ select: { id: true, accountId: true }, where: { id: jobId } });
  if (job === null) throw invariantBroken(`job ${jobId} does not exist`);
  const { accountId } = job;
  // A job may have tens of thousands of outputs, and a repository takes three times the time of the process for each row.
  const expected = await db.query<Row<Artifact, 'storageKey' | 'byteSize'>[]>(
    'select storage_key, byte_size from artifacts where job_id = $1',
    [jobId],
  );
  const missing = new Map(expected.map((row) => [row.storage_key, row]));
  const strays: string[] = [];
  for await (const page of store.list(jobPrefix(accountId, jobId))) {
    for (const { key, byteSize } of page) {
      const row = missing.get(key);
      if (row !== undefined && row.byte_size === byteSize) missing.delete(key);
      else if (row === undefined) strays.push(key);
    }
  }
  return { accountId, missing: [...missing.keys()], strays };
}

/** Removes objects that no artifact names. The names are read once more, because a commit may have ended since. */
async function removeUnnamed(
  { db, store }: Dependencies,
  accountId: string,
  strays: readonly string[],
): Promise<void> {
  if (strays.length === 0) return;
  const named = await db.getRepository(ArtifactEntity).find({
    select: { id: true, storageKey: true },
    where: { accountId, storageKey: Any(strays) },
  });
  const kept = new Set(named.map((artifact) => artifact.storageKey));
  const unnamed = strays.filter((key) => !kept.has(key));
  if (unnamed.length > 0) await store.remove(unnamed);
}

/**
 * A task that an earlier execution has charged for is marked, so that this one does not charge it too. The whole task is done again: its other outputs go too, so that one attempt explains all of them. Answers how many
 * have failed for good.
 */
async function setBack(tx: Tx, jobId: string, missing: readonly string[]): Promise<number> {
  const back = await forget(tx, jobId, missing);
  const tasks = back.filter((row) => row.kind === 'task');
  await tx.query(
    `update jobs set tasks_verified = tasks_verified - $2, tasks_failed = tasks_failed + $3, version = version + 1,
       updated_at = now() where id = $1`,
    [jobId, tasks.length, tasks.filter((row) => row.state === 'FAILED').length],
  );
  return back.filter((row) => row.state === 'FAILED').length;
}

interface UndecidedRow {
  readonly kind: Exclude<Task['kind'], 'finish'>;
  readonly count: number;
}

/**
 * What is still to be done; when a job is proven complete every task and step is decided, but for a merge that has nothing
 * to merge.
 */
async function undecided(tx: Tx, jobId: string): Promise<readonly UndecidedRow[]> {
  return tx.query(
    `select kind, count(*)::int as count from tasks t
     where job_id = $1 and kind <> 'finish' and state in ('PENDING', 'RUNNING') and (kind <> 'merge' or exists (
       select from tasks v where v.job_id = t.job_id and v.kind = 'task' and v.state = 'SUCCEEDED'))
     group by kind order by kind`,
    [jobId],
  );
}

type SetBack = Row<Task, 'kind' | 'state'>;

/**
 * Tasks without their artifacts, open again or failed for good. Only what still has a missing object as its output is
 * meant: each attempt writes objects of its own, so what was done again since has others. With a task goes the merge, which
 * has read the outputs of the task.
 */
async function forget(tx: Tx, jobId: string, missing: readonly string[]): Promise<SetBack[]> {
  return tx.query<SetBack[]>(
    `with missing as (select distinct task_kind as kind, task_ordinal as ordinal from artifacts
            where job_id = $1 and storage_key = any($2)),
          lost as (select kind, ordinal from missing union select 'merge', 0 from missing where kind = 'task'),
          back as (update tasks t set progress_percent = 0, summary = null,
              charged_in = coalesce(t.charged_in, case when t.execution < (select execution from jobs where id = $1) then t.execution end),
              state = case when t.attempts >= $3 then 'FAILED' else 'PENDING' end,
              finished_at = case when t.attempts >= $3 then now() end,
              failure_code = case when t.attempts >= $3 then 'OUTPUT_UNVERIFIED' end,
              failure_message = case when t.attempts >= $3 then 'The outputs did not stay in the store as they were verified.' end
            from lost where t.job_id = $1 and t.kind = lost.kind and t.ordinal = lost.ordinal and t.state = 'SUCCEEDED'
            returning t.kind, t.state),
          gone as (delete from artifacts a using lost where a.job_id = $1 and a.task_kind = lost.kind and a.task_ordinal = lost.ordinal)
     select kind, state from back`,
    [jobId, missing, MAX_UNVERIFIED_ATTEMPTS],
  );
}
