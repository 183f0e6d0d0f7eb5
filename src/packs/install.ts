/**
 * Installs, verifies and removes packs. An install works in a folder of its own below the pack's lock and puts the pack
 * in place by one rename, so an install that is killed leaves nothing that counts; the next one sweeps its folder.
 */
import { mkdir, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import {
  cachedFolder,
  cachedPacks,
  damageOf,
  openWorkFolder,
  placePack,
  removeFolder,
  sweep,
  withPackLock,
} from './cache.ts';
import { installFromDebian } from './debian.ts';
import { findBuilds, findPack, provePack, provePython } from './find.ts';
import { packVariableOf } from './pack.ts';
import type {
  FoundPack,
  InstalledPack,
  PackDefinition,
  PackPlaces,
  PackProgress,
  DebianWay,
} from './pack.ts';
import { PackMissingError, PackRefusedError, textOf } from './problems.ts';
import { ensurePython, pythonOf } from './python.ts';
import { damageOfEnvironment, environmentOf, isPythonPack } from './python-pack.ts';
import type { PythonPack } from './python-pack.ts';
import type { InstallOptions } from './way.ts';

/** The one system that packs are pinned for. */
const SYSTEM = 'linux-x64';

/** Result of an install. */
export interface InstallResult {
  readonly pack: InstalledPack;
  /** False when the pack was there already. */
  readonly isNew: boolean;
}

/**
 * Makes sure that a pack is there and works.
 * @throws PackMissingError when the machine lacks something, PackRefusedError when files are not the pinned ones.
 */
export async function installPack(pack: PackDefinition, options: InstallOptions): Promise<InstallResult> {
  const { folder, progress, signal, from } = options;
  if (from !== undefined) await expectThere(from);
  await mkdir(folder, { recursive: true });
  const onWait = (): void => progress.step('another install is at work on the pack; waiting for it');
  return withPackLock(folder, pack.name, onWait, signal, async () => {
    await sweep(folder, pack.name);
    if (isPythonPack(pack)) return installPython(pack, options);
    if (pack.pythonLock !== null) await ensurePython(pack, options);
    const found = await findAny(pack, options);
    const isWanted = from !== undefined && found.pack?.source !== 'cache';
    if (found.pack !== null && !isWanted) return { pack: found.pack, isNew: false };
    if (found.pack === null && found.problem.kind === 'unusable') progress.detail(found.problem.message);
    await makePack(pack, options);
    const made = await findPack(pack, options);
    if (made.pack === null) {
      throw new PackMissingError(made.problem.message, `dockyard tools list`, [made.problem.message]);
    }
    return { pack: made.pack, isNew: true };
  });
}

/** Finds a pack; where a site has variants of it alone, the first of them. */
async function findAny(pack: PackDefinition, options: InstallOptions): Promise<FoundPack> {
  const found = await findPack(pack, options);
  if (found.pack !== null || pack.hasVariants !== true) return found;
  const builds = await findBuilds(pack, options);
  return builds.find((build) => build.found.pack !== null)?.found ?? found;
}

/** Makes the environment of a pack that is nothing else. @throws PackMissingError, PackRefusedError. */
async function installPython(pack: PythonPack, options: InstallOptions): Promise<InstallResult> {
  if (options.from !== undefined) {
    const message = `${pack.title} comes from the Python index alone; leave --from out, and name a mirror in the settings of pip`;
    throw new PackRefusedError(message);
  }
  const own = (await findPack(pack, options)).pack;
  if (own !== null && own.source === 'variable') return { pack: own, isNew: false };
  const isNew = (await pythonOf(pack, options.environment)) === null;
  await ensurePython(pack, options);
  options.progress.step('running what was installed');
  const { pack: found, problem } = await findPack(pack, options);
  if (found !== null) return { pack: found, isNew };
  throw new PackMissingError(pack.title, `dockyard tools remove ${pack.name}`, [problem.message]);
}

/** The judgement of one installed pack. */
export interface VerifyResult {
  readonly name: string;
  /** The variant of the programs; null for those without one. */
  readonly variant: string | null;
  readonly version: string;
  readonly folder: string;
  readonly digest: string | null;
  /** Null when every file is as installed and the programs run. */
  readonly problem: string | null;
}

/** Reads the files of an installed pack again and runs its programs. */
export async function verifyPack(pack: PackDefinition, places: PackPlaces): Promise<readonly VerifyResult[]> {
  const results: VerifyResult[] = [];
  const { name, version } = pack;
  if (isPythonPack(pack)) return verifyPython(pack, places);
  for (const cached of await cachedPacks(places.folder, pack)) {
    const digest = cached.record?.digest ?? null;
    const damage = await damageOf(cached);
    const problem = damage ?? (await provePack(pack, cached.folder).then(() => null, textOf));
    results.push({ name, variant: null, version, folder: cached.folder, digest, problem });
  }
  if (results.length > 0) return results;
  return (await findBuilds(pack, places)).flatMap(({ variant, found }): VerifyResult[] => {
    if (found.pack !== null) return [{ ...found.pack, problem: null }];
    const { kind, message } = found.problem;
    return kind === 'absent' ? [] : [{ name, variant, version, folder: '', digest: null, problem: message }];
  });
}

/** Reads every file of an environment again, unless a site's own program stands in its place. */
async function verifyPython(pack: PythonPack, places: PackPlaces): Promise<readonly VerifyResult[]> {
  const { name, version } = pack;
  const [inUse, found] = [await findPack(pack, places), await environmentOf(pack, places)];
  const isEnvironment =
    inUse.pack === null ? inUse.problem.kind === 'damaged' : inUse.pack.source === 'cache';
  if (found !== null && isEnvironment) {
    const { folder, digest } = found;
    const problem = (await damageOfEnvironment(pack, found, 'bytes')) ?? (await provePython(pack, found));
    return [{ name, variant: null, version, folder, digest, problem }];
  }
  if (inUse.pack !== null) return [{ ...inUse.pack, problem: null }];
  const { kind, message } = inUse.problem;
  return kind === 'absent'
    ? []
    : [{ name, variant: null, version, folder: '', digest: null, problem: message }];
}

/** Removes every installed version of a pack. @returns the folders that were removed. */
export async function removePack(
  pack: PackDefinition,
  { folder, environment }: PackPlaces,
  progress: PackProgress,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const onWait = (): void => progress.step('an install is at work on the pack; waiting for it');
  return withPackLock(folder, pack.name, onWait, undefined, async () => {
    await sweep(folder, pack.name);
    const found = isPythonPack(pack)
      ? [await environmentOf(pack, { environment })].filter((one) => one !== null)
      : await cachedPacks(folder, pack);
    const work = await openWorkFolder(folder, pack.name);
    // A pack is gone at once: a reader never sees a half of it.
    for (const [index, cached] of found.entries()) await rename(cached.folder, join(work, String(index)));
    await removeFolder(work);
    return found.map((one) => one.folder);
  });
}

/** Makes the pack by its way. @throws PackMissingError where there is none, or this machine lacks what the way needs. */
async function makePack(pack: PackDefinition, options: InstallOptions): Promise<void> {
  const title = `${pack.title} ${pack.version}`;
  const own = `an own ${pack.title} on PATH, or its folder in ${packVariableOf(pack.name)}`;
  const here = `${process.platform}-${process.arch}`;
  if (pack.way === null || !('packages' in pack.way)) {
    const reason =
      'no registry of packages that is pinned here has it, so each site brings its own (docs/packs.md)';
    throw new PackMissingError(title, own, [reason]);
  }
  if (here !== SYSTEM) {
    const reason = `the pack is pinned for ${SYSTEM}, this machine is ${here}`;
    throw new PackMissingError(title, `a ${SYSTEM} machine, or ${own}`, [reason]);
  }
  try {
    await makeBy(pack.way, pack, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof PackRefusedError) throw error;
    options.progress.detail(textOf(error));
    if (error instanceof PackMissingError) throw new PackMissingError(title, error.command, error.reasons);
    throw new PackMissingError(title, `dockyard tools install ${pack.name} --from FILE`, [textOf(error)]);
  }
}

async function makeBy(way: DebianWay, pack: PackDefinition, options: InstallOptions): Promise<void> {
  const { folder, environment, progress, signal, from } = options;
  const work = await openWorkFolder(folder, pack.name);
  try {
    const made = join(work, 'made');
    await mkdir(made);
    await installFromDebian(way, {
      pack,
      work,
      made,
      environment,
      progress,
      signal,
      from: from === undefined ? null : resolve(from),
    });
    progress.step('running what was installed');
    await provePack(pack, made).catch((error: unknown) => {
      throw missingLibrary(way, error);
    });
    const { name, version } = pack;
    await placePack(made, cachedFolder(folder, pack), { name, version });
  } finally {
    await removeFolder(work);
  }
}

/** Programs that lack a library of the system say so; the packages that bring it are known. */
function missingLibrary(way: DebianWay, error: unknown): unknown {
  if (!/shared librar|not found/.test(textOf(error))) return error;
  const command = `\`apt-get install ${way.systemPackages.join(' ')}\``;
  return new PackMissingError('a library of the system', command, [textOf(error)]);
}

async function expectThere(from: string): Promise<void> {
  await stat(from).catch(() => {
    throw new PackRefusedError(`--from names ${from}, which is not there`);
  });
}
