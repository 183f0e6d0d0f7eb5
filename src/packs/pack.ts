/**
 * Packs: programs of others that a tool runs, pinned by version and SHA-256. A tool declares its pack as data; this folder finds,
 * proves, installs, verifies and removes packs, and knows no tool.
 */

/** A pack as its tool declares it. Two tools that share a pack name the same object. */
export interface PackDefinition {
  /** The name in commands, in the cache and, in capitals, in the variable `DOCKYARD_PACK_<NAME>`. */
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly licence: { readonly name: string; readonly url: string };
  /** The programs that must be there and run. */
  readonly programs: readonly string[];
  /** Further programs that only some builds have, and that a session runs where they are there; absent: none. */
  readonly optionalPrograms?: readonly string[];
  /** Folders of shared libraries below the pack; those that exist are given to the programs as LD_LIBRARY_PATH. */
  readonly libraries: readonly string[];
  /** The locked packages of the pack's Python environment, as a path below the repository; null for none. */
  readonly pythonLock: string | null;
  /** Way of installing the pack; null for programs that are in no registry of packages: a site brings its own. */
  readonly way: DebianWay | PythonWay | null;
  /**
   * Runs the programs, which work in the folder; it is empty, and goes afterwards. `programs` has their paths.
   * @returns the version that the programs name.
   * @throws Error that says why the programs cannot be used.
   */
  readonly prove: (
    run: RunProgram,
    folder: string,
    programs: Readonly<Record<string, string>>,
  ) => Promise<{ readonly version: string }>;
  /**
   * Whether a folder below the one that the variable names may hold a build of its own, a variant by the name of the folder; absent: it
   * may not. Versions lie side by side in the same way.
   */
  readonly hasVariants?: true;
  /** Other versions that lie beside this one, by the names of their variants: each is a pack that is installed by its own name. Absent: none. */
  readonly versions?: Readonly<Record<string, PackDefinition>>;
  /**
   * The program that a site may bring in the place of a Python environment: a pack without a way, of the same name for all versions, whose
   * version is the name of the folder in which it may lie. Absent: none.
   */
  readonly ofSite?: PackDefinition;
  /** A case with a known answer, by which a program that others have built is proven when it is found; absent: none. */
  readonly reference?: ReferenceCase;
}

/** A case whose answer is known. */
export interface ReferenceCase {
  /** The programs in their order with their arguments; they run in an empty folder that has copies of the files by their own names. */
  readonly runs: readonly { readonly program: string; readonly args: readonly string[] }[];
  /** The files that the programs read. */
  readonly files: readonly URL[];
  /** Compares what the programs left in the folder. @throws Error that says in what the answer differs. */
  readonly judge: (folder: string) => Promise<void>;
}

/**
 * The locked packages of the pack's own Python environment, from the Python index. The pack has no other programs than the environment's
 * interpreter, which is never looked for on PATH.
 */
export interface PythonWay {
  /** The version of the interpreter, such as `3.11`. */
  readonly interpreter: string;
  /** The bytes that an install fetches. */
  readonly downloadBytes: number;
}

/** A program runs, and is of another version than the one that is looked for, so it stands for that one alone. */
export class OtherVersionError extends Error {}

/** The name of the interpreter among the programs of a pack that is a Python environment. */
export const PYTHON = 'python';

/** Exact files that the system's own package manager fetches and that are unpacked without root. */
export interface DebianWay {
  readonly packages: readonly DebianPackage[];
  /** The packages that the system itself must have, because the programs need their libraries. */
  readonly systemPackages: readonly string[];
  /** Folders that are left out. */
  readonly leftOut: readonly string[];
}

/** One package file. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** End of a program. */
export interface ProgramRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the pack. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<ProgramRun>;

/** A pack that is on this machine and was run. */
export interface InstalledPack {
  readonly name: string;
  /** The variant of its programs; null for those of the folder itself, of PATH and of the cache. */
  readonly variant: string | null;
  readonly version: string;
  /** SHA-256 over the digests of all files of the pack, or of its programs alone when others installed them. */
  readonly digest: string;
  readonly source: 'variable' | 'path' | 'cache';
  readonly folder: string;
  /** Absolute paths by program name. */
  readonly programs: Readonly<Record<string, string>>;
  /** The variables that each program of the pack needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** The interpreter of the pack's Python environment; null when the pack has none. */
  readonly python: string | null;
}

/** A look at this machine for a pack. */
export type FoundPack =
  | { readonly pack: InstalledPack; readonly problem: null }
  | { readonly pack: null; readonly problem: PackFault };

/** A look at this machine for one build of a pack. */
export interface FoundBuild {
  readonly variant: string | null;
  readonly found: FoundPack;
}

/** Names of variants, which are folders. */
export const VARIANT_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** Why a pack cannot be used: it is nowhere, it is not as it was installed, or its programs do not run. */
export interface PackFault {
  readonly kind: 'absent' | 'damaged' | 'unusable';
  readonly message: string;
}

/** Places in which packs are looked for. */
export interface PackPlaces {
  /** The folder of all installed packs of this user. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Listener to the progress of an install. */
export interface PackProgress {
  /** A new step, in words. */
  step(text: string): void;
  /** How far the step is; the total is null when it is not known. */
  bytes(done: number, total: number | null): void;
  /** A detail of the present step. */
  detail(text: string): void;
}

const PACK_VARIABLES = 'DOCKYARD_PACK_';

/** The variable that names a folder with a folder for each pack that a site brings, by the pack's name. */
export const PACKS_FROM = 'DOCKYARD_PACKS_FROM';

/** The variable that names the folder in which the programs of a pack lie. */
export function packVariableOf(name: string): string {
  return `${PACK_VARIABLES}${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Whether a variable tells where packs are. */
export function isPackVariable(name: string): boolean {
  return name.startsWith(PACK_VARIABLES) || name === PACKS_FROM;
}

/** The variable in which a session finds its pack, as JSON; nothing is ever looked for on PATH by a session. */
export const SESSION_PACK = 'DOCKYARD_PACK';

/** The environment by which a session knows its pack: programs and their variables, all absolute. */
export function sessionEnvironmentOf(pack: InstalledPack): Readonly<Record<string, string>> {
  const { name, variant, version, digest, source, programs, environment } = pack;
  return {
    [SESSION_PACK]: JSON.stringify({ name, variant, version, digest, source, programs, environment }),
  };
}
