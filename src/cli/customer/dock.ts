/** `dockyard dock`: from files on this machine to ranked poses, with the price before anything is spent. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { EstimateJobResponse, SubmitJobResponse } from '../../client/types.ts';
import { someText, wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { facts, pounds } from '../table.ts';
import { ligandInputOf, placeLigands, placeReceptor, receptorInputOf } from './dock-inputs.ts';
import type { ReceptorInput } from './dock-inputs.ts';
import * as read from './dock-options.ts';
import type { DockOptions } from './dock-options.ts';
import { dockEstimateOf, dockRequestOf } from './dock-request.ts';
import type { NamedLigand } from './ligands/index.ts';
import { agreeToPrice, concludeJob } from './paid-job.ts';
import type { Conclusion } from './paid-job.ts';
import { withService } from './service.ts';
import { idempotencyKey, poundsToPence, refuseAbove, submitOnce } from './submit.ts';

interface Options extends DockOptions, Conclusion {
  readonly name?: string;
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

/** From this many files on, the command says that storing them takes long: each file takes two rate-limited calls. */
const MANY_RECORDS = 60;

/** Adds the command that docks. */
export function addDockCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'dock',
    summary:
      'Dock ligands with AutoDock Vina: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'dock --receptor 1a28.pdb --chains A --ligands library.smi --box-from-ligand STR:A:1 --validate STR:A:1 --watch --out poses',
      'dock --receptor 1HPV --ligands hits.sdf --center 8.9,2.3,14.5 --size 24 --seed 42 --max-price 2.50 --yes',
      'dock --receptor model.cif --ligands table.csv --box-from-ligand STI --ph 6.5 --exhaustiveness 16 --yes --json',
    ],
    configure,
    run: dock,
  });
}

function configure(command: Command): Command {
  return command
    .requiredOption('--receptor <file|pdb-id>', 'a .pdb or .cif file, else an entry of the Protein Data Bank')
    .option('--chains <ids>', 'author chain ids to keep, such as A or A,B (default: all)', read.chainIds)
    .option('--assembly <id>', 'biological assembly (default: 1)', someText(32))
    .requiredOption('--ligands <file>', '.smi (SMILES and name), .csv (columns smiles, name) or .sdf')
    .option('--box-from-ligand <id>', 'box around a deposited ligand, such as STR:A:1', read.depositedLigand)
    .option('--center <x,y,z>', 'centre of the box in Å; needs --size', read.point)
    .option('--size <n>', 'edge of the box in Å, or three: x,y,z', read.boxSize)
    .option('--ph <ph>', 'pH of receptor and ligands (default: 7.4)', read.ph)
    .option('--as-given', 'keep charges and hydrogens of the ligands as the file has them')
    .option('--retain <ids>', 'components to keep in the receptor, such as ZN or NAP', read.componentIds)
    .option(
      '--repair <where>',
      'where to mend impossible side chains: far from the box (default), none',
      read.repair,
    )
    .option(
      '--flexible <residues>',
      'side chains to turn, at most 4 in the box, such as A:HIS41,A:165; takes several times as long',
      read.flexibleResidues,
    )
    .option('--seed <n>', 'same seed and inputs, same poses (default: the service draws one)', read.seed)
    .option('--exhaustiveness <n>', 'independent searches per ligand (default: 8)', wholeNumber(1, 128))
    .option('--modes <n>', 'poses to keep per ligand (default: 9)', wholeNumber(1, 100))
    .option('--scoring <function>', 'vina or vinardo (default: vina)', read.scoringFunction)
    .option(
      '--validate <id>',
      'dock this deposited ligand again as a control, not charged',
      read.placedLigand,
    )
    .option('--name <text>', 'name of the job', someText(200))
    .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
    .option('--idempotency-key <key>', 'a repeat with this key makes no second job', idempotencyKey)
    .option('--yes', 'do not ask')
    .option('--watch', 'follow the job to its end; Ctrl-C leaves it running')
    .option('--out <dir>', 'download the outputs into this folder at the end; implies --watch');
}

