/** Whether the counts of results by steps of score are those of the results. */
import type { Database } from '../../src/adapters/database.ts';

const WRONG = `
  select coalesce(kept.job_id, counted.job_id) as job_id, coalesce(kept.step, counted.step) as step, kept.count as kept, counted.count as counted
  from (select job_id, step, count from docking_rank_counts where count > 0) kept
  full join (select job_id, least(greatest(floor(best_affinity_kcal_mol * 16), -32768), 32767)::smallint as step, count(*)::int as count
    from docking_results group by 1, 2) counted on counted.job_id = kept.job_id and counted.step = kept.step
  where kept.count is distinct from counted.count
    and ($1::uuid is null or coalesce(kept.job_id, counted.job_id) = $1::uuid)`;

/** The counts that are not those of the results, of one job or of all. */
export function wrongRankCounts(
  db: Pick<Database, 'query'>,
  jobId: string | null = null,
): Promise<unknown[]> {
  return db.query<unknown[]>(WRONG, [jobId]);
}
