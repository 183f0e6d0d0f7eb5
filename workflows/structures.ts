/**
 * The import of an entry of the archive, asked for by whoever opens a scene with it. One activity fetches, stores and records it; the row
 * of the import is the truth, and a workflow that is lost is started again by the next question.
 *
 * No signals, queries or timers. Nothing is patched.
 */
import { imports } from './lib/structure-activities.ts';

/** Imports an entry. */
export async function importStructure(input: { readonly pdbId: string }): Promise<void> {
  await imports.fetchStructure(input);
}
