/** Command that starts a session of the search; the pack's interpreter has the packages that read structures. */
import { invariantBroken } from '../../domain/invariant.ts';
import { pythonSession } from '../python-session.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import { ownPackagesSha256 } from '../toolchain.ts';

/** The folders of `science/` whose code the search is made of; `dockyard_fpocket/tool.py` has the same list. */
export const POCKET_PACKAGES: readonly string[] = ['session', 'structures', 'fpocket'];

/** The toolchain digest of the search in this checkout. */
export const ownToolchainSha256: () => string = ownPackagesSha256(POCKET_PACKAGES);

/**
 * The command of a session.
 * @throws a broken invariant where the pack's Python environment is not there.
 */
export function pocketSession({ python }: Pick<ToolInstallation, 'python'>): SessionCommand {
  if (python === null)
    throw invariantBroken('the Python environment of the fpocket pack is not installed here');
  return pythonSession({ python, packages: POCKET_PACKAGES }, 'dockyard_fpocket.tool');
}
