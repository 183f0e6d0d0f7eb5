/** Command that starts a session of SWAN; its Python needs no package. */
import { invariantBroken } from '../../domain/invariant.ts';
import { pythonSession } from '../python-session.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import { ownPackagesSha256 } from '../toolchain.ts';

/** The folders of `science/` whose code the tool is made of; `dockyard_swan/tool.py` has the same list. */
export const SWAN_PACKAGES: readonly string[] = ['session', 'waves', 'swan'];

/** The toolchain digest of the tool in this checkout. */
export const ownToolchainSha256: () => string = ownPackagesSha256(SWAN_PACKAGES);

/**
 * The command of a session.
 * @throws a broken invariant where the pack's Python environment is not there.
 */
export function swanSession({ python }: Pick<ToolInstallation, 'python'>): SessionCommand {
  if (python === null) throw invariantBroken('the Python environment of the swan pack is not installed here');
  return pythonSession({ python, packages: SWAN_PACKAGES }, 'dockyard_swan.tool');
}
