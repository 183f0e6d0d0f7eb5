/**
 * Finds where a batch stops by its rule, in the transaction that has decided tasks. The job's row is locked by then, so two commits look
 * one after the other; execution cancels what is behind.
 */
import { applyStopRule, STOP_BEGIN } from '../../../domain/stop-rule.ts';
import type { StopState, StopWhen } from '../../../domain/stop-rule.ts';
import type { Tx } from '../../transaction.ts';

interface RunRow {
  readonly stopped_after: number | null;
  readonly stop_state: StopState | null;
  readonly stop_when: StopWhen;
}

/** The first run of a batch that has a rule, which no other run of the batch has. */
const RUN = `
  select j.stopped_after, r.stop_state, b.stop_when from docking_runs r
    join docking_batches b on b.id = r.batch_id join jobs j on j.id = r.job_id
  where r.job_id = $1 and r.number = 1 and not b.dry_run and b.stop_when is not null for no key update of r`;

/** The scores of the places that are decided without a gap, from a place on. */
const DECIDED = `
  select d.best_affinity_kcal_mol as score from tasks t left join docking_results d
    on d.job_id = t.job_id and d.ordinal = t.ordinal and t.state = 'SUCCEEDED'
  where t.job_id = $1 and t.kind = 'task' and t.ordinal >= $2 and t.ordinal < coalesce((select min(o.ordinal) from tasks o
    where o.job_id = $1 and o.kind = 'task' and o.ordinal >= $2 and o.state in ('PENDING', 'RUNNING')), 2147483647)
  order by t.ordinal`;

const REMEMBER = 'update docking_runs set stop_state = $2::jsonb where job_id = $1';

/** The number of tasks up to the last ligand, found now or before; null where the batch does not stop. */
export async function stopByRule(tx: Tx, jobId: string): Promise<number | null> {
  const [run] = await tx.query<RunRow[]>(RUN, [jobId]);
  if (run === undefined) return null;
  return run.stopped_after ?? look(tx, jobId, run.stop_when, run.stop_state ?? STOP_BEGIN);
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
  await tx.query(REMEMBER, [jobId, JSON.stringify(found.state)]);
  return found.stopsAfter;
}
