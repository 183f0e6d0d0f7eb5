/**
 * How many results of a job there are by steps of score, so that a rank is found without counting all better results. Results are
 * written and removed under the lock of the job's row, with the counts in the same statement.
 *
 * Steps are a sixteenth of a kcal/mol: a multiplication by a power of two is exact, so a score belongs to the same step on either
 * side of a comparison.
 */

/** SQL: the step of a score, the better ones first. Scores beyond all steps belong to the first or the last one. */
export function rankStepOf(score: string): string {
  return `least(greatest(floor(${score} * 16), -32768), 32767)::smallint`;
}

/** SQL: a score that no result of the step is better than. */
export function beginOfRankStep(step: string): string {
  return `case when ${step} = -32768 then '-infinity'::float8 else ${step} / 16.0::float8 end`;
}

/**
 * SQL: parts of a `with` that add a change to the counts of the job `$1`. `changes` is a table of scores with 1 for a result that is there from
 * now on and -1 for one that is not any more.
 */
export function countChanges(changes: string): string {
  return `
       counted as (select ${rankStepOf('c.score')} as step, sum(c.change)::int as change from (${changes}) c (score, change)
         group by step having sum(c.change) <> 0),
       fewer as (update docking_rank_counts k set count = k.count + counted.change from counted
         where k.job_id = $1::uuid and k.step = counted.step and counted.change < 0),
       more as (insert into docking_rank_counts as k (job_id, step, count)
         select $1::uuid, step, change from counted where change > 0
         on conflict (job_id, step) do update set count = k.count + excluded.count)`;
}
