/** The ligands of a docking, read on this machine and stored at the service. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import type { ArtifactReference } from '../../../client/types.ts';
import { AppError } from '../../../domain/errors.ts';
import { CommandRefusal } from '../../command.ts';
import type { JobFiles } from '../../command.ts';
import { libraryBytes } from '../../ligand-library/unpack.ts';
import { badFile } from './ligands/draft.ts';
import { readLigands } from './ligands/index.ts';
import type { NamedLigand } from './ligands/index.ts';
import type { PlacedLigand } from './request.ts';

const SDF = 'chemical/x-mdl-sdfile';
const LONGEST_LABEL = 200;
const PARALLEL = 4;

/** Reads the ligands of a file. @throws CommandRefusal when the file cannot be read. */
export async function ligandInputOf(text: string, folder: string): Promise<NamedLigand[]> {
  const content = await contentOf(text, resolve(folder, text));
  return readLigands(text.replace(/\.gz$/i, ''), content);
}

/** The text of a file, unpacked where the file is packed with gzip. */
async function contentOf(name: string, path: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of libraryBytes(createReadStream(path))) pieces.push(piece);
  } catch (error) {
    if (error instanceof AppError) throw badFile(`${name}: ${error.publicMessage}`);
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandRefusal('USAGE_INPUT', `${name} cannot be read (${why}).`, error);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Stores each ligand that came as the record of a file; SMILES travel in the request. */
export async function placeLigands(
  files: Pick<JobFiles, 'register'>,
  ligands: readonly NamedLigand[],
  onPlaced: (count: number) => void,
): Promise<PlacedLigand[]> {
  const placed = new Map<NamedLigand, ArtifactReference>();
  const queue = ligands.filter(({ structure }) => structure.kind === 'sdf').values();
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-ligands-'));
  const work = async (): Promise<void> => {
    for (const ligand of queue) {
      if (ligand.structure.kind !== 'sdf') continue;
      const path = join(folder, `${ligand.ligandId}.sdf`);
      await writeFile(path, ligand.structure.record);
      const label = basename(path).slice(0, LONGEST_LABEL);
      const file = {
        path,
        contentType: SDF,
        purpose: `ligands/${ligand.ligandId}`,
        format: 'sdf' as const,
        label,
      };
      placed.set(ligand, await files.register(file));
      await rm(path);
      onPlaced(placed.size);
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
