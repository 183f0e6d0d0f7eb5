/**
 * The fence: an instance acts only while its generation is the one of its slot, and its job has neither ended nor is
 * it paused: then its execution is settled, and what is done now would be charged to nobody. Every statement of the
 * gateway starts with this condition, so a fence that is set meanwhile wins.
 */
import type { DataSource } from 'typeorm';

import type { InstanceClaims } from '../../contracts/instance.ts';
import { AppError } from '../../domain/errors.ts';
import { SETTLED_SQL } from '../job-state-sql.ts';
import { repeatConflicts } from '../transaction.ts';

/** From and where clauses that find the instance ($1 job, $2 slot, $3 generation) only when it may act. */
export const UNFENCED = `
  from instances i join jobs j on j.id = i.job_id
  where i.job_id = $1 and i.slot = $2 and i.generation = $3
    and i.fenced_at is null and i.state <> 'TERMINATED' and j.status not in ${SETTLED_SQL}`;

/** SQL that is true while the job `j` wants work done. */
export const JOB_WANTS_WORK = `(j.cancel_requested_at is null and j.status <> 'CANCELLING')`;

/** The fence's three parameters. */
export function fenceOf(claims: InstanceClaims): readonly [string, number, number] {
  return [claims.jobId, claims.slot, claims.generation];
}

const MAY_ACT = `select 1 ${UNFENCED}`;

/** Asks the fence and does nothing else. @throws AppError FENCED. */
export async function mayAct(db: DataSource, claims: InstanceClaims): Promise<void> {
  const rows = await rowsOf<unknown>(db, MAY_ACT, fenceOf(claims));
  if (rows.length === 0) throw fenced();
}

/** The refusal that makes an instance kill its tools and exit. */
export function fenced(): AppError {
  return new AppError(
    'FENCED',
    'This instance has been replaced, or its job has ended or is paused; stop the tools and exit.',
  );
}

/** Rows of a statement on its own, typed at the one place where SQL meets types. A deadlock is repeated. */
export async function rowsOf<T>(db: DataSource, sql: string, parameters: readonly unknown[]): Promise<T[]> {
  return repeatConflicts(() => db.query<T[]>(sql, [...parameters]));
}
