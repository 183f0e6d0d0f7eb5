/** `dockyard batch export` and `dockyard experiment export`: the results in one file, made by the service, fetched and held against its digest. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';

import type { Client, ResultScope } from '../../../client/index.ts';
import type { DockingExportRequest, DockingExportResponse } from '../../../client/types.ts';
import { MOST_CONTACTS } from '../../../domain/docking-interactions.ts';
import { EXPORT_FORMATS, EXPORTED_POSES } from '../../../domain/docking-exports.ts';
import type { ResultSort } from '../../../domain/docking-lists.ts';
import { count } from '../../../tools/shown.ts';
import { wholeNumber } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { withService } from '../service.ts';
import { readingIds } from './batch-id.ts';
import { filterOf, sortReader, WHERE_HELP, whereReader } from './where.ts';
import type { Conditions } from './where.ts';

/** The options by which a file of results is asked for. */
export interface ExportOptions {
  readonly format: DockingExportRequest['format'];
  readonly top?: number;
  readonly diverse?: number;
  readonly modes?: 'best' | 'all';
  readonly out: string;
  readonly where?: Conditions;
  readonly maxMissing?: number;
  readonly sort?: ResultSort;
}

type Made = DockingExportResponse['export'];

const OF = {
  batch: { group: 'batch', id: '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04', whose: 'the newest of each ligand' },
  run: { group: 'experiment', id: '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a03', whose: 'those of one run' },
} as const;
const MOST_TOP = 10_000;

/** Adds the command that exports the results of a batch or of a run. */
export function addExportCommand(group: Command, context: CommandContext, kind: keyof typeof OF): void {
  const { group: name, id, whose } = OF[kind];
  addCommand<ExportOptions>(group, context, {
    usage: `export <${kind}>`,
    summary: `Write the results that are there now, ${whose}, into one file: a row for each ligand, or the poses; receptor and box are laid beside poses.`,
    examples: [
      `${name} export ${id} --format csv -o results.csv`,
      `${name} export ${id} --format sdf --top 100 --modes all -o hits.sdf`,
      `${name} export ${id} --format parquet --where "affinity<=-8" -o results.parquet`,
    ],
    configure: (command) =>
      readingIds(command)
        .addOption(
          new Option('--format <format>', 'csv, sdf, parquet or smi')
            .choices([...EXPORT_FORMATS])
            .makeOptionMandatory(),
        )
        .requiredOption('-o, --out <file>', 'the file to write; one that is there is not written over')
        .option('--top <n>', 'only so many docked ligands, the first in the order', wholeNumber(1, MOST_TOP))
        .addOption(
          new Option('--modes <which>', 'of poses (sdf): best (default) or all').choices([...EXPORTED_POSES]),
        )
        .option('--where <condition>', WHERE_HELP, whereReader)
        .option(
          '--max-missing <n>',
          'how many of the interactions of --where a pose may lack',
          wholeNumber(0, MOST_CONTACTS - 1),
        )
        .option('--sort <order>', 'affinity (default), efficiency or ligandId', sortReader),
    run: (cli, options, [given = '']) => {
      const of = given.toLowerCase();
      return exportResults(cli, kind === 'batch' ? { batchId: of } : { runId: of }, options);
    },
  });
}

/** Has the service write the file, and fetches it. @throws CommandProblem. */
export async function exportResults(
  cli: CommandContext,
  scope: ResultScope,
  options: ExportOptions,
): Promise<CommandResult> {
  const path = resolve(cli.folder, options.out);
  refuseExisting(path, options.out);
  const request = requestOf(options);
  return withService(cli, 'long', async (client) => {
    cli.progress('The service writes the file');
    const { export: made } = await client.docking.waitForExport(scope, request, {
      idempotencyKey: randomUUID(),
    });
    if (made.artifact === null) {
      const { code, message } = made.failure ?? {
        code: 'INTERNAL_ERROR',
        message: 'The export has no file.',
      };
      throw new CommandProblem(
        EXIT.failed,
        code,
        `The export failed: ${message} Repeat the command to make it anew.`,
      );
    }
    await client.downloadArtifact(made.artifact.artifact_id, path);
    const beside = await fetchBeside(client, made, dirname(path));
    return { data: { path, beside, export: made }, text: exportText(made, options.out, beside) };
  });
}

function requestOf({ format, top, diverse, modes, ...chosen }: ExportOptions): DockingExportRequest {
  if (modes !== undefined && format !== 'sdf') {
    throw new CommandProblem(
      EXIT.refused,
      'VALIDATION_ERROR',
      `--modes is for poses: leave it out, or take --format sdf.`,
    );
  }
  const { status, interaction, descriptor, ...filter } = filterOf(chosen);
  if (status === 'PENDING' || status === 'RUNNING') {
    throw new CommandProblem(
      EXIT.refused,
      'VALIDATION_ERROR',
      `--where status=${status}: an export has ligands that have ended: SUCCEEDED, FAILED or CANCELLED.`,
    );
  }
  return {
    format,
    ...filter,
    ...(status === undefined ? {} : { status }),
    ...(descriptor === undefined ? {} : { descriptor: [...descriptor] }),
    ...(interaction === undefined ? {} : { interaction: [...interaction] }),
    ...(top === undefined ? {} : { topN: top }),
    ...(diverse === undefined ? {} : { diverse }),
    ...(modes === undefined ? {} : { poses: modes }),
  };
}

/** Fetches receptor and box into the folder of the poses; those that are there stay. */
async function fetchBeside(client: Client, { beside }: Made, folder: string): Promise<readonly string[]> {
  const fetched: string[] = [];
  for (const { artifact_id: artifactId, name } of beside) {
    const file = name.slice(name.lastIndexOf('/') + 1);
    const path = join(folder, file);
    if (existsSync(path)) continue;
    await client.downloadArtifact(artifactId, path);
    fetched.push(file);
  }
  return fetched;
}

function exportText(made: Made, out: string, beside: readonly string[]): string {
  const results = `${count(made.result_count)} result${made.result_count === 1 ? '' : 's'} in ${out}`;
  const more = beside.length === 0 ? '' : `, with ${beside.join(', ')} beside`;
  const running = made.complete ? '' : 'The work is still running: repeat the command later for the rest.\n';
  return `${results}${more}\n${running}`;
}

function refuseExisting(path: string, named: string): void {
  if (!existsSync(path)) return;
  throw new CommandProblem(
    EXIT.refused,
    'USAGE_INPUT',
    `${named} is there already; name another file, or remove it.`,
  );
}
