/** `dockyard pockets`: from a structure to its ranked pockets, with the price before anything is spent. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { EstimateJobRequest, SubmitJobRequest, SubmitJobResponse } from '../../client/types.ts';
import { someText, wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { facts, pounds } from '../table.ts';
import { placeReceptor, receptorInputOf } from './dock-inputs.ts';
import type { ReceptorInput } from './dock-inputs.ts';
import { chainIds } from './dock-options.ts';
import type { ReceptorSource } from './dock-request.ts';
import { agreeToPrice, concludeJob } from './paid-job.ts';
import type { Conclusion } from './paid-job.ts';
import { pocketsTable, readPockets } from './pocket-text.ts';
import { withService } from './service.ts';
import { idempotencyKey, poundsToPence, refuseAbove, submitOnce } from './submit.ts';

/** What of a structure is searched, and how many pockets are kept. */
export interface PocketOptions {
  readonly chains?: readonly string[];
  readonly assembly?: string;
  readonly model?: number;
  readonly maxPockets?: number;
}

interface Options extends PocketOptions, Conclusion {
  readonly name?: string;
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;

const SIMULATOR = 'fpocket';
const BYTES_PER_GB = 1e9;

/** Adds the command that finds pockets. */
export function addPocketsCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'pockets <file|pdb-id>',
    summary:
      'Find and rank the pockets of a structure with fpocket: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'pockets 1a28.pdb --assembly asymmetric --watch',
      'pockets 1HPV --yes --out pockets',
      'pockets model.cif --chains A,B --max-pockets 5 --yes --watch --json',
    ],
    configure,
    run: (cli, options, [named = '']) => findPockets(cli, options, named),
  });
}

function configure(command: Command): Command {
  return command
    .option('--chains <ids>', 'author chain ids to keep, such as A or A,B (default: all)', chainIds)
    .option(
      '--assembly <id>',
      'biological assembly (default: 1); asymmetric takes the model as it is',
      someText(32),
    )
    .option('--model <n>', 'model of the file (default: 1)', wholeNumber(1, 9999))
    .option('--max-pockets <n>', 'ranked pockets to keep (default: 10)', wholeNumber(1, 20))
    .option('--name <text>', 'name of the job', someText(200))
    .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
    .option('--idempotency-key <key>', 'a repeat with this key makes no second job', idempotencyKey)
    .option('--yes', 'do not ask')
    .option('--watch', 'follow the job to its end and show the pockets; Ctrl-C leaves it running')
    .option('--out <dir>', 'download the outputs into this folder at the end; implies --watch');
}

async function findPockets(context: CommandContext, options: Options, named: string): Promise<CommandResult> {
  const receptor = receptorInputOf(named, context.folder);
  return withService(context, 'long', async (client) => {
    const { heldCents } = await client.estimate(pocketsEstimateOf(options, bytesOf(receptor)));
    context.progress(offerText(options, receptor, heldCents).trimEnd());
    if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, heldCents);
    await agreeToPrice(context, options, heldCents);
    const submitted = await send(context, client, options, receptor, named);
    const ending = await concludeJob(context, client, options, submitted);
    return withTable(client, submitted.jobId, ending);
  });
}

function offerText(options: Options, receptor: ReceptorInput, heldCents: number): string {
  const { chains, assembly, model, maxPockets } = options;
  const source = receptor.kind === 'pdb' ? `PDB entry ${receptor.pdbId}` : basename(receptor.path);
  const parts = [
    ...(chains === undefined ? [] : [`chains ${chains.join(', ')}`]),
    `assembly ${assembly ?? '1'}`,
    ...(model === undefined ? [] : [`model ${model}`]),
  ];
  return facts([
    ['Structure', [source, ...parts].join(', ')],
    ['Protocol', `fpocket, the best ${maxPockets ?? 10} pockets`],
    ['Price', `at most ${pounds(heldCents)}; nothing when the search fails`],
  ]);
}

async function send(
  { progress }: CommandContext,
  client: Client,
  options: Options,
  receptor: ReceptorInput,
  named: string,
): Promise<SubmitJobResponse> {
  const key = options.idempotencyKey ?? randomUUID();
  if (receptor.kind === 'file') progress(`Uploading ${basename(receptor.path)}`);
  const source = await placeReceptor(client, receptor, key);
  const name = options.name ?? `Pockets of ${basename(named)}`;
  const submitted = await submitOnce(client, pocketsRequestOf(options, name, source), key);
  progress(`Job ${submitted.jobId}: ${submitted.message}`);
  return submitted;
}

/** Adds the pockets to how the job ended, where it ended with some. */
async function withTable(client: Client, jobId: string, ending: CommandResult): Promise<CommandResult> {
  const pockets = await readPockets(client, jobId);
  if (pockets === null) return ending;
  const data = typeof ending.data === 'object' ? { ...ending.data, pockets } : ending.data;
  return { ...ending, data, text: `${ending.text}\n${pocketsTable(pockets)}` };
}

function bytesOf(receptor: ReceptorInput): number | null {
  return receptor.kind === 'file' ? statSync(receptor.path).size : null;
}

/** The request that asks for the price; the price depends on the size of the file. */
export function pocketsEstimateOf(options: PocketOptions, fileBytes: number | null): EstimateJobRequest {
  return {
    jobType: 'simulation',
    simulator: SIMULATOR,
    simulationParams: protocolOf(options),
    ...(fileBytes === null ? {} : { metadata: { totalSizeGB: fileBytes / BYTES_PER_GB } }),
  };
}

/** The request that submits the search. */
export function pocketsRequestOf(
  options: PocketOptions,
  jobName: string,
  receptor: ReceptorSource,
): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: SIMULATOR,
    jobName,
    simulationParams: {
      ...(receptor.kind === 'pdb'
        ? { receptorPdbId: receptor.pdbId }
        : { receptorArtifact: receptor.artifact }),
      ...protocolOf(options),
    },
  };
}

function protocolOf({ chains, assembly, model, maxPockets }: PocketOptions): SimulationParams {
  return {
    ...(chains === undefined ? {} : { receptorChains: [...chains] }),
    ...(assembly === undefined ? {} : { receptorAssemblyId: assembly }),
    ...(model === undefined ? {} : { receptorModel: model }),
    ...(maxPockets === undefined ? {} : { maxPockets }),
  };
}
