/**
 * The stored objects that a request names: whether they are the account's, uploaded, and what was announced. Nothing is
 * reserved here. What is verified now is remembered; a digest nobody announced is computed later, by streaming.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { PinnedInput } from '../../contracts/job.ts';
import { AppError } from '../../domain/errors.ts';
import type { ArtifactReference, SimulationParams, SubmitJobRequest } from '../../domain/requests.ts';

/** An object that a request names, with the path that names it. */
export interface NamedInput {
  readonly path: string;
  readonly storageKey: string;
  /** Set when the request names it by reference: its fields must equal the stored ones. */
  readonly reference: ArtifactReference | null;
}

/** What the database knows of a named object. */
interface ObjectRow {
  readonly storage_key: string;
  readonly byte_size: number;
  readonly announced_sha256: string | null;
  readonly sha256: string | null;
  readonly state: 'ANNOUNCED' | 'UPLOADING' | 'VERIFIED' | 'DELETED';
  readonly nameable: boolean;
  /** Its multipart upload is not complete: bytes that may lie there are not released. */
  readonly uploading: boolean;
}

interface ArtifactRow {
  readonly id: string;
  readonly storage_key: string;
  readonly format: string | null;
  readonly byte_size: number;
  readonly sha256: string;
}

/** Condition on `stored_objects`: a request may name the file. One that was never named in time is about to be swept. */
export const NAMEABLE = `(state in ('VERIFIED', 'UPLOADING') or state = 'ANNOUNCED' and expires_at > now())`;

const HEADS_AT_ONCE = 16;

/** Every stored object that a request names, with its path, in the order of the request. */
export function namedInputs(request: SubmitJobRequest): NamedInput[] {
  const inputs: NamedInput[] = [];
  if (request.sceneFile !== undefined) {
    inputs.push({ path: 'sceneFile', storageKey: request.sceneFile, reference: null });
  }
  request.attachments?.forEach((storageKey, index) => {
    inputs.push({ path: `attachments.${index}`, storageKey, reference: null });
  });
  for (const { path, reference } of artifactReferences(request.simulationParams ?? {})) {
    inputs.push({ path: `simulationParams.${path}`, storageKey: reference.storageKey, reference });
  }
  return inputs;
}

function* artifactReferences(
  params: SimulationParams,
): Generator<{ readonly path: string; readonly reference: ArtifactReference }> {
  if (params.receptorArtifact !== undefined)
    yield { path: 'receptorArtifact', reference: params.receptorArtifact };
  const prepared = params.dockingExecution?.preparedReceptor?.artifact;
  if (prepared !== undefined)
    yield { path: 'dockingExecution.preparedReceptor.artifact', reference: prepared };
  if (params.ligandIdentity?.source.kind === 'artifact') {
    yield { path: 'ligandIdentity.source.artifact', reference: params.ligandIdentity.source.artifact };
  }
  for (const [index, ligand] of (params.ligandLibrary ?? []).entries()) {
    if (ligand.source.kind !== 'artifact') continue;
    yield { path: `ligandLibrary.${index}.source.artifact`, reference: ligand.source.artifact };
  }
}

/**
 * Checks every named object and pins it by size and digest (null where none is known yet).
 * @throws INPUT_NOT_FOUND, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH, ARTIFACT_MISMATCH, each with the path.
 */
export async function checkInputs(
  deps: { readonly db: DataSource; readonly store: ObjectStore },
  accountId: string,
  inputs: readonly NamedInput[],
): Promise<ReadonlyMap<string, PinnedInput>> {
  if (inputs.length === 0) return new Map();
  const keys = [...new Set(inputs.map((input) => input.storageKey))];
  const [objects, artifacts] = await Promise.all([
    readObjects(deps.db, accountId, keys),
    readArtifacts(deps.db, accountId, keys),
  ]);
  // What needs no look at the store is refused first.
  for (const { path, storageKey, reference } of inputs) {
    const object = objects.get(storageKey);
    const known = object === undefined ? artifacts.has(storageKey) : object.nameable;
    if (!known) throw notFound(path);
    if (reference !== null) checkReference(path, reference, artifacts.get(storageKey) ?? []);
  }
  const pins = new Map<string, PinnedInput>();
  for (const [key, rows] of artifacts) {
    for (const row of rows) pins.set(key, { storageKey: key, byteSize: row.byte_size, sha256: row.sha256 });
  }
  await verifyUploads(deps, accountId, inputs, { objects, pins });
  return pins;
}

