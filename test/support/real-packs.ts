/**
 * The packs that tests run for real, in the cache of this user, so that one install serves every later run. A pack that
 * cannot be had here is named together with the reason, and its tests are counted as not run; nothing stands in for it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { packsFolder } from '../../src/packs/cache.ts';
import { installPack } from '../../src/packs/install.ts';
import type { InstalledPack, PackDefinition, PackPlaces } from '../../src/packs/pack.ts';
import { PackMissingError } from '../../src/packs/problems.ts';

/** Where packs of this user are. */
export const REAL_PLACES: PackPlaces = {
  folder: packsFolder(process.env),
  environment: process.env,
};

/** The archive of a pack's sources: in the folder of DOCKYARD_SOURCES, or beside the checkout; null where it is not. */
export function sourcesOf({ ways }: PackDefinition): string | null {
  const beside = join(import.meta.dirname, '..', '..', '..', 'shared', 'sources');
  const folder = process.env['DOCKYARD_SOURCES'] ?? beside;
  for (const way of ways) {
    if (way.kind === 'source' && existsSync(join(folder, way.archive.file)))
      return join(folder, way.archive.file);
  }
  return null;
}

/** Installs a pack unless it is there. @returns null where the machine cannot have it, after saying why. */
export async function realPack(pack: PackDefinition): Promise<InstalledPack | null> {
  const none = (): void => undefined;
  const from = sourcesOf(pack);
  // Tests reach for no address: sources come from a folder, packages from the system's own package manager.
  if (from === null && pack.ways.every(({ kind }) => kind === 'source')) {
    process.stderr.write(
      `not run: tests of the pack ${pack.name}: its sources are not in DOCKYARD_SOURCES\n`,
    );
    return null;
  }
  try {
    const progress = { step: none, bytes: none, detail: none };
    return (await installPack(pack, { ...REAL_PLACES, from: from ?? undefined, progress })).pack;
  } catch (error) {
    if (!(error instanceof PackMissingError)) throw error;
    process.stderr.write(
      `not run: tests of the pack ${pack.name}: ${error.message}: ${error.reasons.join('; ')}\n`,
    );
    return null;
  }
}
