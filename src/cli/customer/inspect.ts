/** `dockyard inspect`: what the preparation of a receptor would meet, before anything is paid for. */
import { basename } from 'node:path';
import type { Command } from 'commander';

import { sha256OfFile } from '../../client/index.ts';
import type { InspectionResponse, InspectReceptorRequest } from '../../client/types.ts';
import { chainIds, ph, placeReceptor, receptorInputOf } from '../../tools/receptor-file.ts';
import type { PlacedReceptor, ReceptorInput } from '../../tools/receptor-file.ts';
import { reading, someText, wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { inspectionText } from './inspection-text.ts';
import { createJobFiles } from './job-files.ts';
import { withService } from './service.ts';

interface Options {
  readonly chains?: readonly string[];
  readonly assembly?: string;
  readonly model?: number;
  readonly ph?: number;
}

/** Adds the command that inspects. */
export function addInspectCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'inspect <file|pdb-id>',
    summary:
      'Tell what docking would meet in a receptor: chains, components, boxes, waters, pockets, and all that would be refused. Costs nothing.',
    examples: [
      'inspect 1a28.pdb',
      'inspect 1HPV --json',
      'inspect model.cif --chains A --assembly asymmetric',
    ],
    configure: (command) =>
      command
        .option(
          '--chains <ids>',
          'author chain ids to keep, such as A or A,B (default: all)',
          reading(chainIds),
        )
        .option('--assembly <id>', 'biological assembly (default: 1)', someText(32))
        .option('--model <n>', 'model of the file (default: 1)', wholeNumber(1, 9999))
        .option('--ph <ph>', 'pH of the protonation (default: 7.4)', reading(ph)),
    run: (cli, options, [named = '']) => inspect(cli, options, named),
  });
}

async function inspect(context: CommandContext, options: Options, named: string): Promise<CommandResult> {
  const { progress, folder } = context;
  const receptor = receptorInputOf(named, folder);
  return withService(context, 'long', async (client) => {
    if (receptor.kind === 'file') progress(`Uploading ${basename(receptor.path)}`);
    const source = await placeReceptor(createJobFiles(client, await keyOf(receptor), progress), receptor);
    progress('Inspecting');
    const inspection = await client.waitForInspection(requestOf(source, options), {
      onRunning: createWaitLines(progress),
    });
    if (inspection.report === null) {
      throw new CommandProblem(EXIT.failed, 'UNEXPECTED_ANSWER', 'The service answered no report.');
    }
    return { data: inspection, text: inspectionText(inspection.report, named) };
  });
}

/** Tells how far the inspection is: each new step, and once a minute what it still is at. */
export function createWaitLines(progress: (line: string) => void): (inspection: InspectionResponse) => void {
  let told = '';
  return ({ message, createdAt }) => {
    const minutes = Math.floor((Date.now() - Date.parse(createdAt)) / 60_000);
    const line = `${message ?? ''}${minutes === 0 ? '' : ` Asked for ${minutes} min ago.`}`;
    if (line !== told) progress(line);
    told = line;
  };
}

/** The idempotency key of the upload is made from the file, so that a file is stored once however often it is inspected. */
async function keyOf(receptor: ReceptorInput): Promise<string> {
  if (receptor.kind === 'pdb') return `inspect/${receptor.pdbId}`;
  return `inspect/${await sha256OfFile(receptor.path)}/${receptor.format}/${basename(receptor.path)}`;
}

/** The request of an inspection. */
export function requestOf(source: PlacedReceptor, options: Options): InspectReceptorRequest {
  const { chains, assembly, model, ph: protonationPh } = options;
  return {
    source: sourceOf(source),
    ...(chains === undefined ? {} : { chains: [...chains] }),
    ...(assembly === undefined ? {} : { assemblyId: assembly }),
    ...(model === undefined ? {} : { model }),
    ...(protonationPh === undefined ? {} : { protonationPh }),
  };
}

function sourceOf(source: PlacedReceptor): InspectReceptorRequest['source'] {
  if (source.kind === 'pdb') return source;
  const { artifact } = source;
  // The file of a receptor is always stored as PDB or as mmCIF.
  const format = artifact.format === 'mmcif' ? 'mmcif' : 'pdb';
  return { kind: 'artifact', artifact: { ...artifact, format } };
}
