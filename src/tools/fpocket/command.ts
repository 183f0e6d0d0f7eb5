/** `dockyard pockets`: from a structure to its ranked pockets. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';

import type { EstimateJobRequest, SubmitJobRequest } from '../../client/types.ts';
import type { CommandJob, ToolCommand } from '../command.ts';
import {
  CHAINS_OPTION,
  placeReceptor,
  receptorInputOf,
  receptorParams,
  receptorText,
} from '../receptor-file.ts';
import type { PlacedReceptor, ReceptorInput } from '../receptor-file.ts';
import { FPOCKET_ID, MOST_POCKETS } from './parameters.ts';

/** Part of a structure to search, and the number of pockets to keep. */
export interface PocketOptions {
  readonly chains?: readonly string[];
  readonly assembly?: string;
  readonly model?: number;
  readonly maxPockets?: number;
}

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;

const BYTES_PER_GB = 1e9;

/** The command that finds pockets. */
export const pocketsCommand: ToolCommand = (take) =>
  take<PocketOptions>({
    usage: 'pockets <file|pdb-id>',
    summary:
      'Find and rank the pockets of a structure with fpocket: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'pockets 1a28.pdb --assembly asymmetric --watch',
      'pockets 1HPV --yes --out pockets',
      'pockets model.cif --chains A,B --max-pockets 5 --yes --watch --json',
    ],
    options: [
      CHAINS_OPTION,
      {
        flags: '--assembly <id>',
        description: 'biological assembly (default: 1); asymmetric takes the model as it is',
        read: { kind: 'text', longest: 32 },
      },
      {
        flags: '--model <n>',
        description: 'model of the file (default: 1)',
        read: { kind: 'number', least: 1, most: 9999 },
      },
      {
        flags: '--max-pockets <n>',
        description: 'ranked pockets to keep (default: 10)',
        read: { kind: 'number', least: 1, most: MOST_POCKETS },
      },
    ],
    shows: 'the pockets',
    prepare: (options, [named = ''], folder) => jobOf(options, named, receptorInputOf(named, folder)),
    findings: async (results) => (await import('./found.ts')).findPockets(results),
  });

function jobOf(options: PocketOptions, named: string, receptor: ReceptorInput): CommandJob {
  return {
    estimate: pocketsEstimateOf(options, receptor.kind === 'file' ? statSync(receptor.path).size : null),
    offer: [
      ['Structure', [receptorText(receptor), ...selectionOf(options)].join(', ')],
      ['Protocol', `fpocket, the best ${options.maxPockets ?? 10} pockets`],
    ],
    priceNote: 'nothing when the search fails',
    name: `Pockets of ${basename(named)}`,
    async place(files) {
      if (receptor.kind === 'file') files.progress(`Uploading ${basename(receptor.path)}`);
      return pocketsRequestOf(options, await placeReceptor(files, receptor));
    },
  };
}

function selectionOf({ chains, assembly, model }: PocketOptions): readonly string[] {
  return [
    ...(chains === undefined ? [] : [`chains ${chains.join(', ')}`]),
    `assembly ${assembly ?? '1'}`,
    ...(model === undefined ? [] : [`model ${model}`]),
  ];
}

/** The request that asks for the price; the price depends on the size of the file. */
export function pocketsEstimateOf(options: PocketOptions, fileBytes: number | null): EstimateJobRequest {
  return {
    jobType: 'simulation',
    simulator: FPOCKET_ID,
    simulationParams: protocolOf(options),
    ...(fileBytes === null ? {} : { metadata: { totalSizeGB: fileBytes / BYTES_PER_GB } }),
  };
}

/** The request that submits the search. */
export function pocketsRequestOf(options: PocketOptions, receptor: PlacedReceptor): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: FPOCKET_ID,
    simulationParams: { ...receptorParams(receptor), ...protocolOf(options) },
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
