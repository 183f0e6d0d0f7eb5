/** Programs of a pack in a folder, and running them; nothing of it says whether the pack counts. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { InstalledPack, PackDefinition, RunProgram } from './pack.ts';
import { isProgram, runProgram } from './run.ts';

/** Place of a pack's programs, before they were run. */
export type Candidate = Pick<InstalledPack, 'variant' | 'source' | 'folder' | 'programs' | 'environment'>;

/** Below a folder, where programs may lie. */
export const PROGRAM_FOLDERS = ['bin', 'usr/bin', '.'];
/** A busy machine takes minutes for what a program computes once, such as tables of physics. */
const PROOF_SECONDS = 300;
/** The exit code of a program whose libraries are not found. */
const LOADER_FAILED = 127;

/** Runs the programs in a folder of their own, because some write where they run. */
export async function proofOf(
  pack: PackDefinition,
  candidate: Candidate,
): Promise<{ readonly version: string }> {
  return inEmptyFolder(async (folder) => pack.prove(runnerOf(candidate, folder), folder, candidate.programs));
}

/** The programs that start: of those that only some builds have, one whose libraries are not on this machine is left out. */
export async function startingPrograms(
  pack: PackDefinition,
  candidate: Candidate,
): Promise<Candidate['programs']> {
  const dead = await Promise.all(
    (pack.optionalPrograms ?? [])
      .filter((name) => candidate.programs[name] !== undefined)
      .map(async (name) => {
        const { exitCode } = await inEmptyFolder(async (folder) => runnerOf(candidate, folder)(name, []));
        return exitCode === LOADER_FAILED ? name : null;
      }),
  );
  return Object.fromEntries(Object.entries(candidate.programs).filter(([name]) => !dead.includes(name)));
}

/** Works in an empty folder that goes afterwards. */
export async function inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-reference-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The programs of a pack in a folder or where programs lie below it; null where they are not all there. */
export async function candidateIn(
  pack: PackDefinition,
  as: Pick<Candidate, 'source' | 'variant'>,
  folder: string,
): Promise<Candidate | null> {
  for (const place of PROGRAM_FOLDERS) {
    const programs = await programsIn(pack, join(folder, place));
    if (programs === null) continue;
    const libraries = pack.libraries.map((path) => join(folder, path)).filter((path) => existsSync(path));
    const environment: Record<string, string> =
      libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(':') };
    return { ...as, folder, programs, environment };
  }
  return null;
}

/** The programs of a pack in this very folder; null where they are not all there. */
export async function programsIn(
  pack: PackDefinition,
  folder: string,
): Promise<Readonly<Record<string, string>> | null> {
  const found = async (names: readonly string[]) => {
    const files = names.map((name) => [name, join(folder, name)] as const);
    const isThere = await Promise.all(files.map(([, file]) => isProgram(file)));
    return files.filter((_, at) => isThere[at]);
  };
  const [programs, optional] = await Promise.all([found(pack.programs), found(pack.optionalPrograms ?? [])]);
  return programs.length < pack.programs.length ? null : Object.fromEntries([...programs, ...optional]);
}

/** Runs the programs of a candidate in a folder. */
export function runnerOf({ programs, environment }: Candidate, folder: string): RunProgram {
  return (program, args, more = {}) => {
    const file = programs[program];
    if (file === undefined) throw new Error(`the pack has no program ${program}`);
    const language = { LANG: 'C', LC_ALL: 'C' };
    return runProgram({
      file,
      args,
      folder,
      timeoutSeconds: PROOF_SECONDS,
      environment: { ...language, ...environment, ...more },
    });
  };
}
