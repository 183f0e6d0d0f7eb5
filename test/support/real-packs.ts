/**
 * The packs that tests run for real, in the cache of this user, so that one install serves every later run. A pack that
 * cannot be had here is named together with the reason, and its tests are counted as not run; nothing stands in for it.
 */
import { packsFolder } from '../../src/packs/cache.ts';
import { findBuilds } from '../../src/packs/find.ts';
import { installPack } from '../../src/packs/install.ts';
import type { InstalledPack, PackDefinition, PackPlaces } from '../../src/packs/pack.ts';
import { PackMissingError } from '../../src/packs/problems.ts';

/** Places of this user's packs. */
export const REAL_PLACES: PackPlaces = {
  folder: packsFolder(process.env),
  environment: process.env,
};

/** Installs a pack unless it is there. @returns null where the machine cannot have it, after saying why. */
export async function realPack(pack: PackDefinition): Promise<InstalledPack | null> {
  const none = (): void => undefined;
  try {
    const progress = { step: none, bytes: none, detail: none };
    return (await installPack(pack, { ...REAL_PLACES, progress })).pack;
  } catch (error) {
    if (!(error instanceof PackMissingError)) throw error;
    return notRun(pack, `${error.message}: ${error.reasons.join('; ')}`);
  }
}

/** Finds a build of a pack that sites bring: the one without a name, else the first variant. @returns null as `realPack` does. */
export async function realBuild(pack: PackDefinition): Promise<InstalledPack | null> {
  const builds = await findBuilds(pack, REAL_PLACES);
  const [first] = builds.flatMap(({ found }) => found.pack ?? []);
  return first ?? notRun(pack, builds[0]?.found.problem?.message ?? 'nothing was found');
}

function notRun({ name }: PackDefinition, why: string): null {
  process.stderr.write(`not run: tests of the pack ${name}: ${why}\n`);
  return null;
}
