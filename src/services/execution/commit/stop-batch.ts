/**
 * Stops a batch by its rule, in the transaction that has decided tasks. The job's row is locked by then, so two commits look one
 * after the other. Everything behind the last ligand is cancelled with a reason, whatever has become of it: what waits at once, what
 * runs as soon as it is decided, and what is docked already with its result and its outputs. So counts, ranking, exports and price of
 * a batch are the same on any number of workers. A result that an earlier execution was paid for stays. The objects of outputs that are
 * cancelled go with the next look for what no artifact names.
 */
import type { DockingRun } from '../../../../entities/docking-records.ts';
import { applyStopRule, STOP_BEGIN, STOP_RULE } from '../../../domain/stop-rule.ts';
import type { StopState, StopWhen } from '../../../domain/stop-rule.ts';
import { countChanges } from '../../rank-counts-sql.ts';
import type { Documents, Row } from '../../row.ts';
import type { Tx } from '../../transaction.ts';

const MESSAGE =
  'The best ligands had not changed for as long as stopWhen says; this ligand does not count and is not charged.';

/** SQL: the rule of the job `j`, which the first run of a batch alone has. */
export const STOP_WHEN = `(select b.stop_when from docking_runs sr join docking_batches b on b.id = sr.batch_id
  where sr.job_id = j.id and sr.number = 1 and not b.dry_run)`;

type RunRow = Row<DockingRun, 'stoppedAfter'> & Documents<DockingRun, { stopState: StopState | null }>;

const RUN = 'select stopped_after, stop_state from docking_runs where job_id = $1 for no key update';

/** The scores of the places that are decided without a gap, from a place on. */
const DECIDED = `
  select d.best_affinity_kcal_mol as score from tasks t left join docking_results d
    on d.job_id = t.job_id and d.ordinal = t.ordinal and t.state = 'SUCCEEDED'
  where t.job_id = $1 and t.kind = 'task' and t.ordinal >= $2 and t.ordinal < coalesce((select min(o.ordinal) from tasks o
    where o.job_id = $1 and o.kind = 'task' and o.ordinal >= $2 and o.state in ('PENDING', 'RUNNING')), 2147483647)
  order by t.ordinal`;

const REMEMBER = 'update docking_runs set stop_state = $2::jsonb, stopped_after = $3 where job_id = $1';

/** A docked ligand is cancelled where no execution has charged for it, and none has where it is of the present one or adopted. */
const CANCEL = `
  with behind as (select t.ordinal, t.state from tasks t join jobs j on j.id = t.job_id
         where t.job_id = $1 and t.kind = 'task' and t.ordinal >= $2 and (t.state in ('PENDING', 'FAILED')
           or t.state = 'SUCCEEDED' and (t.charged_in = 0 or t.charged_in is null and t.execution = j.execution))),
       ended as (update tasks t set state = 'CANCELLED', progress_percent = 0, summary = null, charged_in = nullif(t.charged_in, 0), failure_code = $3,
           failure_message = $4, finished_at = now()
         from behind where t.job_id = $1 and t.kind = 'task' and t.ordinal = behind.ordinal),
       unnamed as (delete from artifacts a using behind
         where a.job_id = $1 and a.task_kind = 'task' and a.task_ordinal = behind.ordinal),
       unrecorded as (delete from docking_results r using behind where r.job_id = $1 and r.ordinal = behind.ordinal
         returning r.best_affinity_kcal_mol as score),
       ${countChanges('select score, -1 from unrecorded')}
  select ordinal from behind where state <> 'PENDING' limit 1`;

const COUNT_AGAIN = `
  update jobs j set tasks_verified = c.verified, tasks_failed = c.failed, version = version + 1, updated_at = now()
  from (select count(*) filter (where state = 'SUCCEEDED')::int as verified, count(*) filter (where state = 'FAILED')::int as failed
    from tasks where job_id = $1 and kind = 'task') c where j.id = $1`;

/** Looks whether the batch stops, and stops it. @returns whether it has stopped, now or before. */
export async function stopByRule(tx: Tx, jobId: string, rule: StopWhen | null): Promise<boolean> {
  if (rule === null) return false;
  const [run] = await tx.query<RunRow[]>(RUN, [jobId]);
  if (run === undefined) return false;
  const after = run.stopped_after ?? (await look(tx, jobId, rule, run.stop_state ?? STOP_BEGIN));
  if (after === null) return false;
  await cancelFrom(tx, jobId, after);
  return true;
}

/** Cancels what has come behind the stop of a batch since the stop was found. The caller has locked the job's row. */
export async function cancelBehindStop(tx: Tx, jobId: string): Promise<void> {
  const [run] = await tx.query<Pick<RunRow, 'stopped_after'>[]>(
    'select stopped_after from docking_runs where job_id = $1 and stopped_after is not null',
    [jobId],
  );
  if (run?.stopped_after != null) await cancelFrom(tx, jobId, run.stopped_after);
}

async function cancelFrom(tx: Tx, jobId: string, place: number): Promise<void> {
  const decided = await tx.query<unknown[]>(CANCEL, [jobId, place, STOP_RULE, MESSAGE]);
  if (decided.length > 0) await tx.query(COUNT_AGAIN, [jobId]);
}

/** The number of places up to the last ligand, where the rule has found the last ligand. */
async function look(tx: Tx, jobId: string, rule: StopWhen, from: StopState): Promise<number | null> {
  const decided = await tx.query<{ readonly score: number | null }[]>(DECIDED, [jobId, from.places]);
  if (decided.length === 0) return null;
  const found = applyStopRule(
    rule,
    from,
    decided.map(({ score }) => score),
  );
  await tx.query(REMEMBER, [jobId, JSON.stringify(found.state), found.stopsAfter]);
  return found.stopsAfter;
}
