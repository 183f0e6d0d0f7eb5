/**
 * The Python environment of a pack: one virtual environment per locked list of packages, in the per-user cache, made by
 * the set-up and shared by every checkout with the same list. An environment counts once its `.complete` file is there.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pythonsFolder } from './cache.ts';
import type { PackDefinition } from './pack.ts';
import type { InstallOptions } from './way.ts';
import { PackMissingError } from './problems.ts';
import { complaintOf, isProgram, runProgram } from './run.ts';

const INSTALL_SECONDS = 1_800;
/** Prefix of the line in which the set-up names the command that helps. */
const HELP = 'get it with: ';

/** The root of the checkout, in which locked lists are named. */
export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** The interpreter of a pack's environment; null when the pack needs none or it was not made. */
export async function pythonOf(
  pack: PackDefinition,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (pack.pythonLock === null) return null;
  const lock = await readFile(join(REPOSITORY, pack.pythonLock));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = join(pythonsFolder(environment), name);
  const python = join(folder, 'bin', 'python');
  return existsSync(join(folder, '.complete')) && (await isProgram(python)) ? python : null;
}

/** Makes the Python environment of a pack when it is not there. @throws PackMissingError with the command that helps. */
export async function ensurePython(
  pack: PackDefinition,
  { environment, progress, signal }: Pick<InstallOptions, 'environment' | 'progress' | 'signal'>,
): Promise<void> {
  if (pack.pythonLock === null || (await pythonOf(pack, environment)) !== null) return;
  progress.step(`installing the Python packages of ${pack.pythonLock}`);
  const run = await runProgram({
    file: process.execPath,
    args: [
      join(REPOSITORY, 'scripts', 'setup.mjs'),
      '--environment',
      pack.pythonLock,
      ...(pack.way !== null && 'interpreter' in pack.way ? ['--python', pack.way.interpreter] : []),
    ],
    environment: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    timeoutSeconds: INSTALL_SECONDS,
    signal,
    onLine: (line) => progress.detail(line.replace(/^set-up: +/, '')),
  });
  if (run.exitCode === 0) return;
  const lines = run.stderr.split('\n').map((line) => line.replace(/^set-up: +/, ''));
  const help = lines.find((line) => line.startsWith(HELP))?.slice(HELP.length);
  const reason = complaintOf({ ...run, stdout: '' });
  throw new PackMissingError('the Python packages', help ?? '`npm run setup`', [reason]);
}
