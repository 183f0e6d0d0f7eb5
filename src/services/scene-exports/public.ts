/** The scene alone, for a viewer that reads its data from public addresses. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { withAddresses } from '../../scenes/addresses.ts';
import { addressOf } from '../../scenes/sources.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import { canonicalJson } from '../../tools/canonical.ts';
import { publicAddresses } from '../projects/index.ts';
import type { ProjectDependencies } from '../projects/index.ts';
import type { ExportedFile } from './package.ts';

/** The database with its shares, and the archive of structures. */
export interface PublicDependencies extends ProjectDependencies {
  /** Address of the folder of `{ID}.cif` files. */
  readonly structuresUrl: string;
}

/** A scene that is to be read by anybody. */
export interface PublicScene {
  readonly name: string;
  readonly scene: object;
  readonly sources: readonly SceneSource[];
}

/**
 * Makes the file. Data of an open share has its address there; an entry of the archive that no share names has its address in the archive.
 * @throws EXPORT_NOT_PUBLIC.
 */
export async function makePublicScene(
  deps: PublicDependencies,
  actor: Actor,
  { name, scene, sources }: PublicScene,
): Promise<ExportedFile> {
  const shared = await publicAddresses(deps, actor, sources);
  const addresses = new Map(
    sources.map((source) => [
      addressOf(source),
      shared.get(addressOf(source)) ??
        (source.kind === 'structure'
          ? `${deps.structuresUrl.replace(/\/+$/, '')}/${source.pdbId.toUpperCase()}.cif`
          : null),
    ]),
  );
  const hidden = [...addresses].filter(([, address]) => address === null).map(([own]) => own);
  if (hidden.length > 0)
    throw new AppError(
      'EXPORT_NOT_PUBLIC',
      `No open share names ${hidden.join(', ')}, so a .mvsj would open without that data. Export as .mvsx (format=mvsx), which carries it, or share a revision that names it.`,
    );
  const told = withAddresses(scene, (source, own) => addresses.get(addressOf(source)) ?? own);
  const bytes = Buffer.from(canonicalJson({ ...(typeof told === 'object' ? told : {}) }));
  return {
    name: `${name}.mvsj`,
    mediaType: 'application/json',
    byteSize: bytes.byteLength,
    digest: createHash('sha256').update(bytes).digest('hex'),
    lost: [],
    read: () => Readable.from([bytes]),
    close: async () => undefined,
  };
}
