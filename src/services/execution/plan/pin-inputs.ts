/**
 * Pins what a job reads, in its first activity: files that it named at submit get the digest that nobody announced, and
 * deposited structures are fetched, stored and pinned by the digest of what was fetched. Every step may be repeated.
 */
import { createHash } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import { JobInputObjectEntity } from '../../../../entities/storage.ts';
import type { JobInputObject, StoredObject } from '../../../../entities/storage.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { StructureSource } from '../../../adapters/structures/structures.ts';
import type { PinnedInput } from '../../../contracts/job.ts';
import { structureKey } from '../../../contracts/names.ts';
import type { NamedStructure } from '../../../tools/tool.ts';
import type { FileTurns } from '../../file-turns.ts';
import { insertIfNew } from '../../insert-if-new.ts';
import type { ObjectHasher } from '../../stored-objects/object-hasher.ts';
import type { OuterRow, Row } from '../../row.ts';
import type { StoredDigest } from '../../stored-objects/stored-digests.ts';
import type { LoadedJob } from '../../job-records/request.ts';

/** Pinned, or the definite reason why the job cannot be run. */
export type PinResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface PinDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly structures: StructureSource;
  readonly hasher: ObjectHasher;
  readonly turns: FileTurns;
}

/** Pins everything; what is pinned already is left as it is. @throws NoTurnError. */
export async function pinInputs(
  deps: PinDependencies,
  job: LoadedJob,
  structures: readonly NamedStructure[],
): Promise<PinResult> {
  if (job.storedInputs !== null) await insertPins(deps.db, job.jobId, job.storedInputs);
  const hashed = await pinDigests(deps, job.jobId);
  if (!hashed.ok) return hashed;
  for (const structure of structures) {
    const fetched = await pinStructure(deps, job, structure);
    if (!fetched.ok) return fetched;
  }
  return { ok: true };
}

async function insertPins(db: DataSource, jobId: string, pins: readonly PinnedInput[]): Promise<void> {
  await db.query(
    `insert into job_inputs (job_id, storage_key, byte_size, sha256)
     select $1, pin."storageKey", pin."byteSize", pin.sha256
     from jsonb_to_recordset($2::jsonb) pin ("storageKey" text, "byteSize" bigint, sha256 text)
     on conflict do nothing`,
    [jobId, JSON.stringify(pins)],
  );
}

/**
 * Streams inputs without a digest once, in a turn of the job's account, and stores it; an input that changed since
 * admission ends the job. @throws NoTurnError.
 */
export async function pinDigests(deps: PinDependencies, jobId: string): Promise<PinResult> {
  const inputs = await deps.db.query<Unpinned[]>(
    `select j.account_id, i.storage_key, i.byte_size, o.announced_sha256
     from job_inputs i join jobs j on j.id = i.job_id left join stored_objects o on o.storage_key = i.storage_key
     where i.job_id = $1 and i.sha256 is null`,
    [jobId],
  );
  const [first] = inputs;
  if (first === undefined) return { ok: true };
  return deps.turns.during({ id: jobId, accountId: first.account_id }, () => hashInputs(deps, jobId, inputs));
}

interface Unpinned
  extends
    Row<Job, 'accountId'>,
    Row<JobInputObject, 'storageKey' | 'byteSize'>,
    OuterRow<StoredObject, 'announcedSha256'> {}

async function hashInputs(
  { db, hasher }: PinDependencies,
  jobId: string,
  inputs: readonly Unpinned[],
): Promise<PinResult> {
  for (const input of inputs) {
    const { storage_key: key } = input;
    const found = await hasher.hashVersion(key, input.byte_size);
    if (found === null) {
      const message = `The input ${key} is no longer stored.`;
      return { ok: false, code: 'INPUT_NOT_FOUND', message };
    }
    if (found.byteSize !== input.byte_size) {
      const message = `The input ${key} has another size than at submit.`;
      return { ok: false, code: 'INPUT_CHANGED', message };
    }
    if (input.announced_sha256 !== null && input.announced_sha256 !== found.sha256) {
      const message = `The input ${key} has another SHA-256 than was announced.`;
      return { ok: false, code: 'INPUT_CHANGED', message };
    }
    const recorded = await recordDigest(db, key, found);
    if (recorded !== null && recorded !== found.sha256) {
      const message = `The input ${key} was changed after its SHA-256 had been recorded.`;
      return { ok: false, code: 'INPUT_CHANGED', message };
    }
    await db.getRepository(JobInputObjectEntity).update({ jobId, storageKey: key }, { sha256: found.sha256 });
  }
  return { ok: true };
}

/** Records a digest where none is; null: the file is not an upload, or is not stored any more. */
async function recordDigest(
  db: DataSource,
  key: string,
  { sha256, etag }: StoredDigest,
): Promise<string | null> {
  const [row] = await db.query<Row<StoredObject, 'sha256'>[]>(
    `with done as (
       update stored_objects set state = 'VERIFIED', verified_at = coalesce(verified_at, now()),
         etag = case when coalesce(sha256, $2) = $2 then $3 else etag end, sha256 = coalesce(sha256, $2)
       where storage_key = $1 and state in ('ANNOUNCED', 'VERIFIED') returning sha256)
     select sha256 from done`,
    [key, sha256, etag],
  );
  return row?.sha256 ?? null;
}

/** Pins a structure: once fetched, it is the job's input, whatever the archive answers later. */
async function pinStructure(
  { db, store, structures }: PinDependencies,
  { jobId, accountId }: LoadedJob,
  { pdbId, name, failures }: NamedStructure,
): Promise<PinResult> {
  if (await db.getRepository(JobInputObjectEntity).existsBy({ jobId, name })) return { ok: true };
  const fetched = await structures.fetch(pdbId);
  if (!fetched.ok) return { ok: false, code: failures[fetched.reason], message: fetched.message };
  const sha256 = createHash('sha256').update(fetched.body).digest('hex');
  const key = structureKey(accountId, pdbId, sha256);
  await store.put(key, fetched.body, fetched.mediaType);
  const { byteLength: byteSize } = fetched.body;
  await insertIfNew(db, JobInputObjectEntity, { jobId, storageKey: key, byteSize, sha256, name });
  return { ok: true };
}
