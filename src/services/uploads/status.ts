/** How far an upload is, and lists of uploads. */

import type { StoredObject } from '../../../entities/storage.ts';
import type { Upload, UploadedPart } from '../../../entities/uploads.ts';
import type { StoredPart } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { UploadListQuery } from '../../domain/uploads.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import type { OuterRow, Row } from '../row.ts';
import type { UploadWork } from './work.ts';
import { countParts } from './parts.ts';
import type { UploadEndings } from './complete.ts';
import { isOpenInStore, LOST, ownedUpload, refuseEnded } from './rows.ts';
import type { UploadRow } from './rows.ts';
import { verifyArrived } from './single-arrived.ts';
import type { MultipartStatusResponse, UploadListResponse } from '../../domain/answers.ts';

type ReceivedPart = MultipartStatusResponse['received'][number];
type UploadListItem = UploadListResponse['uploads'][number];

/** The work on uploads, and the call that ends an upload which the store has lost. */
export type StatusWork = UploadWork & Pick<UploadEndings, 'endLost'>;

/**
 * How far an upload is: from the store's own part list while it is open, from the recorded parts afterwards.
 * @throws NOT_FOUND, UPLOAD_EXPIRED, UPLOAD_ABORTED.
 */
export async function uploadStatus(
  work: StatusWork,
  actor: Actor,
  uploadId: string,
): Promise<MultipartStatusResponse> {
  let row = await ownedUpload(work.db, actor, uploadId);
  refuseEnded(row);
  let listed = await listedParts(work, row);
  if (row.state === 'OPEN' && listed === null) {
    // The upload has ended or was put together since its row was read; else the store has lost the upload.
    row = await ownedUpload(work.db, actor, uploadId);
    refuseEnded(row);
    if (isOpenInStore(row)) {
      const ended = await work.endLost(row);
      row = await ownedUpload(work.db, actor, uploadId);
      refuseEnded(row);
      if (ended && isOpenInStore(row)) throw new AppError('UPLOAD_ABORTED', LOST);
      listed = await listedParts(work, row);
    }
  }
  const counted = countParts(row, listed ?? row.parts ?? []);
  return present(row, counted.received.map(presentPart), [...counted.missing]);
}

/** The parts that the store lists. Null: the store does not know the upload, or the upload is not open any more. */
async function listedParts(
  { store }: UploadWork,
  { state, storage_key: key, store_upload_id: storeUploadId }: UploadRow,
): Promise<readonly StoredPart[] | null> {
  return state === 'OPEN' && storeUploadId !== null ? store.listParts(key, storeUploadId) : null;
}

function present(row: UploadRow, received: ReceivedPart[], missing: number[]): MultipartStatusResponse {
  return {
    uploadId: row.id,
    key: row.storage_key,
    partSize: row.part_size,
    partCount: row.part_count,
    received,
    missing,
    complete: missing.length === 0,
    provider: row.provider,
    state: row.state,
    filename: row.filename,
    contentType: row.content_type,
    size: row.byte_size,
    checksumAlgorithm: row.checksum_algorithm,
    sha256: row.announced_sha256,
    projectId: row.project_id,
    logicalPath: row.logical_path,
    createdAt: row.created_at,
    expiresAt: row.expires_at.toISOString(),
  };
}

function presentPart({ partNumber, etag, byteSize, checksumSha256 }: UploadedPart): ReceivedPart {
  return {
    partNumber,
    etag: etag ?? '',
    size: byteSize,
    ...(checksumSha256 === null ? {} : { checksumSha256 }),
  };
}

interface ListRow
  extends
    Row<
      StoredObject,
      'uploadId' | 'storageKey' | 'filename' | 'contentType' | 'byteSize' | 'projectId' | 'logicalPath'
    >,
    OuterRow<Upload, 'partSize' | 'partCount' | 'checksumAlgorithm' | 'expiresAt'> {
  readonly state: Upload['state'];
  readonly digest: StoredObject['sha256'];
  readonly listed_at: string;
  readonly completed_at: string | null;
}

const LIST = 'uploads';

const COLUMNS = `o.upload_id, o.storage_key, o.filename, o.content_type, o.byte_size, o.project_id, o.logical_path,
  u.part_size, u.part_count, u.checksum_algorithm`;

const OPEN = `
  select ${COLUMNS}, u.state, o.announced_sha256 as digest, u.created_at, ${exactTime('u.created_at')} as listed_at,
    u.expires_at, null::text as completed_at
  from uploads u join stored_objects o on o.storage_key = u.storage_key
  where u.account_id = $1 and u.ended_at is null and u.expires_at > now()`;

/**
 * Among the files of one path in a project only the file that was completed last is listed; files without a path all
 * are.
 */
const COMPLETED = `
  select ${COLUMNS}, 'COMPLETED' as state, o.sha256 as digest, o.created_at, ${exactTime('o.created_at')} as listed_at,
    null::timestamptz as expires_at, ${exactTime('o.verified_at')} as completed_at
  from stored_objects o left join uploads u on u.storage_key = o.storage_key
  where o.account_id = $1 and o.state = 'VERIFIED' and (o.project_id is null or not exists (
    select 1 from stored_objects newer
    where newer.account_id = o.account_id and newer.project_id = o.project_id
      and md5(newer.logical_path) = md5(o.logical_path) and newer.logical_path = o.logical_path
      and newer.state = 'VERIFIED' and (newer.verified_at, newer.storage_key) > (o.verified_at, o.storage_key)))`;

/** The account's open uploads, or its verified files; newest first. @throws VALIDATION_ERROR for a foreign cursor. */
export async function listUploads(
  work: UploadWork,
  actor: Actor,
  query: UploadListQuery,
): Promise<UploadListResponse> {
  const [projectId, sha256] = [query.projectId ?? null, query.sha256?.toLowerCase() ?? null];
  const scope = scopeOf(LIST, actor, { ...query, projectId, sha256 });
  const [at, id] = readCursor(scope, query.cursor, ['time', 'uuid']) ?? [null, null];
  if (query.state === 'completed' && query.cursor === undefined)
    await verifyArrived(work, actor.accountId, { projectId, sha256 });
  const rows = await work.db.query<ListRow[]>(
    `select * from (${query.state === 'open' ? OPEN : COMPLETED}) found
     where ($2::uuid is null or project_id = $2) and ($3::text is null or digest = $3)
       and ($4::timestamptz is null or (created_at, upload_id) < ($4, $5::uuid))
     order by created_at desc, upload_id desc limit $6`,
    [actor.accountId, projectId, sha256, at, id, query.limit + 1],
  );
  const { rows: page, nextCursor } = pageOf(scope, rows, query.limit, (row) => [
    row.listed_at,
    row.upload_id,
  ]);
  return { uploads: page.map(presentItem), nextCursor };
}

function presentItem(row: ListRow): UploadListItem {
  return {
    uploadId: row.upload_id,
    key: row.storage_key,
    state: row.state,
    filename: row.filename,
    contentType: row.content_type,
    size: row.byte_size,
    sha256: row.digest,
    projectId: row.project_id,
    logicalPath: row.logical_path,
    partSize: row.part_size,
    partCount: row.part_count,
    checksumAlgorithm: row.checksum_algorithm,
    createdAt: row.listed_at,
    expiresAt: row.expires_at?.toISOString() ?? null,
    completedAt: row.completed_at,
  };
}
