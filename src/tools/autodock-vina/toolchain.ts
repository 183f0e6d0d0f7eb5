/** Digests of the code that prepares, docks and inspects. */
import { ownPackagesSha256, packagesSha256 } from '../toolchain.ts';

/** The folders of `science/` whose code docking is made of; `dockyard_science/toolchain.py` has the same list. */
export const DOCKING_PACKAGES: readonly string[] = ['session', 'structures', 'autodock-vina'];

/** The toolchain digest of docking in this checkout. */
export const ownToolchainSha256: () => string = ownPackagesSha256(DOCKING_PACKAGES);

/** The toolchain digest of docking in a folder that is like `science/`. */
export function toolchainSha256(scienceFolder: string): string {
  return packagesSha256(scienceFolder, DOCKING_PACKAGES);
}
