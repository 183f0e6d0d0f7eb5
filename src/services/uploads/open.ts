/**
 * The opening of a multipart upload: its room and its rows in one transaction, then the upload in the store. Decided
 * once per upload id. Nothing is opened after `openBy`, by the database's clock. An upload without a key that took longer is
 * given up at once, since whoever asked for it has been told to ask again and would leave its room taken.
 */
import { UploadEntity } from '../../../entities/uploads.ts';
import type { Upload } from '../../../entities/uploads.ts';
import type { UploadDecision, UploadTerms } from '../../contracts/upload.ts';
import type { OuterRow } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { closeUpload } from './end.ts';
import { takeRoom } from './quota.ts';
import type { UploadWork } from './work.ts';

interface FoundRow extends OuterRow<Upload, 'fingerprint' | 'expiresAt'> {
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
 * Opens an upload, or refuses it and leaves nothing. Idempotent by upload id: a second run answers what is stored. A
 * new run of the workflow takes over an upload that is open; one that has ended is only answered.
 */
export async function openUpload(
  work: UploadWork,
  terms: UploadTerms,
  firstRunId: string,
): Promise<UploadDecision> {
  const decision = await inTransaction(work.db, async (tx) => {
    // The lock of the account's room also makes two attempts of one opening run one after the other.
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
  if (decision.kind !== 'opened' || decision.replay) return decision;
  await beginInStore(work, terms);
  if (terms.isUnnamed !== true || !(await isLate(work, terms))) return decision;
  const message = 'The upload was not opened in time. Start a new one.';
  await closeUpload(work, { uploadId: terms.uploadId, state: 'ABORTED', code: 'UPLOAD_ABORTED', message });
  return { kind: 'expired' };
}

async function isLate({ db }: UploadWork, { openBy }: UploadTerms): Promise<boolean> {
  const [found] = await db.query<{ readonly late: boolean }[]>(
    'select clock_timestamp() > $1::timestamptz as late',
    [openBy],
  );
  return found?.late === true;
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
 * Begins the multipart upload in the store. Two attempts may each begin one, and the first that is recorded counts. The
 * other one stays empty until the upload ends: a store may keep parts by key, so that aborting one multipart upload
 * could remove the parts of the other.
 */
async function beginInStore({ db, store }: UploadWork, terms: UploadTerms): Promise<void> {
  const { uploadId, storageKey } = terms;
  const uploads = db.getRepository(UploadEntity);
  if (!(await uploads.existsBy({ id: uploadId, state: 'OPENING' }))) return;
  const storeUploadId = await store.createMultipart(storageKey, {
    contentType: terms.contentType,
    checksum: terms.checksumAlgorithm,
  });
  await uploads.update({ id: uploadId, state: 'OPENING' }, { storeUploadId, state: 'OPEN' });
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
