/**
 * Stops a batch by its rule, in the transaction that has decided tasks. The job's row is locked by then, so two commits look one
 * after the other. What waits behind the last ligand is cancelled with a reason. What runs or has run there already is kept as it
 * is and charged nothing, so a batch costs the same on any number of workers.
 */
import type { DockingRun } from '../../../../entities/docking-records.ts';
import { applyStopRule, STOP_BEGIN, STOP_RULE } from '../../../domain/stop-rule.ts';
import type { StopState, StopWhen } from '../../../domain/stop-rule.ts';
import type { Documents, Row } from '../../row.ts';
import type { Tx } from '../../transaction.ts';

const MESSAGE =
  'The best ligands had not changed for as long as stopWhen says; this ligand was not docked and is not charged.';

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

const CANCEL = `
  update tasks set state = 'CANCELLED', progress_percent = 0, failure_code = $3, failure_message = $4, finished_at = now()
  where job_id = $1 and kind = 'task' and ordinal >= $2 and state = 'PENDING'`;

/** The mark 0 says that no execution charges for the task. */
const FREE = `
  update tasks set charged_in = 0
  where job_id = $1 and kind = 'task' and ordinal >= $2 and state = 'SUCCEEDED' and charged_in is null`;

/** Looks whether the batch stops, and stops it. @returns whether it has stopped, now or before. */
export async function stopByRule(tx: Tx, jobId: string, rule: StopWhen | null): Promise<boolean> {
  if (rule === null) return false;
  const [run] = await tx.query<RunRow[]>(RUN, [jobId]);
  if (run === undefined) return false;
  const after = run.stopped_after ?? (await look(tx, jobId, rule, run.stop_state ?? STOP_BEGIN));
  if (after === null) return false;
  await tx.query(CANCEL, [jobId, after, STOP_RULE, MESSAGE]);
  await tx.query(FREE, [jobId, after]);
  return true;
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
