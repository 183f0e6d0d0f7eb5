/**
 * Notes are what tools report besides their outputs. The transaction of the commit records them: warnings for the customer,
 * and the key of a preparation, by which a later job finds the preparation instead of doing it again.
 */
import { toldWarnings } from '../../../domain/warnings.ts';
import type { Tx } from '../../transaction.ts';

/** A committed summary. */
export interface CommittedSummary {
  /** The item of the task; null for a step. */
  readonly itemId: string | null;
  readonly summary: Readonly<Record<string, unknown>> | null;
}

const MOST_WARNINGS = 100;

/** The key of a preparation, and which preparation a summary of the prepare step names. */
interface PreparationKeys {
  readonly cacheKey: string | null;
  readonly preparedAs: (summary: unknown) => string | null;
}

/** Records the notes of committed tasks; a preparation whose summary makes another key than `cacheKey` is not remembered. */
export async function recordSummaries(
  tx: Tx,
  jobId: string,
  committed: readonly CommittedSummary[],
  { cacheKey, preparedAs }: PreparationKeys,
): Promise<void> {
  await recordWarnings(tx, jobId, committed);
  if (cacheKey === null) return;
  for (const { summary } of committed)
    if (preparedAs(summary) === cacheKey) await rememberPreparation(tx, jobId, cacheKey);
}

/** Adds the warnings of committed tasks to the job's, the same one once, up to a bound. */
async function recordWarnings(tx: Tx, jobId: string, committed: readonly CommittedSummary[]): Promise<void> {
  const fresh = committed.flatMap(({ itemId, summary }) =>
    toldWarnings(summary?.['warnings']).map(({ code, message }) => ({
      code,
      message: itemId === null ? message : `${itemId}: ${message}`,
    })),
  );
  if (fresh.length === 0) return;
  await tx.query(
    `update jobs j set version = version + 1, updated_at = now(), warnings = (
       select coalesce(jsonb_agg(w.warning order by w.place), '[]') from (
         select warning, min(place) as place
         from jsonb_array_elements(j.warnings || $2::jsonb) with ordinality as a (warning, place)
         group by warning order by place limit ${MOST_WARNINGS}) w)
     where id = $1`,
    [jobId, JSON.stringify(fresh)],
  );
}

/**
 * Remembers the preparation that the job made, under the key that the control side computed itself; of equal preparations the
 * newest is found. The caller has compared the key with the summary of the preparation.
 */
async function rememberPreparation(tx: Tx, jobId: string, cacheKey: string): Promise<void> {
  await tx.query(
    `insert into preparations (account_id, cache_key, job_id) select account_id, $2, id from jobs where id = $1
     on conflict (account_id, cache_key) do update set job_id = excluded.job_id, created_at = now()`,
    [jobId, cacheKey],
  );
}
