/** Command that starts a session of a search, and the code that it runs. */
import { invariantBroken } from '../../domain/invariant.ts';
import { pythonSession } from '../python-session.ts';
import { ownPackagesSha256 } from '../toolchain.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';

/** The folders of `science/` whose code a search is made of. */
const SEARCH_PACKAGES: readonly string[] = ['session', 'blast'];

/** The toolchain digest of a search in this checkout. */
export const searchToolchainSha256: () => string = ownPackagesSha256(SEARCH_PACKAGES);

/**
 * The command of a session. The session uses the standard library alone, so any interpreter of the installation serves.
 * @throws a broken invariant where no interpreter is set up.
 */
export function searchSession(_workFolder: string, { python }: ToolInstallation): SessionCommand {
  if (python === null) {
    throw invariantBroken('no Python is set up here: DOCKYARD_SCIENCE_PYTHON must be set where tools run');
  }
  return pythonSession({ python, packages: SEARCH_PACKAGES }, 'dockyard_blast.tool');
}
