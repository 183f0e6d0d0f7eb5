/** Command that starts a session of Blender, under the interpreter for which Blender is built. */
import { invariantBroken } from '../../domain/invariant.ts';
import { pythonSession } from '../python-session.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import { ownPackagesSha256 } from '../toolchain.ts';

/** The folders of `science/` whose code the tool is made of; `dockyard_blender/tool.py` has the same list. */
export const BLENDER_PACKAGES: readonly string[] = ['session', 'blender'];

/** The toolchain digest of the tool in this checkout. */
export const ownToolchainSha256: () => string = ownPackagesSha256(BLENDER_PACKAGES);

/**
 * The command of a session.
 * @throws a broken invariant where the pack is not there.
 */
export function blenderSession({ python }: Pick<ToolInstallation, 'python'>): SessionCommand {
  if (python === null) throw invariantBroken('the packages of Blender are not installed here');
  return pythonSession({ python, packages: BLENDER_PACKAGES }, 'dockyard_blender.tool');
}
