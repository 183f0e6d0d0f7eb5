/**
 * The opening of a multipart upload: its room and its rows in one transaction, then the upload in the store. Decided
 * once per upload id. Nothing is opened after `openBy`, by the database's clock.
 */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { UploadDecision, UploadTerms } from '../../contracts/upload.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { takeRoom } from './quota.ts';

/** The database with the rows of uploads, and the store with their bytes. */
export interface UploadWork {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

interface FoundRow {
  readonly fingerprint: string | null;
  readonly expires_at: Date | null;
  readonly ended: boolean | null;
  readonly late: boolean;
}

const FIND = `
  select u.fingerprint, u.expires_at, u.ended_at is not null as ended, clock_timestamp() > $2::timestamptz as late
  from (values (1)) one left join uploads u on u.id = $1`;

const INSERT = `
  with object as (
    insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, announced_sha256,
      project_id, logical_path, state)
    values ($2, $3, $1, $4, $5, $6, $7, $8, $9, 'UPLOADING') returning storage_key)
  insert into uploads (id, account_id, storage_key, provider, part_size, part_count, checksum_algorithm, job_type,
    fingerprint, first_run_id, expires_at)
  select $1, $3, storage_key, $10, $11::bigint, $12::int, $13, $14, $15, $16, now() + make_interval(secs => $17)
  from object`;

/**
 * Opens an upload, or refuses it and leaves nothing. Idempotent by upload id: a second run answers what is stored. A new
 * run of the workflow takes over an upload that is open; one that has ended is only answered.
 */
export async function openUpload(
  work: UploadWork,
  terms: UploadTerms,
  firstRunId: string,
): Promise<UploadDecision> {
  const decision = await inTransaction(work.db, async (tx) => {
    // Also two attempts of one opening come one after the other here.
    const refusal = await takeRoom(tx, terms);
    const [found] = await tx.query<FoundRow[]>(FIND, [terms.uploadId, terms.openBy]);
    if (found === undefined) throw new Error('A query without conditions answered no row.');
    const known = decisionOf(found);
    if (known !== null) return known;
    if (refusal !== null) {
      return { kind: 'refused', code: 'STORAGE_QUOTA_EXCEEDED', message: refusal } as const;
    }
    await tx.query(INSERT, valuesOf(terms, firstRunId));
    return decisionOf(await reread(tx, terms));
  });
  if (decision === null) throw new Error('The upload that was inserted is not there.');
  if (decision.kind === 'opened' && !decision.replay) await beginInStore(work, terms);
  return decision;
}

async function reread(tx: Tx, terms: UploadTerms): Promise<FoundRow> {
  const [found] = await tx.query<FoundRow[]>(FIND, [terms.uploadId, terms.openBy]);
  if (found === undefined) throw new Error('A query without conditions answered no row.');
  return found;
}

function decisionOf(found: FoundRow): UploadDecision | null {
  const { fingerprint, expires_at: expiresAt, ended } = found;
  if (fingerprint === null || expiresAt === null) return found.late ? { kind: 'expired' } : null;
  return { kind: 'opened', fingerprint, expiresAt: expiresAt.toISOString(), replay: ended === true };
}

/**
 * Two attempts may each begin one: the first that is recorded counts. The other stays empty until the end of the upload:
 * a store may keep parts by key, so that giving one up would take the other's parts.
 */
async function beginInStore({ db, store }: UploadWork, terms: UploadTerms): Promise<void> {
  const { uploadId, storageKey } = terms;
  const opening = await db.query<unknown[]>(`select 1 from uploads where id = $1 and state = 'OPENING'`, [
    uploadId,
  ]);
  if (opening.length === 0) return;
  const storeUploadId = await store.createMultipart(storageKey, {
    contentType: terms.contentType,
    checksum: terms.checksumAlgorithm,
  });
  await db.query(
    `update uploads set store_upload_id = $2, state = 'OPEN' where id = $1 and state = 'OPENING'`,
    [uploadId, storeUploadId],
  );
}

function valuesOf(terms: UploadTerms, firstRunId: string): unknown[] {
  return [
    terms.uploadId,
    terms.storageKey,
    terms.accountId,
    terms.filename,
    terms.contentType,
    terms.byteSize,
    terms.announcedSha256,
    terms.projectId,
    terms.logicalPath,
    terms.provider,
    terms.partSize,
    terms.partCount,
    terms.checksumAlgorithm,
    terms.jobType,
    terms.fingerprint,
    firstRunId,
    terms.expirySeconds,
  ];
}
