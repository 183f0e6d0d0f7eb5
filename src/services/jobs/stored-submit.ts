/** The database keeps the answer of an accepted submit for ever, and never keeps a refusal. */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import { keyReused } from '../../domain/errors.ts';
import { MONTHLY_AVAILABLE } from '../ledger/index.ts';
import { MAINTENANCE_REASON, underMaintenance } from '../maintenance.ts';
import type { Documents, OuterRow } from '../row.ts';
import type { SubmitJobResponse } from '../../domain/answers.ts';

/** The answer of an accepted submit, with the digest of the body it belongs to. */
export interface StoredSubmit {
  readonly fingerprint: string;
  readonly response: SubmitJobResponse;
}

/** The result of the one query that a submit starts with. */
export interface SubmitFacts {
  /** ISO time by the database's clock. */
  readonly admitBy: string;
  readonly availablePence: number;
  /** Debt of the account; above zero nothing can be held. */
  readonly owedPence: number;
  readonly stored: StoredSubmit | null;
}

type StoredRow = OuterRow<Job, 'fingerprint'> & Documents<Job, { submitResponse: SubmitJobResponse | null }>;

interface FactsRow extends StoredRow {
  readonly admit_by: Date;
  readonly available_pence: number;
  readonly owed_pence: number;
  readonly maintenance: string | null;
}

/**
 * One round trip: the database's clock, the credits of the moment and the stored answer.
 * @throws MAINTENANCE, for a submit that was not accepted before.
 */
export async function readSubmitFacts(
  db: DataSource,
  accountId: string,
  jobId: string,
  admitBySeconds: number,
): Promise<SubmitFacts> {
  const [row] = await db.query<FactsRow[]>(
    `select now() + make_interval(secs => $3) as admit_by, j.fingerprint, j.submit_response,
       coalesce(wallet + ${MONTHLY_AVAILABLE}, 0) as available_pence, coalesce(-debt, 0) as owed_pence,
       ${MAINTENANCE_REASON} as maintenance
     from (values (1)) one left join jobs j on j.id = $1 left join ledger_balances b on b.account_id = $2`,
    [jobId, accountId, admitBySeconds],
  );
  if (row === undefined) throw new Error('The database answered no row.');
  const stored = storedOf(row);
  if (stored === null && row.maintenance !== null) throw underMaintenance(row.maintenance);
  return {
    admitBy: row.admit_by.toISOString(),
    availablePence: row.available_pence,
    owedPence: row.owed_pence,
    stored,
  };
}

/**
 * The stored answer of a job's submit; null when the job was never admitted. A repository would answer the document of the
 * response without its type.
 */
export async function readStored(db: DataSource, jobId: string): Promise<StoredSubmit | null> {
  const [row] = await db.query<StoredRow[]>('select fingerprint, submit_response from jobs where id = $1', [
    jobId,
  ]);
  return row === undefined ? null : storedOf(row);
}

/**
 * The stored answer as the replay of an equal submit.
 * @throws IDEMPOTENCY_KEY_REUSED when the bodies differ.
 */
export function replayOf(stored: StoredSubmit, sent: { readonly fingerprint: string }): SubmitJobResponse {
  if (stored.fingerprint === sent.fingerprint) return { ...stored.response, idempotentReplay: true };
  throw keyReused();
}

function storedOf(row: StoredRow): StoredSubmit | null {
  if (row.fingerprint === null || row.submit_response === null) return null;
  return { fingerprint: row.fingerprint, response: row.submit_response };
}
