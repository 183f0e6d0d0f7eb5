/**
 * Artifacts: stored objects with a proven digest, referenced by seven fields. One artifact per account, storage key and
 * format, so that registering again answers the same one.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, validate as isUuid } from 'uuid';

import type { ObjectStore } from '../adapters/storage/storage.ts';
import type { Actor } from '../domain/access.ts';
import { AppError } from '../domain/errors.ts';
import { ARTIFACT_FORMATS, ARTIFACT_SCHEMA } from '../domain/requests.ts';
import type { ArtifactFormat, RegisterArtifactRequest } from '../domain/requests.ts';
import type { ArtifactProvenance, ArtifactResponse, DownloadUrlResponse } from '../domain/responses.ts';
import { NAMEABLE, verifyUpload } from './jobs/inputs.ts';
import { downloadName } from './upload-key.ts';

/** What artifacts need. */
export interface ArtifactDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/** A registration; `created` false: the same storage key and format was registered before. */
export interface RegisteredArtifact {
  readonly created: boolean;
  readonly response: ArtifactResponse;
}

interface ArtifactRow {
  readonly id: string;
  readonly storage_key: string;
  readonly media_type: string;
  readonly format: ArtifactFormat;
  readonly byte_size: number;
  readonly sha256: string;
  readonly created_at: Date;
  readonly name: string;
  readonly upload_id: string | null;
  readonly made_by_job: string | null;
  readonly made_by_task: number | null;
}

interface SourceRow {
  readonly storage_key: string;
  readonly filename: string;
  readonly byte_size: number;
  readonly announced_sha256: string | null;
  readonly sha256: string | null;
  readonly uploading: boolean;
  readonly committed: boolean;
}

/** Short, because whoever has the address may read the file. */
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
};
const FOUND = `
  select a.id, a.storage_key, a.media_type, a.format, a.byte_size, a.sha256, a.created_at, a.name, o.upload_id,
    made.job_id as made_by_job, case made.task_kind when 'task' then made.task_ordinal end as made_by_task
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
  if (known !== null) return { created: false, response: presentArtifact(known) };
  const source = await findSource(deps.db, actor, body.storageKey);
  if (source === null) throw noSuchFile();
  const sha256 = await proveDigest(deps, source);
  const inserted = await deps.db.query<unknown[]>(
    `with done as (
       insert into artifacts (id, account_id, storage_key, name, kind, label, media_type, format, byte_size, sha256)
       values ($1, $2, $3, $4, 'upload', $5, $6, $7, $8, $9) on conflict do nothing returning 1)
     select * from done`,
    [
      uuidv5(`${body.storageKey}/${body.format}`, uuidv5(actor.accountId, ARTIFACT_IDS)),
      actor.accountId,
      body.storageKey,
      downloadName(source.filename),
      body.label ?? null,
      MEDIA_TYPES[body.format],
      body.format,
      source.byte_size,
      sha256,
    ],
  );
  const stored = await findArtifact(deps.db, actor, body);
  if (stored === null) throw new Error('The artifact that was registered is not there.');
  return { created: inserted.length > 0, response: presentArtifact(stored) };
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
 * @throws NOT_FOUND.
 */
export async function artifactDownloadUrl(
  { db, store }: ArtifactDependencies,
  actor: Actor,
  artifactId: string,
): Promise<DownloadUrlResponse> {
  const [artifact] = isUuid(artifactId)
    ? await db.query<ArtifactRow[]>(`${FOUND} where a.id = $1 and a.account_id = $2`, [
        artifactId,
        actor.accountId,
      ])
    : [];
  if (artifact === undefined) throw noSuchArtifact();
  const filename = downloadName(artifact.name);
  const signed = await store.signGet(artifact.storage_key, {
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

/** The digest of the stored bytes: the store's own where it enforced one, else computed by streaming. */
async function proveDigest({ db, store }: ArtifactDependencies, source: SourceRow): Promise<string> {
  if (source.committed && source.sha256 !== null) return source.sha256;
  const pin = await verifyUpload(store, source, 'storageKey');
  const sha256 = pin.sha256 ?? (await hashUpload(store, source));
  const kept = await db.query<unknown[]>(
    `with done as (
       update stored_objects set state = 'VERIFIED', sha256 = $2, verified_at = coalesce(verified_at, now())
       where storage_key = $1 and state in ('ANNOUNCED', 'VERIFIED') returning 1)
     select * from done`,
    [source.storage_key, sha256],
  );
  if (kept.length === 0) throw noSuchFile();
  return sha256;
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

async function hashUpload(store: ObjectStore, source: SourceRow): Promise<string> {
  const hashed = await store.hash(source.storage_key);
  if (hashed === null) {
    throw new AppError('UPLOAD_INCOMPLETE', 'storageKey: the file is not stored any more. Upload it again.');
  }
  if (hashed.byteSize !== source.byte_size) {
    throw new AppError('SIZE_MISMATCH', 'storageKey: the file changed while it was read. Upload it again.');
  }
  if (source.announced_sha256 !== null && hashed.sha256 !== source.announced_sha256) {
    throw new AppError(
      'CHECKSUM_MISMATCH',
      'storageKey: the stored bytes have another SHA-256 than announced. Upload the file again.',
    );
  }
  return hashed.sha256;
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
    `select storage_key, filename, byte_size, announced_sha256, sha256, state = 'UPLOADING' as uploading,
       false as committed from stored_objects
       where account_id = $1 and storage_key = $2 and ${NAMEABLE}
     union all
     select storage_key, name, byte_size, null, sha256, false, true from artifacts
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
    verifiedAt: row.created_at.toISOString(),
    provenance: provenanceOf(row),
  };
}

function provenanceOf(row: ArtifactRow): ArtifactProvenance {
  if (row.made_by_job !== null) return { kind: 'task', jobId: row.made_by_job, taskIndex: row.made_by_task };
  if (row.upload_id === null) throw new Error(`Nothing is known to have made the artifact ${row.id}.`);
  return { kind: 'upload', uploadId: row.upload_id };
}
