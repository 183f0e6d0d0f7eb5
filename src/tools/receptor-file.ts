/** A structure as a command line names it, a file of this machine or an entry of the archive, and the options that all readers of structures have. */
import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';

import type { ArtifactReference, SubmitJobRequest } from '../client/types.ts';
import { CHAIN_CHARACTERS } from '../domain/structure-names.ts';
import { CommandRefusal, OptionRefusal } from './command.ts';
import type { CommandOption, JobFiles } from './command.ts';
import { unpackedName, withUnpacked } from './packed-file.ts';

/** A structure as the customer named it. */
export type ReceptorInput =
  | { readonly kind: 'pdb'; readonly pdbId: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly format: 'pdb' | 'mmcif';
    };

/** A structure that the service can read. */
export type PlacedReceptor =
  | { readonly kind: 'pdb'; readonly pdbId: string }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactReference };

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;

const FORMATS: Readonly<Record<string, 'pdb' | 'mmcif'>> = {
  '.pdb': 'pdb',
  '.ent': 'pdb',
  '.cif': 'mmcif',
  '.mmcif': 'mmcif',
};
const MEDIA_TYPES = { pdb: 'chemical/x-pdb', mmcif: 'chemical/x-mmcif' };
const LONGEST_LABEL = 200;
const CHAIN = new RegExp(`^\\S{1,${CHAIN_CHARACTERS}}$`, 'u');
/** Ten times the largest structure of the archive in one file; a small file that unpacks without end is no structure. */
const BOUND = { mostBytes: 1_000_000_000, beyond: 'unpacks to more than 1 GB; it is no receptor.' } as const;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** The option that chooses chains. */
export const CHAINS_OPTION: CommandOption = {
  flags: '--chains <ids>',
  description: 'author chain ids to keep, such as A or A,B (default: all)',
  read: { kind: 'own', read: chainIds },
};

/** Finds out what a structure is: a file that is there, else a PDB id. @throws CommandRefusal when it is neither. */
export function receptorInputOf(text: string, folder: string): ReceptorInput {
  const path = resolve(folder, text);
  const extension = extname(unpackedName(path)).toLowerCase();
  if (!existsSync(path)) {
    if (/^[0-9][A-Za-z0-9]{3}$/.test(text)) return { kind: 'pdb', pdbId: text.toUpperCase() };
    throw new CommandRefusal('USAGE_INPUT', `${text} is no file here and no PDB id such as 1A28.`);
  }
  const format = FORMATS[extension];
  if (format !== undefined) return { kind: 'file', path, format };
  const advice = `it must end in ${Object.keys(FORMATS).join(', ')}, or in one of these and .gz`;
  throw new CommandRefusal('USAGE_INPUT', `${text} cannot be a receptor: ${advice}.`);
}

/** Names the structure for people. */
export function receptorText(input: ReceptorInput): string {
  return input.kind === 'pdb' ? `PDB entry ${input.pdbId}` : basename(input.path);
}

/** Stores the structure when it is a file. */
export async function placeReceptor(
  files: Pick<JobFiles, 'register'>,
  input: ReceptorInput,
): Promise<PlacedReceptor> {
  if (input.kind === 'pdb') return input;
  return withUnpacked(input.path, BOUND, (path) => register(files, path, input.format));
}

async function register(
  files: Pick<JobFiles, 'register'>,
  path: string,
  format: 'pdb' | 'mmcif',
): Promise<PlacedReceptor> {
  const label = basename(path).slice(0, LONGEST_LABEL);
  const contentType = MEDIA_TYPES[format];
  const artifact = await files.register({ path, contentType, purpose: 'receptor', format, label });
  return { kind: 'artifact', artifact };
}

/** The parameter that names the structure. */
export function receptorParams(receptor: PlacedReceptor): SimulationParams {
  return receptor.kind === 'pdb'
    ? { receptorPdbId: receptor.pdbId }
    : { receptorArtifact: receptor.artifact };
}

/** Reads author chain ids. */
export function chainIds(text: string): string[] {
  const chains = text.split(',').map((chain) => chain.trim());
  if (chains.every((chain) => CHAIN.test(chain))) return [...new Set(chains)];
  throw new OptionRefusal('It is author chain ids, such as A or A,B.');
}

/** Reads a pH. */
export function ph(text: string): number {
  const value = Number(text);
  if (DECIMAL.test(text) && value >= 0 && value <= 14) return value;
  throw new OptionRefusal('It is a pH from 0 to 14.');
}
