/** Reads the receipt of a job. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import { DockingRunEntity } from '../../../entities/docking-records.ts';
import type { JobExecution } from '../../../entities/jobs.ts';
import type { StoredReceipt } from '../../../entities/receipts.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { isRecord } from '../../domain/is-record.ts';
import { RECEIPT_SCHEMA } from '../../domain/receipts.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from '../jobs/owned.ts';
import type { OuterRow, Row } from '../row.ts';
import type { SignedReceipt } from '../../domain/answers.ts';

type Receipt = SignedReceipt['receipt'];

interface ReceiptRow
  extends Row<JobExecution, 'n'>, OuterRow<StoredReceipt, 'keyId' | 'signature' | 'document'> {
  readonly is_settled: boolean;
}

/** The execution that was asked for, else the last one that has a receipt, else the last one. */
const RECEIPT = `
  select e.n, e.settled_at is not null as is_settled, r.key_id, r.signature, r.document
  from jobs j join job_executions e on e.job_id = j.id left join receipts r on r.job_id = e.job_id and r.execution = e.n
  where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER} and ($3::int is null or e.n = $3)
  order by r.document is null, e.n desc limit 1`;

/** The receipt of an execution, by default of the last one that has a receipt. @throws NOT_FOUND, RECEIPT_NOT_READY. */
export async function readReceipt(
  db: DataSource,
  actor: Actor,
  jobId: string,
  { execution = null }: { readonly execution?: number | null } = {},
): Promise<SignedReceipt> {
  const [row] = await db.query<ReceiptRow[]>(RECEIPT, [...ownedJob(actor, jobId), execution]);
  if (row === undefined) {
    if (execution === null) throw jobNotFound();
    throw new AppError('NOT_FOUND', `The job has no execution ${String(execution)} in this account.`);
  }
  const { key_id: keyId, signature: value, document } = row;
  if (keyId === null || value === null || document === null) throw notReady(row);
  return { receipt: receiptOf(document), signature: { algorithm: 'Ed25519', keyId, value } };
}

/** The receipt of the job of a run. @throws NOT_FOUND, RECEIPT_NOT_READY. */
export async function readRunReceipt(
  db: DataSource,
  actor: Actor,
  runId: string,
  query: { readonly execution?: number } = {},
): Promise<SignedReceipt> {
  const run = isUuid(runId)
    ? await db.getRepository(DockingRunEntity).findOneBy({ id: runId, accountId: actor.accountId })
    : null;
  if (run === null) throw new AppError('NOT_FOUND', 'There is no such run in this account.');
  return readReceipt(db, actor, run.jobId, query);
}

function notReady({ n, is_settled: isSettled }: ReceiptRow): AppError {
  const text = isSettled
    ? `The receipt of execution ${String(n)} is being made. Ask again in a few seconds.`
    : `Execution ${String(n)} of the job is not settled yet. Its receipt is made when the job has ended or is paused.`;
  return new AppError('RECEIPT_NOT_READY', text);
}

/** Only this service wrote the document, so only its format is checked again. */
function receiptOf(document: string): Receipt {
  const value: unknown = JSON.parse(document);
  if (!isReceipt(value)) throw invariantBroken('a stored receipt is no receipt');
  return value;
}

function isReceipt(value: unknown): value is Receipt {
  return isRecord(value) && value['schema'] === RECEIPT_SCHEMA;
}