async function dock(context: CommandContext, options: Options): Promise<CommandResult> {
  refuseBox(options);
  const receptor = receptorInputOf(options.receptor, context.folder);
  const ligands = await ligandInputOf(options.ligands, context.folder);
  return withService(context, 'long', async (client) => {
    const estimate = await client.estimate(dockEstimateOf(options, ligands.length));
    context.progress(offerText(options, receptor, ligands, estimate).trimEnd());
    if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, estimate.heldCents);
    await agreeToPrice(context, options, estimate.heldCents);
    const submitted = await send(context, client, options, receptor, ligands);
    return concludeJob(context, client, options, submitted);
  });
}

function refuseBox({ boxFromLigand, center, size }: Options): void {
  const problem =
    boxFromLigand !== undefined && center !== undefined
      ? 'Give --box-from-ligand or --center, not both.'
      : boxFromLigand === undefined && center === undefined
        ? 'Where to dock is missing: give --box-from-ligand, or --center and --size.'
        : center !== undefined && size === undefined
          ? 'A box around --center needs its --size.'
          : null;
  if (problem !== null) throw new CommandProblem(EXIT.refused, 'USAGE_BOX', problem);
}

function offerText(
  options: Options,
  receptor: ReceptorInput,
  ligands: readonly NamedLigand[],
  { heldCents }: EstimateJobResponse,
): string {
  const {
    boxFromLigand: from,
    center,
    size,
    ph,
    asGiven,
    exhaustiveness,
    scoring,
    chains,
    flexible,
  } = options;
  const charges = asGiven === undefined ? '' : ', ligands charged as given';
  const search = `exhaustiveness ${exhaustiveness ?? 8}${scoring === 'vinardo' ? ', scored by Vinardo' : ''}`;
  const source = receptor.kind === 'pdb' ? `PDB entry ${receptor.pdbId}` : basename(receptor.path);
  const edges = size === undefined ? '' : `, ${typeof size === 'number' ? size : size.join(' × ')} Å`;
  const place = from === undefined ? `at ${center?.join(', ') ?? ''}` : `around ${ligandName(from)}`;
  return facts([
    ['Receptor', `${source}${chains === undefined ? '' : `, chains ${chains.join(', ')}`}`],
    ...(flexible === undefined ? [] : [['Flexible', flexible.map(residueName).join(', ')] as const]),
    ['Ligands', `${ligands.length} of ${basename(options.ligands)}`],
    ['Box', `${place}${edges}`],
    ['Protocol', `AutoDock Vina, ${search}, pH ${ph ?? 7.4}${charges}`],
    ['Price', `at most ${pounds(heldCents)}; only ligands that were docked are charged`],
  ]);
}

function residueName({ chain, residueName: name, residue, insertionCode }: read.FlexibleResidue): string {
  return `${chain}:${name ?? ''}${residue}${insertionCode ?? ''}`;
}

function ligandName({ componentId, chain, residue, insertionCode }: read.DepositedLigand): string {
  return [componentId, chain, residue === null ? null : `${residue}${insertionCode ?? ''}`]
    .filter((part) => part !== null)
    .join(':');
}

async function send(
  { progress }: CommandContext,
  client: Client,
  options: Options,
  receptor: ReceptorInput,
  ligands: readonly NamedLigand[],
): Promise<SubmitJobResponse> {
  const key = options.idempotencyKey ?? randomUUID();
  if (receptor.kind === 'file') progress(`Uploading ${basename(receptor.path)}`);
  const source = await placeReceptor(client, receptor, key);
  const records = ligands.filter(({ structure }) => structure.kind === 'sdf').length;
  if (records > 0) {
    progress(`Uploading ${records} records of ${basename(options.ligands)}, each as a file of its own`);
  }
  if (records > MANY_RECORDS) {
    progress(
      'The service takes about one of them a second; SMILES travel in the request and need no upload.',
    );
  }
  const placed = await placeLigands(client, ligands, key, (count) => {
    if (count % 100 === 0) progress(`${count} of ${records} uploaded`);
  });
  const name = options.name ?? `${basename(options.receptor)} × ${basename(options.ligands)}`;
  const submitted = await submitOnce(client, dockRequestOf(options, name, source, placed), key);
  progress(`Job ${submitted.jobId}: ${submitted.message}`);
  return submitted;
}
