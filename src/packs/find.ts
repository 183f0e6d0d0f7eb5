/**
 * Looks for a pack on this machine: a folder that a variable names, programs on PATH, the cache. A pack that is found was run. A
 * variable that names no working pack is a fault, never a reason to look further; programs on PATH that do not run are passed
 * over.
 */
import { existsSync } from 'node:fs';
import { copyFile, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { cachedPacks, damageOf, signatureOf } from './cache.ts';
import type { CachedPack } from './cache.ts';
import {
  candidateIn,
  inEmptyFolder,
  PROGRAM_FOLDERS,
  programsIn,
  proofOf,
  runnerOf,
  startingPrograms,
} from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { describeFiles, digestOfFiles } from './digest.ts';
import { OtherVersionError, PACKS_FROM, packVariableOf, PYTHON, VARIANT_NAME } from './pack.ts';
import type { FoundBuild, FoundPack, InstalledPack, PackDefinition, PackPlaces } from './pack.ts';
import { textOf } from './problems.ts';
import { pythonOf } from './python.ts';
import { damageOfEnvironment, environmentOf, isProven, isPythonPack, noteProof } from './python-pack.ts';
import type { PythonEnvironment, PythonPack } from './python-pack.ts';
import { complaintOf, foldersOf } from './run.ts';

const CACHED = { source: 'cache', variant: null } as const;

/**
 * Looks for a pack and runs its programs once. Files of the cache are read again, so that no damage is missed; a process
 * whose host has done that passes `isKnownGood`, and then the sizes of the files are looked at alone. A variant lies in the
 * folder of its name below the one that the variable names, and nowhere else.
 */
export async function findPack(
  pack: PackDefinition,
  places: PackPlaces,
  {
    isKnownGood = false,
    variant = null,
  }: { readonly isKnownGood?: boolean; readonly variant?: string | null } = {},
): Promise<FoundPack> {
  if (variant !== null && pack.versions !== undefined) return findVersion(pack, places, variant, isKnownGood);
  if (isPythonPack(pack)) return findPythonOrOwn(pack, places, isKnownGood);
  const given = givenFolder(pack, places);
  if (given !== null) return findInVariable(pack, places, { variant, folder: given }, isKnownGood);
  if (variant !== null) {
    const message = `The pack ${pack.name} has no variant ${variant} here: ${packVariableOf(pack.name)} names no folder.`;
    return { pack: null, problem: { kind: 'absent', message } };
  }
  const faults: FoundPack[] = [];
  const onPath = await findOnPath(pack, places, isKnownGood);
  if (onPath?.pack != null) return onPath;
  for (const cached of await cachedPacks(places.folder, pack)) {
    const found = await judgeCached(pack, places, cached, isKnownGood);
    if (found.pack !== null) return found;
    faults.push(found);
  }
  if (onPath !== null) faults.push(onPath);
  return faults[0] ?? { pack: null, problem: { kind: 'absent', message: absenceOf(pack) } };
}

/** Says how a pack that is not there can be had. */
function absenceOf({ name, way }: PackDefinition): string {
  return way === null
    ? `The pack ${name} is not here: each site brings its own programs, and ${packVariableOf(name)} names their folder (docs/packs.md)`
    : `The pack ${name} is not installed: dockyard tools install ${name}`;
}

/** Looks for another version of a pack, which is a pack of its own. */
async function findVersion(
  { name, versions = {} }: PackDefinition,
  places: PackPlaces,
  variant: string,
  isKnownGood: boolean,
): Promise<FoundPack> {
  const own = versions[variant];
  if (own === undefined)
    return {
      pack: null,
      problem: { kind: 'absent', message: `The pack ${name} has no version ${variant}.` },
    };
  const found = await findPack(own, places, { isKnownGood });
  return found.pack === null ? found : { pack: { ...found.pack, variant }, problem: null };
}

/**
 * Looks for a pack that is a Python environment, or the site's own program in its place: the program that the variable names comes first, and
 * one on PATH counts where there is no environment.
 */
async function findPythonOrOwn(
  pack: PythonPack,
  places: PackPlaces,
  isKnownGood: boolean,
): Promise<FoundPack> {
  const { name, ofSite: own } = pack;
  const named = (found: FoundPack): FoundPack =>
    found.pack === null ? found : { pack: { ...found.pack, name }, problem: null };
  const given = own === undefined ? null : await findOwnInVariable(own, places);
  if (given !== null) return named(given);
  const found = await findPython(pack, places, isKnownGood);
  if (own === undefined || found.problem?.kind !== 'absent' || givenFolder(own, places) !== null)
    return found;
  return named((await findOnPath(own, places, isKnownGood)) ?? found);
}

/** The site's own program of this version below the folder that the variable names; null where that has none of the version. */
async function findOwnInVariable(own: PackDefinition, places: PackPlaces): Promise<FoundPack | null> {
  for (const folder of ownFolders(own, places)) {
    const candidate = await candidateIn(own, { source: 'variable', variant: null }, folder);
    if (candidate === null) continue;
    try {
      return { pack: await foreignPack(own, places, candidate), problem: null };
    } catch (error) {
      const isElsewhere = error instanceof OtherVersionError && basename(folder) !== own.version;
      if (!isElsewhere) return unusable(own, folder, textOf(error));
    }
  }
  return null;
}

/** The folders below that of the variable in which a site's own program of a version may lie; none where no variable names one. */
function ownFolders(own: PackDefinition, places: PackPlaces): readonly string[] {
  const given = givenFolder(own, places);
  return given === null ? [] : [join(given, own.version), given];
}

/** Looks for a pack that is a Python environment; the files are compared by their sizes, and the programs run once. */
async function findPython(pack: PythonPack, places: PackPlaces, isKnownGood: boolean): Promise<FoundPack> {
  const found = await environmentOf(pack, places);
  if (found === null) {
    return { pack: null, problem: { kind: 'absent', message: absenceOf(pack) } };
  }
  if (!isKnownGood) {
    const damage = await damageOfEnvironment(pack, found, 'sizes');
    if (damage !== null) return damagedPython(pack, found, damage);
    if (!(await isProven(found))) {
      const fault = await provePython(pack, found);
      if (fault !== null) return unusable(pack, found.folder, fault);
    }
  }
  const { name, version } = pack;
  const { digest, python } = found;
  return { pack: { name, version, digest, python, ...pythonCandidate(found) }, problem: null };
}

/** Runs the programs of a Python environment, and notes that they run; answers why they do not, or null. */
export async function provePython(pack: PythonPack, found: PythonEnvironment): Promise<string | null> {
  try {
    const { version } = await proofOf(pack, pythonCandidate(found));
    if (version !== pack.version) return `it is ${version}, and ${pack.version} is pinned`;
    await noteProof(found);
    return null;
  } catch (error) {
    return textOf(error);
  }
}

function pythonCandidate({ folder, python }: PythonEnvironment): Candidate {
  return { ...CACHED, folder, programs: { [PYTHON]: python }, environment: {} };
}

function damagedPython(pack: PackDefinition, { folder }: PythonEnvironment, damage: string): FoundPack {
  const message = `The pack ${pack.name} at ${folder} is damaged: ${damage}. dockyard tools remove ${pack.name}, then install, makes it anew`;
  return { pack: null, problem: { kind: 'damaged', message } };
}

/** Looks for every build of a pack: its variants, and the programs themselves where they are found or nothing else is. */
export async function findBuilds(pack: PackDefinition, places: PackPlaces): Promise<readonly FoundBuild[]> {
  const builds: FoundBuild[] = [];
  for (const variant of await variantsOf(pack, places)) {
    builds.push({ variant, found: await findPack(pack, places, { variant }) });
  }
  for (const variant of Object.keys(pack.versions ?? {})) {
    const found = await findPack(pack, places, { variant });
    if (found.problem?.kind !== 'absent') builds.push({ variant, found });
  }
  const found = await findPack(pack, places);
  return found.pack === null && builds.length > 0 ? builds : [{ variant: null, found }, ...builds];
}

/** Names the folders below that of the variable in which the programs of a pack with variants lie. */
async function variantsOf(pack: PackDefinition, places: PackPlaces): Promise<readonly string[]> {
  const given = givenFolder(pack, places);
  if (pack.hasVariants !== true || given === null) return [];
  const names = (await readdir(given).catch(() => [])).filter(
    (name) => VARIANT_NAME.test(name) && !PROGRAM_FOLDERS.includes(name),
  );
  const candidates = await Promise.all(
    names.map((name) => candidateIn(pack, { source: 'variable', variant: name }, join(given, name))),
  );
  return names.filter((_, index) => candidates[index] !== null).sort();
}

/** The folder that the variable of a pack names, or that has its name in the folder of all packs of the site; null for none. */
function givenFolder({ name }: PackDefinition, { environment }: PackPlaces): string | null {
  const [given, all] = [environment[packVariableOf(name)], environment[PACKS_FROM]];
  if (given !== undefined && given !== '') return given;
  if (all === undefined || all === '') return null;
  const folder = join(all, name);
  return existsSync(folder) ? folder : null;
}

/** Judges an installed pack of the cache: its files are as installed, its Python is there, its programs run. */
async function judgeCached(
  pack: PackDefinition,
  places: PackPlaces,
  cached: CachedPack,
  isKnownGood: boolean,
): Promise<FoundPack> {
  const again = `dockyard tools install ${pack.name} makes it anew`;
  const damage = isKnownGood ? await missingOf(cached) : await damageOf(cached);
  if (damage !== null || cached.record === null) {
    const message = `The pack ${pack.name} at ${cached.folder} is damaged: ${damage ?? 'it has no record'}. ${again}`;
    return { pack: null, problem: { kind: 'damaged', message } };
  }
  const python = await pythonOf(pack, places.environment);
  if (pack.pythonLock !== null && python === null) {
    const message = `The pack ${pack.name} lacks the Python packages of ${pack.pythonLock}: ${again}`;
    return { pack: null, problem: { kind: 'damaged', message } };
  }
  const candidate = await candidateIn(pack, CACHED, cached.folder);
  if (candidate === null) return unusable(pack, cached.folder, 'a program is missing');
  try {
    if (!isKnownGood) await proofOf(pack, candidate);
  } catch (error) {
    return unusable(pack, cached.folder, textOf(error));
  }
  const { name, version } = pack;
  return { pack: { name, version, digest: cached.record.digest, python, ...candidate }, problem: null };
}

async function missingOf(cached: CachedPack): Promise<string | null> {
  return (await signatureOf(cached)) === null ? 'a file is missing or has another size' : null;
}

/** Runs the programs of a pack that is being made. @throws Error that says why they cannot be used. */
export async function provePack(pack: PackDefinition, folder: string): Promise<void> {
  const candidate = await candidateIn(pack, CACHED, folder);
  if (candidate === null) throw new Error(`${pack.programs.join(', ')}: not all of them were made`);
  await proofOf(pack, candidate);
}

async function findInVariable(
  pack: PackDefinition,
  places: PackPlaces,
  of: { readonly variant: string | null; readonly folder: string },
  isKnownGood: boolean,
): Promise<FoundPack> {
  const { variant } = of;
  const folder = variant === null ? of.folder : join(of.folder, variant);
  const candidate = await candidateIn(pack, { source: 'variable', variant }, folder);
  if (candidate === null) {
    const own = packVariableOf(pack.name);
    const variable = (places.environment[own] ?? '') === '' ? PACKS_FROM : own;
    const message = `${variable} names ${folder}, where ${pack.programs.join(', ')} are not all there. Unset ${variable} or name another folder.`;
    return { pack: null, problem: { kind: 'unusable', message } };
  }
  try {
    const found = await foreignPack(pack, places, candidate);
    if (!isKnownGood) await provenByReference(pack, candidate);
    return { pack: found, problem: null };
  } catch (error) {
    return unusable(pack, folder, textOf(error));
  }
}

/** The pack on PATH; else the first one there that runs and gives a wrong answer to its reference case; else null. */
async function findOnPath(
  pack: PackDefinition,
  places: PackPlaces,
  isKnownGood: boolean,
): Promise<FoundPack | null> {
  let wrong: FoundPack | null = null;
  for (const folder of foldersOf(places.environment['PATH'])) {
    const programs = await programsIn(pack, folder);
    if (programs === null) continue;
    const candidate = { source: 'path', variant: null, folder, programs, environment: {} } as const;
    const found = await foreignPack(pack, places, candidate).catch(() => null);
    if (found === null) continue;
    try {
      if (!isKnownGood) await provenByReference(pack, candidate);
      return { pack: found, problem: null };
    } catch (error) {
      wrong ??= unusable(pack, folder, textOf(error));
    }
  }
  return wrong;
}

/** Runs the reference case of a program that others have built. @throws Error that says in what its answer is wrong. */
async function provenByReference({ reference }: PackDefinition, candidate: Candidate): Promise<void> {
  if (reference === undefined) return;
  await inEmptyFolder(async (folder) => {
    for (const file of reference.files) await copyFile(file, join(folder, basename(file.pathname)));
    for (const { program, args } of reference.runs) {
      const run = await runnerOf(candidate, folder)(program, args);
      if (run.exitCode !== 0)
        throw new Error(
          `its reference case ended with exit code ${String(run.exitCode)}: ${complaintOf(run)}`,
        );
    }
    await reference.judge(folder);
  });
}

/** A pack that others have installed: its version is what its programs say, its digest is over its programs. */
async function foreignPack(
  pack: PackDefinition,
  places: PackPlaces,
  candidate: Candidate,
): Promise<InstalledPack> {
  const { version } = await proofOf(pack, candidate);
  const python = await pythonOf(pack, places.environment);
  if (pack.pythonLock !== null && python === null) {
    throw new Error(
      `the Python packages of ${pack.pythonLock} are missing: dockyard tools install ${pack.name}`,
    );
  }
  const programs = await startingPrograms(pack, candidate);
  const files = [];
  for (const file of Object.values(programs)) {
    const real = await realpath(file);
    const [described] = await describeFiles(dirname(real), [real.slice(dirname(real).length + 1)]);
    if (described !== undefined) files.push(described);
  }
  return { name: pack.name, version, digest: digestOfFiles(files), python, ...candidate, programs };
}

function unusable(pack: PackDefinition, folder: string, reason: string): FoundPack {
  const message = `The programs of the pack ${pack.name} at ${folder} cannot be used: ${reason}`;
  return { pack: null, problem: { kind: 'unusable', message } };
}

/**
 * A text that changes when the pack that `findPack` finds may have changed. The text costs a look at every file of the pack
 * and of what PATH and the variable name, and no process.
 */
export async function glanceAt(pack: PackDefinition, places: PackPlaces): Promise<string> {
  const versions = await Promise.all(
    Object.values(pack.versions ?? {}).map((version) => glanceAt(version, places)),
  );
  if (isPythonPack(pack)) {
    const own = pack.ofSite === undefined ? [] : [await glanceAt(pack.ofSite, places)];
    return JSON.stringify([await environmentOf(pack, places), ...own, ...versions]);
  }
  const given = givenFolder(pack, places);
  const variants = await variantsOf(pack, places);
  const folders =
    given === null
      ? foldersOf(places.environment['PATH'])
      : // A site's own program may lie in the folder of its version.
        [given, ...[pack.version, ...variants].map((name) => join(given, name))].flatMap((folder) =>
          PROGRAM_FOLDERS.map((place) => join(folder, place)),
        );
  const names = [...pack.programs, ...(pack.optionalPrograms ?? [])];
  const programs = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const [facts, cached, python] = await Promise.all([
    Promise.all(programs.map(async (file) => describeOf(file))),
    cachedPacks(places.folder, pack),
    pythonOf(pack, places.environment),
  ]);
  const signatures = await Promise.all(cached.map(signatureOf));
  return JSON.stringify([given, facts.filter((text) => text !== null), signatures, python, ...versions]);
}

async function describeOf(file: string): Promise<string | null> {
  const facts = await stat(file).catch(() => null);
  return facts === null ? null : `${file} ${facts.size} ${facts.mtimeMs} ${facts.mode}`;
}
