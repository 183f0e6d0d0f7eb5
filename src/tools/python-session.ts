/**
 * Command that starts a process of a tool's Python side: with one thread, with modules from the packages of `science/` that the
 * tool names, and with the locked libraries of the tool's own interpreter.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { SessionCommand } from './tool.ts';
import { SCIENCE_FOLDER } from './toolchain.ts';

export interface PythonOptions {
  /** The interpreter of the environment that the set-up made from the tool's lock. */
  readonly python: string;
  /** The folders of `science/` whose packages the process may import. */
  readonly packages: readonly string[];
  /** Further variables of the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further files that the process reads. */
  readonly reads?: readonly string[];
}

/**
 * A task gets one core, so a library must not start more threads: they would take the cores of neighbouring tasks.
 */
const ONE_THREAD = ['OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS'];

/** The value of PYTHONPATH with which these packages can be imported. */
export function pythonPath(packages: readonly string[]): string {
  return packages.map((folder) => `${SCIENCE_FOLDER}/${folder}/src`).join(':');
}

/** The command of a session: `tool` is the module that opens the tool (see science/README.md). */
export function pythonSession(options: PythonOptions, tool: string): SessionCommand {
  return pythonCommand(options, 'dockyard_session', '--tool', tool);
}

/** The command of a module that is a program. */
export function pythonCommand(
  { python, packages, env, reads = [] }: PythonOptions,
  module: string,
  ...args: readonly string[]
): SessionCommand {
  const own = surroundingsOf(packages);
  return {
    file: python,
    args: ['-m', module, ...args],
    env: { ...own.env, ...env },
    reads: [...pythonFolders(python), ...own.reads, ...reads],
  };
}

/** The variables and the files of a process that imports these packages, whatever runs its Python. */
export function surroundingsOf(packages: readonly string[]): Pick<SessionCommand, 'env' | 'reads'> {
  return {
    env: {
      ...Object.fromEntries(ONE_THREAD.map((name) => [name, '1'])),
      PYTHONPATH: pythonPath(packages),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONHASHSEED: '0',
      PYTHONSAFEPATH: '1',
      PYTHONNOUSERSITE: '1',
    },
    reads: packages.map((folder) => join(SCIENCE_FOLDER, folder)),
  };
}

/**
 * The folders of an interpreter: its virtual environment, the Python that the environment was made from, and where that
 * one really lies, each one above the folder of its programs.
 */
export function pythonFolders(python: string): readonly string[] {
  if (!existsSync(python)) return [];
  const environment = dirname(dirname(python));
  const configuration = join(environment, 'pyvenv.cfg');
  const home = existsSync(configuration)
    ? /^home *= *(.+)$/m.exec(readFileSync(configuration, 'utf8'))?.[1]?.trim()
    : undefined;
  const base = home === undefined ? [] : [dirname(home)];
  return [environment, ...base, dirname(dirname(realpathSync(python)))];
}
