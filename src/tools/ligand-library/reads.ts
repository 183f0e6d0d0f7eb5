/** Inputs of a task from an indexed library: the bytes of its own record, and never the file. */
import type { RecordSource } from '../../domain/requests.ts';
import type { TaskReads } from '../tool.ts';

/** The name of the unpacked library among the files of a job. */
export const LIBRARY_FILE = 'ligands/library';

/** The record of a task as an input of the name `as`; nothing where no ligand can be read from the record. */
export function recordReads(
  { fault, start, end, sha256 }: RecordSource,
  ordinal: number,
  as: string,
): Pick<TaskReads, 'inputs' | 'ranges'> {
  if (fault !== null) return { inputs: [] };
  const name = `ligands/record-${String(ordinal)}`;
  return { inputs: [{ from: name, as }], ranges: [{ name, of: LIBRARY_FILE, start, end, sha256 }] };
}
