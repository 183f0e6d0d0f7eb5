/**
 * Command that starts a session of Blender: under the interpreter for which Blender is built as a module, or in the program that a site
 * brings. One script is the driver of both.
 */
import { join } from 'node:path';

import { invariantBroken } from '../../domain/invariant.ts';
import { pythonFolders, surroundingsOf } from '../python-session.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import { ownPackagesSha256, SCIENCE_FOLDER } from '../toolchain.ts';
import { BLENDER_PROGRAM, SCRIPTED } from './pack.ts';

/** The folders of `science/` whose code the tool is made of; `dockyard_blender/tool.py` has the same list. */
export const BLENDER_PACKAGES: readonly string[] = ['session', 'blender'];

/** The toolchain digest of the tool in this checkout. */
export const ownToolchainSha256: () => string = ownPackagesSha256(BLENDER_PACKAGES);

const DRIVER = join(SCIENCE_FOLDER, 'blender/src/dockyard_blender/driver.py');
const ARGUMENTS = ['--', '--tool', 'dockyard_blender.tool'];

/**
 * The command of a session.
 * @throws a broken invariant where the pack is not there.
 */
export function blenderSession({
  python,
  programs = {},
  vcpus = 1,
}: Pick<ToolInstallation, 'python' | 'programs' | 'vcpus'>): SessionCommand {
  const { env, reads } = surroundingsOf(BLENDER_PACKAGES);
  const program = programs[BLENDER_PROGRAM];
  if (program !== undefined) {
    // Threads of its scheduler that have no work spin. The module sees to that itself (`start_blender`).
    const args = [...SCRIPTED, '--threads', String(vcpus), '--python', DRIVER, ...ARGUMENTS];
    return { file: program, args, env, reads };
  }
  if (python === null) throw invariantBroken('the packages of Blender are not installed here');
  return { file: python, args: [DRIVER, ...ARGUMENTS], env, reads: [...pythonFolders(python), ...reads] };
}
