/**
 * The bytes of artifacts for whoever may see a scene with them. The right is looked at each time that bytes are read: a key that may not
 * read jobs sees what a kept revision names, and a share serves what its revision names.
 */
import { validate as isUuid } from 'uuid';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOf } from '../../scenes/sources.ts';
import { openArtifact } from '../artifacts.ts';
import type { ArtifactDependencies, OpenArtifact } from '../artifacts.ts';
import { accountOfShared, isNamed } from '../projects/index.ts';

/** The most bytes of one file that a scene opens: a browser holds several times as many. */
const MOST_ASSET_BYTES = 64 * 1024 * 1024;

/** Makes the services. */
export function createAssets(deps: ArtifactDependencies) {
  return {
    open: (actor: Actor, artifactId: string) => openOwn(deps, actor, artifactId),
    openShared: (token: string, artifactId: string) => openShared(deps, token, artifactId),
  };
}

/** Opens an artifact of the account. @throws NOT_FOUND, SOURCE_LOST, SOURCE_TOO_LARGE, CHECKSUM_MISMATCH. */
async function openOwn(deps: ArtifactDependencies, actor: Actor, artifactId: string): Promise<OpenArtifact> {
  const { accountId } = actor;
  const readsJobs = actor.kind === 'session' || actor.scopes.includes('jobs:read');
  if (!isUuid(artifactId) || !(readsJobs || (await isNamed(deps.db, accountId, artifactId))))
    throw new AppError('NOT_FOUND', 'There is no such artifact that this key may read.');
  return openWithin(deps, accountId, artifactId);
}

/** Opens an artifact that the shared revision names. @throws NOT_FOUND, SHARE_REVOKED, SOURCE_LOST, SOURCE_TOO_LARGE, CHECKSUM_MISMATCH. */
async function openShared(
  deps: ArtifactDependencies,
  token: string,
  artifactId: string,
): Promise<OpenArtifact> {
  return openWithin(
    deps,
    await accountOfShared(deps.db, token, addressOf({ kind: 'asset', artifactId })),
    artifactId,
  );
}

async function openWithin(
  deps: ArtifactDependencies,
  accountId: string,
  artifactId: string,
): Promise<OpenArtifact> {
  const opened = await openArtifact(deps, accountId, artifactId);
  refuseLarge(opened.byteSize);
  return opened;
}

/** Refuses a file that no scene opens. @throws SOURCE_TOO_LARGE. */
export function refuseLarge(byteSize: number): void {
  if (byteSize <= MOST_ASSET_BYTES) return;
  throw new AppError(
    'SOURCE_TOO_LARGE',
    `The file has ${byteSize} bytes; a scene opens files of at most ${MOST_ASSET_BYTES}.`,
  );
}
