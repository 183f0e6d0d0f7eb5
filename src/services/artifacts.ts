/**
 * Artifacts: stored objects with a proven digest, referenced by seven fields. One artifact per account, storage key and
 * format, so that a second registration answers the first artifact. A digest is answered only for the bytes that the
 * digest was computed of: an upload whose bytes were written again since is refused.
 */
import type { Readable } from 'node:stream';

import type { DataSource } from 'typeorm';
import { v5 as uuidv5, validate as isUuid } from 'uuid';

import { ArtifactEntity } from '../../entities/storage.ts';
import type { Artifact, StoredObject } from '../../entities/storage.ts';
import type { Actor } from '../domain/access.ts';
import { AppError } from '../domain/errors.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { ARTIFACT_FORMATS, ARTIFACT_SCHEMA } from '../domain/requests.ts';
import type { ArtifactFormat, RegisterArtifactRequest } from '../domain/requests.ts';
import { bound } from './bound.ts';
import { exactTime } from './exact-time.ts';
import { insertIfNew } from './insert-if-new.ts';
import { taskIndexOf } from './present-item.ts';
import type { ExactTimes, OuterRow, Row } from './row.ts';
import { isUnchanged } from './stored-objects/stored-digests.ts';
import { downloadName } from './upload-key.ts';
import { changedSince, goneSince, NAMEABLE, verifyUpload } from './uploads/named-file.ts';
import type { NamedFileDependencies, UploadedObject, VerifiedUpload } from './uploads/named-file.ts';
import { RECORDED_ETAG, rememberVerified } from './verified-objects.ts';
import type { SeenObject } from './verified-objects.ts';
import type { ArtifactResponse, DownloadUrlResponse } from '../domain/answers.ts';

type ArtifactProvenance = ArtifactResponse['provenance'];

/** The database, the store and the reader of digests by which artifacts are registered and answered. */
export type ArtifactDependencies = NamedFileDependencies;

/** A registration. `created` is false when the same storage key and format was registered before. */
export interface RegisteredArtifact {
  readonly created: boolean;
  readonly response: ArtifactResponse;
}

/** An artifact, and of an upload the ETag of the bytes that have its digest. */
interface ArtifactRow
  extends
    Row<Artifact, 'id' | 'storageKey' | 'mediaType' | 'byteSize' | 'sha256' | 'name'>,
    ExactTimes<Artifact, 'createdAt'>,
    OuterRow<StoredObject, 'uploadId' | 'etag'> {
  /** The format of an artifact that can be referenced; files of jobs in other formats can only be downloaded. */
  readonly format: ArtifactFormat;
  readonly made_by_job: Artifact['jobId'];
  readonly made_by_kind: Artifact['taskKind'];
  readonly made_by_ordinal: Artifact['taskOrdinal'];
  readonly made_by_export: string | null;
}

interface SourceRow extends UploadedObject, Row<StoredObject, 'filename'> {
  readonly committed: boolean;
}

/** The life of a download address is short, because whoever has the address may read the file. */
const DOWNLOAD_SECONDS = 900;
const ARTIFACT_IDS = '1f8f2b5e-6f0b-5f0e-8a55-7a1f6d0f3f11';
const MEDIA_TYPES: Readonly<Record<ArtifactFormat, string>> = {
  pdb: 'chemical/x-pdb',
  mmcif: 'chemical/x-mmcif',
  pdbqt: 'chemical/x-pdbqt',
  sdf: 'chemical/x-mdl-sdfile',
  mol2: 'chemical/x-mol2',
  json: 'application/json',
  log: 'text/plain',
  smi: 'chemical/x-daylight-smiles',
  csv: 'text/csv',
};
const FOUND = `
  select a.id, a.storage_key, a.media_type, a.format, a.byte_size, a.sha256, ${exactTime('a.created_at')} as created_at, a.name, o.upload_id,
    ${RECORDED_ETAG} as etag,
    made.job_id as made_by_job, made.task_kind as made_by_kind, made.task_ordinal as made_by_ordinal,
    (select x.id from docking_exports x where x.artifact_id = a.id) as made_by_export
  from artifacts a
    left join stored_objects o on o.storage_key = a.storage_key and o.account_id = a.account_id
    left join lateral (
      select job_id, task_kind, task_ordinal from artifacts
      where account_id = a.account_id and storage_key = a.storage_key and job_id is not null limit 1) made on true`;

/**
 * Registers an uploaded file, or a job's output, as an artifact.
 * @throws INPUT_NOT_FOUND, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH.
 */
