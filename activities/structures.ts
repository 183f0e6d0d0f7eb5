import { recordImport } from '../src/services/molecular/structures.ts';
import type { ImportDependencies } from '../src/services/molecular/structures.ts';

/** The activities of the import of structures, as workflows call them. */
export type StructureActivities = ReturnType<typeof createStructureActivities>;

/** Makes the activity that fetches entries of the archive. */
export function createStructureActivities(deps: ImportDependencies) {
  return {
    /** Fetches an entry, stores it under its digest and records how the look ended. A second run stores the same bytes under the same key. */
    fetchStructure({ pdbId }: { readonly pdbId: string }): Promise<void> {
      return recordImport(deps, pdbId);
    },
  };
}
