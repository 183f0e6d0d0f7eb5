/** The ligands of a docking, read on this machine and stored at the service. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import type { ArtifactReference } from '../../../client/types.ts';
import { CommandRefusal } from '../../command.ts';
import type { JobFiles } from '../../command.ts';
import { readLigands } from './ligands/index.ts';
import type { NamedLigand } from './ligands/index.ts';
import type { PlacedLigand } from './request.ts';

const SDF = 'chemical/x-mdl-sdfile';
const LONGEST_LABEL = 200;
const PARALLEL = 4;

/** Reads the ligands of a file. @throws CommandRefusal when the file cannot be read. */
export async function ligandInputOf(text: string, folder: string): Promise<NamedLigand[]> {
  const content = await readFile(resolve(folder, text), 'utf8').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandRefusal('USAGE_INPUT', `${text} cannot be read (${why}).`, error);
  });
  return readLigands(text, content);
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