export async function registerArtifact(
  deps: ArtifactDependencies,
  actor: Actor,
  body: RegisterArtifactRequest,
): Promise<RegisteredArtifact> {
  const known = await findArtifact(deps.db, actor, body);
  if (known !== null) {
    await confirmArtifact(deps, actor, known, { path: 'storageKey', missing: 'INPUT_NOT_FOUND' });
    return { created: false, response: presentArtifact(known) };
  }
  const source = await findSource(deps.db, actor, body.storageKey);
  if (source === null) throw noSuchFile();
  const sha256 = await proveDigest(deps, actor, source);
  const created = await insertIfNew(deps.db, ArtifactEntity, {
    id: uuidv5(`${body.storageKey}/${body.format}`, uuidv5(actor.accountId, ARTIFACT_IDS)),
    accountId: actor.accountId,
    storageKey: body.storageKey,
    name: downloadName(source.filename),
    kind: 'upload',
    label: body.label ?? null,
    mediaType: MEDIA_TYPES[body.format],
    format: body.format,
    byteSize: source.byte_size,
    sha256,
  });
  const stored = await findArtifact(deps.db, actor, body);
  if (stored === null) throw new Error('The artifact that was registered is not there.');
  return { created, response: presentArtifact(stored) };
}

/** An artifact of the account. @throws NOT_FOUND. */
export async function getArtifact(
  deps: Pick<ArtifactDependencies, 'db'>,
  actor: Actor,
  artifactId: string,
): Promise<ArtifactResponse> {
  const rows = isUuid(artifactId)
    ? await deps.db.query<ArtifactRow[]>(
        `${FOUND} where a.id = $1 and a.account_id = $2 and a.format = any($3)`,
        [artifactId, actor.accountId, ARTIFACT_FORMATS],
      )
    : [];
  const [artifact] = rows;
  if (artifact === undefined) throw noSuchArtifact();
  return presentArtifact(artifact);
}

/**
 * Signs a download of an artifact of the account, registered or made by a job, under its own name and media type.
 * @throws NOT_FOUND, CHECKSUM_MISMATCH when the upload was changed after it was registered.
 */
export async function artifactDownloadUrl(
  deps: ArtifactDependencies,
  actor: Actor,
  artifactId: string,
): Promise<DownloadUrlResponse> {
  const artifact = await mustFind(deps.db, actor.accountId, artifactId);
  await confirmArtifact(deps, actor, artifact, { path: 'artifactId', missing: 'NOT_FOUND' });
  const filename = downloadName(artifact.name);
  const signed = await deps.store.signGet(artifact.storage_key, {
    expiresInSeconds: DOWNLOAD_SECONDS,
    filename,
    contentType: artifact.media_type,
  });
  return {
    artifactId: artifact.id,
    url: signed.url,
    method: 'GET',
    expiresIn: signed.expiresInSeconds,
    expiresAt: new Date(Date.now() + signed.expiresInSeconds * 1000).toISOString(),
    filename,
    mediaType: artifact.media_type,
    byteSize: artifact.byte_size,
    sha256: artifact.sha256,
  };
}

