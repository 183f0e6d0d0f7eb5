/** The ligands of a docking: read on this machine by the reader of libraries, and stored at the service. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import type { ArtifactReference } from '../../../client/types.ts';
import { CommandRefusal } from '../../command.ts';
import type { JobFiles } from '../../command.ts';
import {
  endingOf,
  libraryNotes,
  libraryText,
  LIGAND_BOUND,
  LIGAND_ENDINGS,
  LIGAND_MEDIA_TYPES,
  readLibraryFile,
} from '../../ligand-files.ts';
import type { LibraryEntry } from '../../ligand-library/library.ts';
import { labelOfName, LigandIds } from '../../ligand-library/names.ts';
import { unpackedName, withUnpacked } from '../../packed-file.ts';

/** A ligand of a file, with the id that tells it from the others. */
export interface NamedLigand {
  readonly ligandId: string;
  readonly label: string;
  readonly structure:
    | { readonly kind: 'smiles'; readonly smiles: string }
    | { readonly kind: 'file'; readonly format: 'sdf' | 'mol2' | 'pdbqt'; readonly content: Buffer };
}

/** The ligands that a file has for a job, and what a person is told of them. */
export interface LigandInput {
  readonly ligands: readonly NamedLigand[];
  readonly text: string;
  readonly notes: readonly string[];
}

/** A ligand, with the stored file of its record when the ligand came as a record of a file. */
export interface PlacedLigand {
  readonly ligand: NamedLigand;
  readonly artifact: ArtifactReference | null;
}

const RECORD_END = '\n$$$$\n';
const LONGEST_LABEL = 200;
const PARALLEL = 4;

/** Reads the ligands of a file: a library, or a single ligand in MOL2 or PDBQT. @throws CommandRefusal when the file cannot be read. */
export async function ligandInputOf(named: string, folder: string): Promise<LigandInput> {
  const format = LIGAND_ENDINGS[endingOf(named)];
  if (format !== undefined && format !== 'sdf') return singleOf(named, folder, format);
  const ligands: NamedLigand[] = [];
  const facts = await readLibraryFile(named, folder, (entry) => ligands.push(ligandOf(entry)));
  const left =
    facts.faults.length === 0 ? [] : ['Records that cannot be read are left out, and cost nothing.'];
  return { ligands, text: libraryText(facts), notes: [...libraryNotes(facts), ...left] };
}

/** The record of an SD file goes up as it is: the service reads its stereo and charges, which a SMILES made here could lose. */
function ligandOf({ ligandId, label, smiles, structure }: LibraryEntry): NamedLigand {
  return {
    ligandId,
    label,
    structure:
      smiles === null
        ? { kind: 'file', format: 'sdf', content: Buffer.concat([structure, Buffer.from(RECORD_END)]) }
        : { kind: 'smiles', smiles },
  };
}

async function singleOf(named: string, folder: string, format: 'mol2' | 'pdbqt'): Promise<LigandInput> {
  const path = resolve(folder, named);
  if (!existsSync(path)) throw new CommandRefusal('USAGE_INPUT', `${named} is not there.`);
  const content = await withUnpacked(path, LIGAND_BOUND, (unpacked) => readFile(unpacked));
  const name = unpackedName(basename(path)).replace(/\.[^.]+$/, '');
  const { ligandId } = new LigandIds().next(name);
  const ligand = {
    ligandId,
    label: labelOfName(name, ligandId),
    structure: { kind: 'file' as const, format, content },
  };
  return { ligands: [ligand], text: 'one', notes: [] };
}

/** Stores each ligand that is a file; SMILES travel in the request. */
export async function placeLigands(
  files: Pick<JobFiles, 'register'>,
  ligands: readonly NamedLigand[],
): Promise<PlacedLigand[]> {
  const placed = new Map<NamedLigand, ArtifactReference>();
  const queue = ligands.values();
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-ligands-'));
  const work = async (): Promise<void> => {
    for (const ligand of queue) {
      const { ligandId, structure } = ligand;
      if (structure.kind !== 'file') continue;
      const { format, content } = structure;
      const path = join(folder, `${ligandId}.${format}`);
      await writeFile(path, content);
      const label = basename(path).slice(0, LONGEST_LABEL);
      const contentType = LIGAND_MEDIA_TYPES[format];
      const purpose = `ligands/${ligandId}`;
      placed.set(ligand, await files.register({ path, contentType, purpose, format, label }));
      await rm(path);
    }
  };
  try {
    // All senders take from one queue, so each record is stored once.
    await Promise.all(Array.from({ length: PARALLEL }, work));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return ligands.map((ligand) => ({ ligand, artifact: placed.get(ligand) ?? null }));
}
