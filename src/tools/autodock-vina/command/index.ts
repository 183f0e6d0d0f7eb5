/** `dockyard dock`: from files on this machine to ranked poses. */
import { basename } from 'node:path';

import { CommandRefusal } from '../../command.ts';
import type { CommandJob, CommandOption, JobFiles, ToolCommand } from '../../command.ts';
import { placeReceptor, receptorInputOf } from '../../receptor-file.ts';
import { ligandInputOf, placeLigands } from './inputs.ts';
import type { NamedLigand, PlacedLigand } from './inputs.ts';
import { priceNoteOf, protocolOffer, refuseConflicts } from './offer.ts';
import type { DockOptions } from './options.ts';
import { PROTOCOL_OPTIONS } from './protocol-options.ts';
import { dockEstimateOf, dockRequestOf, sizesOf } from './request.ts';
import { dockScreening, MOST_OF_JOB } from './screening.ts';

const LIGANDS: CommandOption = {
  flags: '--ligands <file>',
  description: `.smi (SMILES and name), .csv or .tsv (columns smiles, name), .sdf, or one ligand as .mol2 or .pdbqt, also with .gz; up to 10,000, of which more than ${MOST_OF_JOB} are docked as a batch`,
};

/** The command that docks. */
export const dockCommand: ToolCommand = (take) =>
  take<DockOptions>({
    usage: 'dock',
    summary:
      'Dock one ligand or ten thousand with AutoDock Vina: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'dock --receptor 1a28.pdb --chains A --ligands library.smi --box-from-ligand STR:A:1 --validate STR:A:1 --watch --out poses',
      'dock --receptor 1HPV --ligands hits.sdf --center 8.9,2.3,14.5 --size 24 --seed 42 --max-price 2.50 --yes',
      'dock --receptor model.cif.gz --ligands library.sdf.gz --box-from-residues A:41,A:145 --fix A:HIS:41=epsilon --watch',
      'dock --receptor 1a28.pdb --chains A --ligands library.smi --box-from-ligand STR:A:1 --validate STR:A:1 --require-control 2.0 --stop-after 100:1000',
      'dock --receptor 1a28.pdb --chains A --ligands library.smi --box-from-ligand STR:A:1 --dry-run',
      'dock --receptor model.cif --ligands table.csv --box-from-ligand STI --ph 6.5 --exhaustiveness 16 --yes --json',
    ],
    options: [LIGANDS, ...PROTOCOL_OPTIONS],
    shows: null,
    prepare: jobOf,
    screening: dockScreening,
  });

async function jobOf(options: DockOptions, _args: readonly string[], folder: string): Promise<CommandJob> {
  refuseConflicts(options);
  const { ligands: named } = options;
  if (named === undefined)
    throw new CommandRefusal(
      'USAGE_LIGANDS',
      'Which ligands is missing: give --ligands FILE, or --library with the id of an artifact.',
    );
  const receptor = receptorInputOf(options.receptor, folder);
  const { ligands, text, notes } = await ligandInputOf(named, folder);
  return {
    estimate: dockEstimateOf(options, sizesOf(ligands)),
    offer: [...protocolOffer(options, receptor), ['Ligands', `${text} of ${basename(named)}`]],
    notes,
    priceNote: priceNoteOf(options),
    name: `${basename(options.receptor)} × ${basename(named)}`,
    async place(files) {
      if (receptor.kind === 'file') files.progress(`Uploading ${basename(receptor.path)}`);
      const source = await placeReceptor(files, receptor);
      return dockRequestOf(options, source, await placeLibrary(files, ligands, basename(named)));
    },
  };
}

async function placeLibrary(
  files: JobFiles,
  ligands: readonly NamedLigand[],
  name: string,
): Promise<readonly PlacedLigand[]> {
  const { progress } = files;
  const records = ligands.filter(({ structure }) => structure.kind === 'file').length;
  if (records > 0)
    progress(
      `Uploading ${records} ${records === 1 ? 'record' : 'records'} of ${name}, each as a file of its own`,
    );
  return placeLigands(files, ligands);
}