/** Looks at each uploaded object once, and remembers those seen complete for the first time. */
async function verifyUploads(
  deps: { readonly db: DataSource; readonly store: ObjectStore },
  accountId: string,
  inputs: readonly NamedInput[],
  found: { readonly objects: ReadonlyMap<string, ObjectRow>; readonly pins: Map<string, PinnedInput> },
): Promise<void> {
  const limit = pLimit(HEADS_AT_ONCE);
  const fresh: PinnedInput[] = [];
  const firstPaths = new Map(inputs.toReversed().map((input) => [input.storageKey, input.path]));
  await Promise.all(
    [...found.objects].map(([key, object]) =>
      limit(async () => {
        const pin = await verifyUpload(deps.store, object, firstPaths.get(key) ?? key);
        found.pins.set(key, pin);
        if (object.state === 'ANNOUNCED') fresh.push(pin);
      }),
    ),
  );
  if (fresh.length === 0) return;
  const remembered = await rememberVerified(deps.db, accountId, fresh);
  const swept = fresh.find((pin) => !remembered.has(pin.storageKey));
  if (swept !== undefined) throw notFound(firstPaths.get(swept.storageKey) ?? swept.storageKey);
}

/**
 * Holds an uploaded object against what was announced.
 * @throws UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH.
 */
export async function verifyUpload(
  store: ObjectStore,
  object: Omit<ObjectRow, 'state' | 'nameable'>,
  path: string,
): Promise<PinnedInput> {
  if (object.uploading) {
    throw new AppError(
      'UPLOAD_INCOMPLETE',
      `${path}: the multipart upload of this file is not complete. Complete it with POST /api/v1/uploads/{uploadId}/complete, then repeat the request.`,
      { retryAfterSeconds: 5 },
    );
  }
  const head = await store.head(object.storage_key);
  if (head === null) {
    throw new AppError(
      'UPLOAD_INCOMPLETE',
      `${path}: the file has not been uploaded yet. PUT its bytes to the upload URL, then repeat the request.`,
      { retryAfterSeconds: 5 },
    );
  }
  if (head.byteSize !== object.byte_size) {
    throw new AppError(
      'SIZE_MISMATCH',
      `${path}: ${object.byte_size} bytes were announced, ${head.byteSize} are stored. Upload the file again.`,
    );
  }
  const expected = object.sha256 ?? object.announced_sha256;
  if (expected !== null && head.sha256 !== null && head.sha256 !== expected) {
    throw new AppError(
      'CHECKSUM_MISMATCH',
      `${path}: the stored bytes have another SHA-256 than announced. Upload the file again.`,
    );
  }
  // An announced digest that the store did not check is a claim; whoever needs the digest reads the bytes.
  const sha256 = object.sha256 ?? head.sha256;
  return { storageKey: object.storage_key, byteSize: object.byte_size, sha256 };
}

function checkReference(path: string, reference: ArtifactReference, stored: readonly ArtifactRow[]): void {
  const artifact =
    stored.find((row) => row.id === reference.artifactId) ??
    stored.find((row) => row.format === reference.format) ??
    stored[0];
  const wrong =
    artifact === undefined || artifact.id !== reference.artifactId
      ? 'artifactId'
      : artifact.sha256 !== reference.sha256
        ? 'sha256'
        : artifact.byte_size !== reference.byteSize
          ? 'byteSize'
          : artifact.format !== reference.format
            ? 'format'
            : null;
  if (wrong === null) return;
  throw new AppError(
    'ARTIFACT_MISMATCH',
    `${path}.${wrong}: disagrees with the stored artifact. Send the reference as it was answered at registration.`,
  );
}

function notFound(path: string): AppError {
  return new AppError(
    'INPUT_NOT_FOUND',
    `${path}: there is no such file in this account. Upload it and send the storage key that was answered.`,
  );
}

async function readObjects(
  db: DataSource,
  accountId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ObjectRow>> {
  const rows = await db.query<ObjectRow[]>(
    `select storage_key, byte_size, announced_sha256, sha256, state, ${NAMEABLE} as nameable,
       state = 'UPLOADING' as uploading from stored_objects
     where account_id = $1 and storage_key = any($2)`,
    [accountId, keys],
  );
  return new Map(rows.map((row) => [row.storage_key, row]));
}

async function readArtifacts(
  db: DataSource,
  accountId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly ArtifactRow[]>> {
  const rows = await db.query<ArtifactRow[]>(
    `select id, storage_key, format, byte_size, sha256 from artifacts
     where account_id = $1 and storage_key = any($2)`,
    [accountId, keys],
  );
  const byKey = new Map<string, ArtifactRow[]>();
  for (const row of rows) byKey.set(row.storage_key, [...(byKey.get(row.storage_key) ?? []), row]);
  return byKey;
}

/** Repeatable: an object that is verified stays so. Answers the keys that are; a file swept meanwhile is not. */
async function rememberVerified(
  db: DataSource,
  accountId: string,
  pins: readonly PinnedInput[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ readonly storage_key: string }[]>(
    `with done as (
       update stored_objects o set state = 'VERIFIED', verified_at = coalesce(o.verified_at, now()),
         sha256 = coalesce(o.sha256, seen.sha256)
       from unnest($2::text[], $3::text[]) seen (storage_key, sha256)
       where o.account_id = $1 and o.storage_key = seen.storage_key and o.state in ('ANNOUNCED', 'VERIFIED')
       returning o.storage_key)
     select storage_key from done`,
    [accountId, pins.map((pin) => pin.storageKey), pins.map((pin) => pin.sha256)],
  );
  return new Set(rows.map((row) => row.storage_key));
}
