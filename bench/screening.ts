/** Campaigns as they are measured: libraries of any size, and batches of them against 1A28 or with the tool that does nothing. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ArtifactFormat, CreateDockingBatchRequest } from '../src/client/types.ts';
import type { LigandIdentity } from '../src/domain/requests.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { OUTPUT_BYTES } from './jobs.ts';
import type { BenchAccount } from './stack.ts';

/** Ligands of a batch: a library, or a list. */
export type Ligands = Pick<CreateDockingBatchRequest, 'libraryArtifactId' | 'ligands'>;

const BOX_ANGSTROM = 22;
const SEED = 42;
const ATOMS = ['C', 'N', 'O', 'S'];
const VENDORS = ['Enamine', 'ChemBridge', 'Life Chemicals', 'Vitas-M'];

/** The 24 drug-like ligands of the measurements of docking. */
export async function drugs(): Promise<readonly { readonly smiles: string; readonly name: string }[]> {
  const text = await readFile(join(projectRoot, 'bench', 'ligands.smi'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [smiles = '', name = ''] = line.split(' ');
      return { smiles, name };
    });
}

/**
 * A table of so many ligands with two columns beside their structures. The ligands are the drugs with chains that spell the
 * ligand's number, so that all differ; ligands of another series are others.
 */
export async function libraryTable(count: number, series: string): Promise<string> {
  const bases = await drugs();
  const lines = Array.from({ length: count }, (_, number) => {
    const { smiles = '' } = bases[number % bases.length] ?? {};
    const vendor = VENDORS[number % VENDORS.length] ?? '';
    return `${chainOf(number)}${smiles},${series}-${String(number)},${vendor},${String(150 + (number % 350))}.1\n`;
  });
  return `smiles,name,vendor,MW\n${lines.join('')}`;
}

/** The same ligands as a list of a request. */
export async function libraryList(count: number, series: string): Promise<LigandIdentity[]> {
  const bases = await drugs();
  return Array.from({ length: count }, (_, number): LigandIdentity => {
    const { smiles = '' } = bases[number % bases.length] ?? {};
    return {
      ligandId: `${series}-${String(number)}`,
      label: `Ligand ${String(number)} of ${series}`,
      source: { kind: 'smiles', smiles: `${chainOf(number)}${smiles}` },
      preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
    };
  });
}

/** The digits of a number, as atoms of a chain. */
function chainOf(number: number): string {
  const digits = Array.from(number.toString(ATOMS.length), (digit) => ATOMS[Number(digit)] ?? 'C');
  return `C${digits.join('')}C`;
}

/** Uploads a text and registers it. @returns the id of the artifact. */
export async function register(
  { client }: BenchAccount,
  text: string,
  format: ArtifactFormat,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-bench-file-'));
  try {
    const path = join(folder, `file.${format}`);
    await writeFile(path, text);
    const { storageKey } = await client.upload({ path, contentType: 'text/plain' });
    const { artifact } = await client.registerArtifact({ storageKey, format });
    return artifact.artifactId;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Registers the receptor of the measurements of docking. @returns the id of the artifact. */
export async function registerReceptor(account: BenchAccount): Promise<string> {
  const path = join(projectRoot, 'examples', '1a28', '1a28.pdb');
  return register(account, await readFile(path, 'utf8'), 'pdb');
}

/** A batch that docks ligands as customers dock them, with the least search. */
export function dockingBatch(receptorId: string, name: string, ligands: Ligands): CreateDockingBatchRequest {
  const size: [number, number, number] = [BOX_ANGSTROM, BOX_ANGSTROM, BOX_ANGSTROM];
  return {
    ...{ name, receptor: { artifactId: receptorId }, ...ligands },
    parameters: {
      box: { size, derivation: { kind: 'ligand', componentId: 'STR', chain: 'A', residue: 1 } },
      protocol: { exhaustiveness: 1, seed: SEED },
    },
  };
}

/** A batch of the tool that does nothing, whose tasks are those of a plain job of that tool. */
export function noopBatch(name: string, ligands: Ligands, shardSize: number): CreateDockingBatchRequest {
  return {
    ...{ name, engine: 'noop', ...ligands, dockingExecution: { shardSize } },
    metadata: { noop: { seconds: 0, outputBytes: OUTPUT_BYTES } },
  };
}