/** The bytes of an artifact, which a reader opens in whole or in part. */
export interface OpenArtifact {
  readonly sha256: string;
  readonly byteSize: number;
  readonly mediaType: string;
  readonly name: string;
  /** Opens bytes, both ends inclusive. @throws SOURCE_LOST, CHECKSUM_MISMATCH when the upload was changed after it was registered. */
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/** Finds an artifact of the account, registered or made by a job, whose bytes may be read here. @throws NOT_FOUND. */
export async function openArtifact(
  deps: ArtifactDependencies,
  accountId: string,
  artifactId: string,
): Promise<OpenArtifact> {
  const artifact = await mustFind(deps.db, accountId, artifactId);
  const { sha256, byte_size: byteSize, media_type: mediaType, name } = artifact;
  return {
    sha256,
    byteSize,
    mediaType,
    name: downloadName(name),
    open: (range) => openBytes(deps, accountId, artifact, range),
  };
}

/** Opens what has the tag of the bytes that were verified; another tag is looked into, because a store may give equal bytes another one. */
async function openBytes(
  deps: ArtifactDependencies,
  accountId: string,
  artifact: ArtifactRow,
  range: { readonly start: number; readonly end: number } | undefined,
): Promise<Readable> {
  const { storage_key: storageKey, upload_id: uploadId } = artifact;
  for (let { etag } = artifact; ;) {
    const found = await deps.store.read(storageKey, range);
    if (found === null) throw goneSince('artifactId', 'SOURCE_LOST');
    if (uploadId === null || (etag !== null && found.etag === etag)) return found.stream;
    found.stream.destroy();
    const confirmed = await confirmArtifact(deps, { accountId }, artifact, {
      path: 'artifactId',
      missing: 'SOURCE_LOST',
    });
    // The upload was written again after it was looked at.
    if (confirmed === etag) throw changedSince('artifactId');
    etag = confirmed;
  }
}

async function mustFind(db: DataSource, accountId: string, artifactId: string): Promise<ArtifactRow> {
  const [artifact] = isUuid(artifactId)
    ? await db.query<ArtifactRow[]>(`${FOUND} where a.id = $1 and a.account_id = $2`, [artifactId, accountId])
    : [];
  if (artifact === undefined) throw noSuchArtifact();
  return artifact;
}

/** The digest of the stored bytes: the store's own where it enforced one, else computed by streaming. */
async function proveDigest(deps: ArtifactDependencies, actor: Actor, source: SourceRow): Promise<string> {
  if (source.committed && source.sha256 !== null) return source.sha256;
  const seen = await verifyUpload(deps, source, 'storageKey');
  const proven = seen.sha256 === null ? await readUpload(deps, source, seen) : seen;
  const recorded = (await rememberVerified(deps.db, actor.accountId, [proven])).get(source.storage_key);
  if (recorded == null) throw noSuchFile();
  if (recorded !== proven.sha256) throw changedSince('storageKey');
  return recorded;
}

/**
 * Compares an uploaded artifact with the bytes that the store has now. An artifact of a job is not compared, because no
 * customer has an address that could change its bytes. Answers the ETag of an upload as it was seen; null for an output of a job.
 * @throws CHECKSUM_MISMATCH; `missing` when the store has no object under the key any more.
 */
async function confirmArtifact(
  { db, store, digests }: ArtifactDependencies,
  actor: Pick<Actor, 'accountId'>,
  artifact: ArtifactRow,
  { path, missing }: { readonly path: string; readonly missing: ErrorCode },
): Promise<string | null> {
  if (artifact.upload_id === null) return null;
  const { storage_key: storageKey, sha256, etag } = artifact;
  const head = await store.head(storageKey);
  if (head === null) throw goneSince(path, missing);
  const isSame = head.byteSize === artifact.byte_size && (await isUnchanged(digests, { sha256, etag }, head));
  if (!isSame) throw changedSince(path);
  if (head.etag !== etag) {
    const seen = { storageKey, sha256, etag: head.etag, modifiedAt: head.modifiedAt };
    await rememberVerified(db, actor.accountId, [seen]);
  }
  return head.etag;
}

function noSuchArtifact(): AppError {
  return new AppError('NOT_FOUND', 'There is no such artifact in this account.');
}

function noSuchFile(): AppError {
  return new AppError(
    'INPUT_NOT_FOUND',
    'storageKey: there is no such file in this account. Upload it and send the storage key that was answered.',
  );
}

async function readUpload(
  { digests }: Pick<ArtifactDependencies, 'digests'>,
  source: SourceRow,
  seen: VerifiedUpload,
): Promise<SeenObject> {
  const read = await digests.read(seen.head);
  if (read === null) throw goneSince('storageKey');
  if (read.byteSize !== source.byte_size) {
    throw new AppError('SIZE_MISMATCH', 'storageKey: the file changed while it was read. Upload it again.');
  }
  if (source.announced_sha256 !== null && read.sha256 !== source.announced_sha256) {
    throw new AppError(
      'CHECKSUM_MISMATCH',
      'storageKey: the stored bytes have another SHA-256 than announced. Upload the file again.',
    );
  }
  return { ...seen, sha256: read.sha256, etag: read.etag };
}

async function findArtifact(
  db: DataSource,
  actor: Actor,
  body: RegisterArtifactRequest,
): Promise<ArtifactRow | null> {
  const [row] = await db.query<ArtifactRow[]>(
    `${FOUND} where a.account_id = $1 and a.storage_key = $2 and a.format = $3`,
    [actor.accountId, body.storageKey, body.format],
  );
  return row ?? null;
}

/** An upload of the account, or an output that one of its jobs committed. */
async function findSource(db: DataSource, actor: Actor, storageKey: string): Promise<SourceRow | null> {
  const [row] = await db.query<SourceRow[]>(
    `select storage_key, filename, byte_size, announced_sha256, sha256, ${RECORDED_ETAG} as etag,
       state = 'UPLOADING' as uploading, false as committed from stored_objects o
       where account_id = $1 and storage_key = $2 and ${NAMEABLE}
     union all
     select storage_key, name, byte_size, null, sha256, null, false, true from artifacts
       where account_id = $1 and storage_key = $2 and job_id is not null
     limit 1`,
    [actor.accountId, storageKey],
  );
  return row ?? null;
}

function presentArtifact(row: ArtifactRow): ArtifactResponse {
  return {
    artifact: {
      schema: ARTIFACT_SCHEMA,
      artifactId: row.id,
      storageKey: row.storage_key,
      sha256: row.sha256,
      byteSize: row.byte_size,
      mediaType: row.media_type,
      format: row.format,
    },
    verified: true,
    verifiedAt: row.created_at,
    provenance: provenanceOf(row),
  };
}

function provenanceOf(row: ArtifactRow): ArtifactProvenance {
  if (row.made_by_job !== null) {
    const taskIndex = taskIndexOf(row.made_by_kind, row.made_by_ordinal);
    return { kind: 'task', jobId: row.made_by_job, taskIndex };
  }
  if (row.made_by_export !== null) return { kind: 'export', exportId: row.made_by_export };
  if (row.upload_id === null) throw new Error(`Nothing is known to have made the artifact ${row.id}.`);
  return { kind: 'upload', uploadId: row.upload_id };
}

/** Makes the operations on artifacts, for the API. */
export function createArtifacts(deps: ArtifactDependencies) {
  const of = bound(deps);
  return { register: of(registerArtifact), get: of(getArtifact), downloadUrl: of(artifactDownloadUrl) };
}
