/**
 * The bytes of artifacts for whoever may see a scene with them. The right is looked at each time that bytes are read: a key that may not
 * read jobs sees what a kept revision names, and a share serves what its revision names.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { LRUCache } from 'lru-cache';
import { validate as isUuid } from 'uuid';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOf } from '../../scenes/sources.ts';
import { openArtifact } from '../artifacts.ts';
import type { ArtifactDependencies, OpenArtifact } from '../artifacts.ts';
import { accountOfShared, isNamed } from '../projects/index.ts';
import { changedSince } from '../uploads/named-file.ts';

/** The most bytes of one file that a scene opens: a browser holds several times as many. */
const MOST_ASSET_BYTES = 64 * 1024 * 1024;

/** The most bytes of a file that is kept, and of all that are: most structures, and not so much that the api grows by it. */
const KEPT = { fileBytes: 1024 * 1024, allBytes: 16 * 1024 * 1024 };

/** The files that were read last, by their digests: a scene that many people open is read from the store once. */
type KeptFiles = LRUCache<string, Buffer>;

interface AssetDependencies extends ArtifactDependencies {
  readonly kept: KeptFiles;
}

/** Makes the services. */
export function createAssets(own: ArtifactDependencies) {
  const kept: KeptFiles = new LRUCache({
    maxSize: KEPT.allBytes,
    // A file of no bytes counts, too: the cache takes no size of 0.
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });
  const deps = { ...own, kept };
  return {
    open: (actor: Actor, artifactId: string) => openOwn(deps, actor, artifactId),
    openShared: (token: string, artifactId: string) => openShared(deps, token, artifactId),
  };
}

/** Opens an artifact of the account. @throws NOT_FOUND, SOURCE_LOST, SOURCE_TOO_LARGE, CHECKSUM_MISMATCH. */
async function openOwn(deps: AssetDependencies, actor: Actor, artifactId: string): Promise<OpenArtifact> {
  const { accountId } = actor;
  const readsJobs = actor.kind === 'session' || actor.scopes.includes('jobs:read');
  if (!isUuid(artifactId) || !(readsJobs || (await isNamed(deps.db, accountId, artifactId))))
    throw new AppError('NOT_FOUND', 'There is no such artifact that this key may read.');
  return openWithin(deps, accountId, artifactId);
}

/** Opens an artifact that the shared revision names. @throws NOT_FOUND, SHARE_REVOKED, SOURCE_LOST, SOURCE_TOO_LARGE, CHECKSUM_MISMATCH. */
async function openShared(deps: AssetDependencies, token: string, artifactId: string): Promise<OpenArtifact> {
  return openWithin(
    deps,
    await accountOfShared(deps.db, token, addressOf({ kind: 'asset', artifactId })),
    artifactId,
  );
}

async function openWithin(
  deps: AssetDependencies,
  accountId: string,
  artifactId: string,
): Promise<OpenArtifact> {
  const opened = await openArtifact(deps, accountId, artifactId);
  refuseLarge(opened.byteSize);
  return opened.byteSize > KEPT.fileBytes
    ? opened
    : { ...opened, open: (range) => openKept(deps.kept, opened, range) };
}

/** Opens a small file by its digest. What is read has this digest, else the file is lost. */
async function openKept(
  kept: KeptFiles,
  file: OpenArtifact,
  range: Parameters<OpenArtifact['open']>[0],
): Promise<Readable> {
  const { sha256 } = file;
  let bytes = kept.get(sha256);
  if (bytes === undefined) {
    bytes = await buffer(await file.open());
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw changedSince('artifactId');
    kept.set(sha256, bytes);
  }
  return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]);
}

/** Refuses a file that no scene opens. @throws SOURCE_TOO_LARGE. */
export function refuseLarge(byteSize: number): void {
  if (byteSize <= MOST_ASSET_BYTES) return;
  throw new AppError(
    'SOURCE_TOO_LARGE',
    `The file has ${byteSize} bytes; a scene opens files of at most ${MOST_ASSET_BYTES}.`,
  );
}
