/**
 * Checks the stored objects that a request names: each must belong to the account, be uploaded, and be what was announced.
 * Nothing is reserved here. An object that is verified here is remembered as verified. The digest of an object that nobody
 * announced one for is computed later, by streaming the object. A recorded digest counts only for the bytes that it was
 * recorded for: an object that was written again since then is read again.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';

import type { Artifact, StoredObject } from '../../../entities/storage.ts';
import type { PinnedInput } from '../../contracts/job.ts';
import { AppError } from '../../domain/errors.ts';
import type { ArtifactReference, SubmitJobRequest } from '../../domain/requests.ts';
import type { ToolRequest } from '../../tools/tool.ts';
import type { Row } from '../row.ts';
import { repeatConflicts } from '../transaction.ts';
import { changedSince, NAMEABLE, verifyUpload } from '../uploads/named-file.ts';
import type { NamedFileDependencies, UploadedObject } from '../uploads/named-file.ts';
import { RECORDED_ETAG, rememberVerified } from '../verified-objects.ts';
import type { SeenObject } from '../verified-objects.ts';

/** An object that a request names, with the path that names it. */
export interface NamedInput {
  readonly path: string;
  readonly storageKey: string;
  /** Set when the request names it by reference: its fields must equal the stored ones. */
  readonly reference: ArtifactReference | null;
}

interface ObjectRow extends UploadedObject, Row<StoredObject, 'state'> {
  readonly nameable: boolean;
}

type NamedArtifact = Pick<Artifact, 'id' | 'storageKey' | 'format' | 'byteSize' | 'sha256'>;

const HEADS_AT_ONCE = 16;

/** Every stored object that a request names, with its path, in the order of the request. */
export function namedInputs(
  request: SubmitJobRequest,
  tool: { readonly request: Pick<ToolRequest, 'artifactReferences'> },
): NamedInput[] {
  const inputs: NamedInput[] = [];
  if (request.sceneFile !== undefined) {
    inputs.push({ path: 'sceneFile', storageKey: request.sceneFile, reference: null });
  }
  request.attachments?.forEach((storageKey, index) => {
    inputs.push({ path: `attachments.${index}`, storageKey, reference: null });
  });
  for (const { path, reference } of tool.request.artifactReferences(request.simulationParams ?? {})) {
    inputs.push({ path: `simulationParams.${path}`, storageKey: reference.storageKey, reference });
  }
  return inputs;
}

/**
 * Checks every named object and pins it by size and digest (null where none is known yet).
 * @throws INPUT_NOT_FOUND, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH, ARTIFACT_MISMATCH, each with the path.
 */
export async function checkInputs(
  deps: NamedFileDependencies,
  accountId: string,
  inputs: readonly NamedInput[],
): Promise<ReadonlyMap<string, PinnedInput>> {
  if (inputs.length === 0) return new Map();
  const keys = [...new Set(inputs.map((input) => input.storageKey))];
  const [objects, artifacts] = await Promise.all([
    readObjects(deps.db, accountId, keys),
    readArtifacts(deps.db, accountId, keys),
  ]);
  // Refusals that the rows alone decide come first, because looking at the store costs more.
  for (const { path, storageKey, reference } of inputs) {
    const object = objects.get(storageKey);
    const known = object === undefined ? artifacts.has(storageKey) : object.nameable;
    if (!known) throw notFound(path);
    if (reference !== null) checkReference(path, reference, artifacts.get(storageKey) ?? []);
  }
  const pins = new Map<string, PinnedInput>();
  for (const [key, rows] of artifacts) {
    for (const { byteSize, sha256 } of rows) pins.set(key, { storageKey: key, byteSize, sha256 });
  }
  await verifyUploads(deps, accountId, inputs, { objects, pins });
  return pins;
}

/** Looks at each uploaded object once, and remembers what is seen for the first time. */
async function verifyUploads(
  deps: NamedFileDependencies,
  accountId: string,
  inputs: readonly NamedInput[],
  found: { readonly objects: ReadonlyMap<string, ObjectRow>; readonly pins: Map<string, PinnedInput> },
): Promise<void> {
  const limit = pLimit(HEADS_AT_ONCE);
  const fresh: SeenObject[] = [];
  const firstPaths = new Map(inputs.toReversed().map((input) => [input.storageKey, input.path]));
  await Promise.all(
    [...found.objects].map(([key, object]) =>
      limit(async () => {
        const seen = await verifyUpload(deps, object, firstPaths.get(key) ?? key);
        found.pins.set(key, { storageKey: key, byteSize: object.byte_size, sha256: seen.sha256 });
        if (object.state === 'ANNOUNCED' || isNews(object, seen)) fresh.push(seen);
      }),
    ),
  );
  if (fresh.length === 0) return;
  const remembered = await repeatConflicts(() => rememberVerified(deps.db, accountId, fresh));
  for (const { storageKey, sha256 } of fresh) {
    const path = firstPaths.get(storageKey) ?? storageKey;
    const recorded = remembered.get(storageKey);
    if (recorded === undefined) throw notFound(path);
    if (sha256 !== null && recorded !== sha256) throw changedSince(path);
  }
}

function isNews(object: UploadedObject, seen: SeenObject): boolean {
  return seen.sha256 !== null && (object.sha256 === null || object.etag !== seen.etag);
}

function checkReference(path: string, reference: ArtifactReference, stored: readonly NamedArtifact[]): void {
  const artifact =
    stored.find((row) => row.id === reference.artifactId) ??
    stored.find((row) => row.format === reference.format) ??
    stored[0];
  const wrong =
    artifact === undefined || artifact.id !== reference.artifactId
      ? 'artifactId'
      : artifact.sha256 !== reference.sha256
        ? 'sha256'
        : artifact.byteSize !== reference.byteSize
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
    `select storage_key, byte_size, announced_sha256, sha256, ${RECORDED_ETAG} as etag, state, ${NAMEABLE} as nameable,
       state = 'UPLOADING' as uploading from stored_objects o
     where account_id = $1 and storage_key = any($2)`,
    [accountId, keys],
  );
  return new Map(rows.map((row) => [row.storage_key, row]));
}

async function readArtifacts(
  db: DataSource,
  accountId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly NamedArtifact[]>> {
  // A submit may name ten thousand files, and a repository takes three times the time of the process for each row.
  const artifacts = await db.query<NamedArtifact[]>(
    `select id, storage_key as "storageKey", format, byte_size as "byteSize", sha256 from artifacts
     where account_id = $1 and storage_key = any($2)`,
    [accountId, keys],
  );
  return Map.groupBy(artifacts, (artifact) => artifact.storageKey);
}
