/**
 * The files of a docking, read on this machine and stored at the service. Every step has an idempotency key made from the
 * key of the job, so that the whole command may be repeated and ends with the same stored files and the same job.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';

import type { Client } from '../../client/index.ts';
import type { ArtifactReference } from '../../client/types.ts';
import { CommandProblem, EXIT, messageOf } from '../problems.ts';
import type { PlacedLigand, ReceptorSource } from './dock-request.ts';
import { readLigands } from './ligands/index.ts';
import type { NamedLigand } from './ligands/index.ts';

/** A receptor as the customer named it. */
export type ReceptorInput =
  | { readonly kind: 'pdb'; readonly pdbId: string }
  | { readonly kind: 'file'; readonly path: string; readonly format: 'pdb' | 'mmcif' };

const FORMATS: Readonly<Record<string, 'pdb' | 'mmcif'>> = {
  '.pdb': 'pdb',
  '.ent': 'pdb',
  '.cif': 'mmcif',
  '.mmcif': 'mmcif',
};
const MEDIA_TYPES = { pdb: 'chemical/x-pdb', mmcif: 'chemical/x-mmcif', sdf: 'chemical/x-mdl-sdfile' };
const PARALLEL = 4;

/** Finds out what a receptor is: a file that is there, else a PDB id. @throws CommandProblem when it is neither. */
export function receptorInputOf(text: string, folder: string): ReceptorInput {
  const path = resolve(folder, text);
  const extension = extname(path).toLowerCase();
  if (!existsSync(path)) {
    if (/^[0-9][A-Za-z0-9]{3}$/.test(text)) return { kind: 'pdb', pdbId: text.toUpperCase() };
    throw badInput(`${text} is no file here and no PDB id such as 1A28.`);
  }
  const format = FORMATS[extension];
  if (format !== undefined) return { kind: 'file', path, format };
  const advice =
    extension === '.gz' ? 'unpack it first' : `it must end in ${Object.keys(FORMATS).join(', ')}`;
  throw badInput(`${text} cannot be a receptor: ${advice}.`);
}

/** Reads the ligands of a file. */
export async function ligandInputOf(text: string, folder: string): Promise<NamedLigand[]> {
  const content = await readFile(resolve(folder, text), 'utf8').catch((error: unknown) => {
    throw badInput(`${text} cannot be read (${messageOf(error)}).`, error);
  });
  return readLigands(text, content);
}

/** Stores the receptor when it is a file. */
export async function placeReceptor(
  client: Client,
  input: ReceptorInput,
  key: string,
): Promise<ReceptorSource> {
  if (input.kind === 'pdb') return input;
  const artifact = await placeFile(client, input.path, input.format, `${key}/receptor`, basename(input.path));
  return { kind: 'artifact', artifact };
}

/** Stores each ligand that came as the record of a file; SMILES travel in the request. */
export async function placeLigands(
  client: Client,
  ligands: readonly NamedLigand[],
  key: string,
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
      placed.set(ligand, await placeFile(client, path, 'sdf', `${key}/${ligand.ligandId}`, basename(path)));
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

async function placeFile(
  client: Client,
  path: string,
  format: 'pdb' | 'mmcif' | 'sdf',
  purpose: string,
  label: string,
): Promise<ArtifactReference> {
  const { storageKey } = await client.upload(
    { path, contentType: MEDIA_TYPES[format] },
    { idempotencyKey: keyOf(`${purpose}/upload`) },
  );
  const request = { storageKey, format, label: label.slice(0, 200) };
  const { artifact } = await client.registerArtifact(request, {
    idempotencyKey: keyOf(`${purpose}/artifact`),
  });
  return artifact;
}

/** An idempotency key of fixed length, however long the parts are that it is made from. */
function keyOf(purpose: string): string {
  return createHash('sha256').update(purpose).digest('hex').slice(0, 48);
}

function badInput(message: string, cause?: unknown): CommandProblem {
  return new CommandProblem(EXIT.refused, 'USAGE_INPUT', message, cause);
}
