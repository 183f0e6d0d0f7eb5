/**
 * Room of an account: what is taken of it, and how a customer gives some back. A stored file is removed by an operation of its own,
 * so that an abort that comes after the completion of its upload removes nothing. A file that something needs stays: an open job,
 * an experiment, the library of a batch, or a kept revision of a project. The row is locked from the look to the removal, so a
 * repeat after a crash removes what is left.
 */
import type { StoredObject } from '../../../entities/storage.ts';
import type { Actor } from '../../domain/access.ts';
import type { Answers } from '../../domain/answers.ts';
import { AppError } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { quotaOf, TAKES_ROOM } from './quota.ts';
import type { PlanQuotas } from './quota.ts';
import type { UploadWork } from './work.ts';

/** Reads how much is stored, how much is reserved for files that are not stored yet, and how much may be stored. */
export async function uploadUsage(
  { db, quotaBytes }: Pick<UploadWork, 'db'> & { readonly quotaBytes: PlanQuotas },
  { accountId, plan }: Actor,
): Promise<Answers['getUploadUsage']> {
  const [sums] = await db.query<
    { readonly used: number; readonly reserved: number; readonly files: number }[]
  >(
    `select coalesce(sum(byte_size) filter (where state = 'VERIFIED'), 0)::bigint as used,
       coalesce(sum(byte_size) filter (where state <> 'VERIFIED'), 0)::bigint as reserved,
       count(*) filter (where state = 'VERIFIED')::int as files
     from stored_objects where account_id = $1 and ${TAKES_ROOM}`,
    [accountId],
  );
  return {
    usedBytes: sums?.used ?? 0,
    reservedBytes: sums?.reserved ?? 0,
    quotaBytes: quotaOf(plan, quotaBytes),
    files: sums?.files ?? 0,
  };
}

type FileRow = Row<StoredObject, 'storageKey' | 'state' | 'filename' | 'sha256'>;

/**
 * Removes a stored file and gives its room back; a repeat answers the same.
 * @throws NOT_FOUND, UPLOAD_INCOMPLETE, FILE_IN_USE.
 */
export async function removeFile(
  { db, store }: UploadWork,
  { accountId }: Actor,
  uploadId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [file] = await tx.query<FileRow[]>(
      `select storage_key, state, filename, sha256 from stored_objects
       where upload_id = $1 and account_id = $2 for no key update`,
      [uploadId, accountId],
    );
    if (file === undefined) throw new AppError('NOT_FOUND', 'There is no such upload in this account.');
    if (file.state === 'DELETED') return;
    if (file.state !== 'VERIFIED')
      throw new AppError(
        'UPLOAD_INCOMPLETE',
        `${file.filename} is not stored yet. Abort its upload with DELETE /api/v1/uploads/{uploadId}, or let it end by itself.`,
      );
    const needed = await whatNeeds(tx, accountId, file);
    if (needed.length > 0)
      throw new AppError('FILE_IN_USE', `${file.filename} is needed by ${needed.join(', ')}.`);
    const key = file.storage_key;
    await store.remove([key]);
    await tx.query('delete from artifacts where account_id = $1 and storage_key = $2 and job_id is null', [
      accountId,
      key,
    ]);
    await tx.query(`update stored_objects set state = 'DELETED' where storage_key = $1`, [key]);
  });
}

/** Users of a file that a refusal names. */
const NAMED = 5;

/** SQL: whether one of the documents of a record names the file by its storage key. */
function namesKey(documents: string): string {
  return `jsonb_path_exists(jsonb_build_array(${documents}), '$.**.storageKey ? (@ == $key)', jsonb_build_object('key', $2::text))`;
}

const USERS = `
  with named as (select id from artifacts where account_id = $1 and storage_key = $2)
  select what from (
    select 1 as place, case when j.internal then 'an inspection or a conversion under way' else 'job ' || j.id end as what
    from jobs j join job_inputs i on i.job_id = j.id and i.storage_key = $2
    where j.account_id = $1 and j.finished_at is null
    union all
    select 2, 'experiment ' || e.id from docking_experiments e
    where e.account_id = $1 and (e.receptor_artifact_id in (select id from named) or e.ligand_artifact_id in (select id from named)
      or ${namesKey('e.receptor_identity, e.ligand_identity, e.parameters')})
    union all
    select 3, 'batch ' || b.id from docking_batches b
    where b.account_id = $1 and (b.receptor_artifact_id in (select id from named) or b.library_sha256 = $3
      or ${namesKey('b.receptor_identity, b.parameters')})
    union all
    select 4, 'revision ' || r.version || ' of project ' || r.project_id
    from molecular_sources s
      join molecular_revisions r on r.account_id = s.account_id and r.content_sha256 = s.content_sha256
      join molecular_projects p on p.id = r.project_id and p.account_id = s.account_id
    where s.account_id = $1 and s.artifact_id in (select id from named)) users
  order by place, what limit ${String(NAMED + 1)}`;

/** Names what needs a file; empty when nothing does. */
async function whatNeeds(tx: Tx, accountId: string, { storage_key, sha256 }: FileRow): Promise<string[]> {
  const rows = await tx.query<{ readonly what: string }[]>(USERS, [accountId, storage_key, sha256]);
  const named = rows.slice(0, NAMED).map(({ what }) => what);
  return rows.length > NAMED ? [...named, 'and others'] : named;
}
