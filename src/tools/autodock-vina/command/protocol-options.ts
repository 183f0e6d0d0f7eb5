/** The options that say what ligands are docked to, and how: the same for `dockyard dock` and for experiments and batches. */
import type { CommandOption } from '../../command.ts';
import { CHAINS_OPTION, ph } from '../../receptor-file.ts';
import * as read from './options.ts';
import * as residues from './residues.ts';

const option = (flags: string, description: string, reader?: (text: string) => unknown): CommandOption =>
  reader === undefined ? { flags, description } : { flags, description, read: { kind: 'own', read: reader } };
const numbered = (flags: string, description: string, most: number): CommandOption => ({
  flags,
  description,
  read: { kind: 'number', least: 1, most },
});
const repeated = (
  flags: string,
  description: string,
  reader: (text: string) => readonly unknown[],
): CommandOption => ({ ...option(flags, description, reader), repeats: true });

/** The receptor and which part of it is meant. */
const RECEPTOR: readonly CommandOption[] = [
  {
    ...option(
      '--receptor <file|pdb-id>',
      'a .pdb or .cif file, also with .gz, else an entry of the Protein Data Bank',
    ),
    isRequired: true,
  },
  CHAINS_OPTION,
  {
    flags: '--assembly <id>',
    description: 'biological assembly: its number or asymmetric (default: 1)',
    read: { kind: 'text', longest: 32 },
  },
  numbered('--model <n>', 'model of the file (default: 1)', 9999),
];

const BOX: readonly CommandOption[] = [
  option(
    '--box-from-ligand <id>',
    'box around a deposited ligand: STR, or STR:A or STR:A:1 where there are several',
    residues.depositedLigand,
  ),
  repeated(
    '--box-from-residues <residues>',
    'box around residues, such as A:41,HIS:A:145',
    residues.pocketResidues,
  ),
  option('--center <x,y,z>', 'centre of the box in Å; needs --size', read.point),
  option('--size <n>', 'edge of the box in Å, or three: x,y,z', read.boxSize),
];

const PREPARATION: readonly CommandOption[] = [
  option('--ph <ph>', 'pH of receptor and ligands (default: 7.4)', ph),
  option('--as-given', 'keep charges and hydrogens of the ligands as the file has them'),
  option(
    '--tautomer <which>',
    'tautomer of the ligands: as_sent (default), or likely: the one in water where the file has one that hardly occurs there',
    read.tautomer,
  ),
  option(
    '--states <which>',
    'states of the ligands: single (default), or likely: open isomers, forms near the pH and tautomers, the best of up to 16',
    read.states,
  ),
  repeated(
    '--retain <parts>',
    'components or residues to keep in the receptor, such as ZN, NAP:A or A:301',
    residues.receptorParts,
  ),
  option(
    '--retain-waters <Å>',
    'waters to keep: those up to so many Å from the box, such as 0, or from the ligand, such as ligand:3.5',
    read.watersWithin,
  ),
  repeated(
    '--remove <parts>',
    'components or residues to take out of the receptor, such as SO4, SEP:A or A:301',
    residues.receptorParts,
  ),
  repeated(
    '--fix <states>',
    'protonation states that nothing else decides, such as ASP:A:25=neutral,HIS:A:57=both',
    residues.fixedStates,
  ),
  option(
    '--method <name>',
    'what sets protonation states: pdb2pqr-propka (default), or meeko for standard states',
    read.method,
  ),
  option(
    '--repair <where>',
    'where to mend impossible side chains: far from the box (default), box (there, too), none',
    read.repair,
  ),
  repeated(
    '--flexible <residues>',
    'side chains to turn, at most 4 in the box, such as HIS:A:41,A:165; takes several times as long',
    residues.flexibleResidues,
  ),
];

const SEARCH: readonly CommandOption[] = [
  option(
    '--seed <n>',
    'same seed and inputs, same poses (default: a job draws one, experiments and batches have 1)',
    read.seed,
  ),
  numbered('--exhaustiveness <n>', 'independent searches per ligand (default: 8)', 128),
  numbered('--modes <n>', 'poses to keep per ligand (default: 9)', 100),
  option(
    '--energy-range <kcal/mol>',
    'how far above the best pose others may be, 0.1 to 100 (default: 3)',
    read.energyRange,
  ),
  option('--scoring <function>', 'vina or vinardo (default: vina)', read.scoringFunction),
  option(
    '--validate <id>',
    'dock this deposited ligand again as a control, not charged: STR, or STR:A or STR:A:1 where there are several',
    residues.nativeLigand,
  ),
  option(
    '--require-control <Å>',
    'dock no ligand unless the one of --validate comes back within so many Å, such as 2.0; else only the start fee is charged',
    read.requiredControl,
  ),
];

/** All of them; the receptor first. */
export const PROTOCOL_OPTIONS: readonly CommandOption[] = [...RECEPTOR, ...BOX, ...PREPARATION, ...SEARCH];
