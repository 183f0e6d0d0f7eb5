/** `dockyard dock`: from files on this machine to ranked poses. */
import { basename } from 'node:path';

import { CommandRefusal } from '../../command.ts';
import type { CommandJob, CommandOption, JobFiles, ToolCommand } from '../../command.ts';
import { CHAINS_OPTION, ph, placeReceptor, receptorInputOf, receptorText } from '../../receptor-file.ts';
import type { ReceptorInput } from '../../receptor-file.ts';
import { ligandInputOf, placeLigands } from './inputs.ts';
import type { NamedLigand } from './ligands/index.ts';
import * as read from './options.ts';
import type { DockOptions } from './options.ts';
import { dockEstimateOf, dockRequestOf } from './request.ts';
import type { PlacedLigand } from './request.ts';

/** From this many files on, the command says that storing them takes long: each file takes two rate-limited calls. */
const MANY_RECORDS = 60;

const option = (flags: string, description: string, reader?: (text: string) => unknown): CommandOption =>
  reader === undefined ? { flags, description } : { flags, description, read: { kind: 'own', read: reader } };
const numbered = (flags: string, description: string, most: number): CommandOption => ({
  flags,
  description,
  read: { kind: 'number', least: 1, most },
});

const OPTIONS: readonly CommandOption[] = [
  {
    ...option('--receptor <file|pdb-id>', 'a .pdb or .cif file, else an entry of the Protein Data Bank'),
    isRequired: true,
  },
  CHAINS_OPTION,
  {
    flags: '--assembly <id>',
    description: 'biological assembly (default: 1)',
    read: { kind: 'text', longest: 32 },
  },
  {
    ...option('--ligands <file>', '.smi (SMILES and name), .csv (columns smiles, name) or .sdf'),
    isRequired: true,
  },
  option('--box-from-ligand <id>', 'box around a deposited ligand, such as STR:A:1', read.depositedLigand),
  option('--center <x,y,z>', 'centre of the box in Å; needs --size', read.point),
  option('--size <n>', 'edge of the box in Å, or three: x,y,z', read.boxSize),
  option('--ph <ph>', 'pH of receptor and ligands (default: 7.4)', ph),
  option('--as-given', 'keep charges and hydrogens of the ligands as the file has them'),
  option('--retain <ids>', 'components to keep in the receptor, such as ZN or NAP', read.componentIds),
  option(
    '--repair <where>',
    'where to mend impossible side chains: far from the box (default), none',
    read.repair,
  ),
  option(
    '--flexible <residues>',
    'side chains to turn, at most 4 in the box, such as A:HIS41,A:165; takes several times as long',
    read.flexibleResidues,
  ),
  option('--seed <n>', 'same seed and inputs, same poses (default: the service draws one)', read.seed),
  numbered('--exhaustiveness <n>', 'independent searches per ligand (default: 8)', 128),
  numbered('--modes <n>', 'poses to keep per ligand (default: 9)', 100),
  option('--scoring <function>', 'vina or vinardo (default: vina)', read.scoringFunction),
  option('--validate <id>', 'dock this deposited ligand again as a control, not charged', read.placedLigand),
];

/** The command that docks. */
export const dockCommand: ToolCommand = (take) =>
  take<DockOptions>({
    usage: 'dock',
    summary:
      'Dock ligands with AutoDock Vina: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'dock --receptor 1a28.pdb --chains A --ligands library.smi --box-from-ligand STR:A:1 --validate STR:A:1 --watch --out poses',
      'dock --receptor 1HPV --ligands hits.sdf --center 8.9,2.3,14.5 --size 24 --seed 42 --max-price 2.50 --yes',
      'dock --receptor model.cif --ligands table.csv --box-from-ligand STI --ph 6.5 --exhaustiveness 16 --yes --json',
    ],
    options: OPTIONS,
    shows: null,
    prepare: jobOf,
  });

async function jobOf(options: DockOptions, _args: readonly string[], folder: string): Promise<CommandJob> {
  refuseBox(options);
  const receptor = receptorInputOf(options.receptor, folder);
  const ligands = await ligandInputOf(options.ligands, folder);
  return {
    estimate: dockEstimateOf(options, ligands.length),
    offer: offerOf(options, receptor, ligands.length),
    priceNote: 'only ligands that were docked are charged',
    name: `${basename(options.receptor)} × ${basename(options.ligands)}`,
    async place(files) {
      if (receptor.kind === 'file') files.progress(`Uploading ${basename(receptor.path)}`);
      const source = await placeReceptor(files, receptor);
      return dockRequestOf(options, source, await placeLibrary(files, ligands, basename(options.ligands)));
    },
  };
}

function refuseBox({ boxFromLigand, center, size }: DockOptions): void {
  const problem =
    boxFromLigand !== undefined && center !== undefined
      ? 'Give --box-from-ligand or --center, not both.'
      : boxFromLigand === undefined && center === undefined
        ? 'Where to dock is missing: give --box-from-ligand, or --center and --size.'
        : center !== undefined && size === undefined
          ? 'A box around --center needs its --size.'
          : null;
  if (problem !== null) throw new CommandRefusal('USAGE_BOX', problem);
}

function offerOf(options: DockOptions, receptor: ReceptorInput, ligandCount: number): CommandJob['offer'] {
  const { boxFromLigand: from, center, size, asGiven, exhaustiveness, scoring, chains, flexible } = options;
  const charges = asGiven === undefined ? '' : ', ligands charged as given';
  const search = `exhaustiveness ${exhaustiveness ?? 8}${scoring === 'vinardo' ? ', scored by Vinardo' : ''}`;
  const edges = size === undefined ? '' : `, ${typeof size === 'number' ? size : size.join(' × ')} Å`;
  const place = from === undefined ? `at ${center?.join(', ') ?? ''}` : `around ${ligandName(from)}`;
  return [
    ['Receptor', `${receptorText(receptor)}${chains === undefined ? '' : `, chains ${chains.join(', ')}`}`],
    ...(flexible === undefined ? [] : [['Flexible', flexible.map(residueName).join(', ')] as const]),
    ['Ligands', `${ligandCount} of ${basename(options.ligands)}`],
    ['Box', `${place}${edges}`],
    ['Protocol', `AutoDock Vina, ${search}, pH ${options.ph ?? 7.4}${charges}`],
  ];
}

function residueName({ chain, residueName: name, residue, insertionCode }: read.FlexibleResidue): string {
  return `${chain}:${name ?? ''}${residue}${insertionCode ?? ''}`;
}

function ligandName({ componentId, chain, residue, insertionCode }: read.DepositedLigand): string {
  return [componentId, chain, residue === null ? null : `${residue}${insertionCode ?? ''}`]
    .filter((part) => part !== null)
    .join(':');
}

async function placeLibrary(
  files: JobFiles,
  ligands: readonly NamedLigand[],
  name: string,
): Promise<readonly PlacedLigand[]> {
  const { progress } = files;
  const records = ligands.filter(({ structure }) => structure.kind === 'sdf').length;
  if (records > 0) progress(`Uploading ${records} records of ${name}, each as a file of its own`);
  if (records > MANY_RECORDS) {
    progress(
      'The service takes about one of them a second; SMILES travel in the request and need no upload.',
    );
  }
  return placeLigands(files, ligands, (count) => {
    if (count % 100 === 0) progress(`${count} of ${records} uploaded`);
  });
}
