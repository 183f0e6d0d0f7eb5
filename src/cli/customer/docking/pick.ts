/** `dockyard batch pick`: of the best ligands those that differ most from each other, as a file. */
import { extname } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';

import { EXPORT_FORMATS } from '../../../domain/docking-exports.ts';
import { wholeNumber } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { readingIds } from './batch-id.ts';
import { exportResults } from './export.ts';
import type { ExportOptions } from './export.ts';
import { sortReader, WHERE_HELP, whereReader } from './where.ts';

interface PickOptions extends Omit<ExportOptions, 'format'> {
  readonly format?: ExportOptions['format'];
}

const BATCH = '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04';
const [USUAL_TOP, USUAL_PICKS, MOST] = [500, 50, 10_000] as const;

/** Adds the command. */
export function addPickCommand(group: Command, context: CommandContext): void {
  addCommand<PickOptions>(group, context, {
    usage: 'pick <batch>',
    summary:
      'Pick of the best ligands those that differ most from each other (RDKit: LeaderPicker over Morgan fingerprints), and write them into one file: poses, a table, or SMILES.',
    examples: [
      `batch pick ${BATCH} --top 500 --diverse 50 -o picks.sdf`,
      `batch pick ${BATCH} --top 1000 --diverse 96 --where "logP<=5" --where "alerts<=0" -o plate.csv`,
      `batch pick ${BATCH} --diverse 20 -o next.smi`,
    ],
    configure: (command) =>
      readingIds(command)
        .option('--top <n>', `of so many of the best (default: ${USUAL_TOP})`, wholeNumber(1, MOST))
        .option('--diverse <n>', `pick so many (default: ${USUAL_PICKS})`, wholeNumber(1, MOST))
        .requiredOption('-o, --out <file>', 'the file to write; one that is there is not written over')
        .addOption(
          new Option(
            '--format <format>',
            'csv, sdf, parquet or smi (default: as the name of the file ends)',
          ).choices([...EXPORT_FORMATS]),
        )
        .option('--where <condition>', WHERE_HELP, whereReader)
        .option('--sort <order>', 'what is best: affinity (default) or efficiency', sortReader),
    run: (cli, options, [batchId = '']) => {
      const { top = USUAL_TOP, diverse = USUAL_PICKS } = options;
      if (diverse > top) {
        throw new CommandProblem(
          EXIT.refused,
          'VALIDATION_ERROR',
          `--diverse ${diverse} of --top ${top}: no more can be picked than there are to pick from; raise --top.`,
        );
      }
      const format = options.format ?? formatOf(options.out);
      return exportResults(cli, { batchId: batchId.toLowerCase() }, { ...options, format, top, diverse });
    },
  });
}

/** The format that the name of a file tells. @throws CommandProblem. */
function formatOf(file: string): ExportOptions['format'] {
  const ending = extname(file).slice(1).toLowerCase();
  const format = EXPORT_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  const endings = EXPORT_FORMATS.map((known) => `.${known}`).join(', ');
  throw new CommandProblem(
    EXIT.refused,
    'VALIDATION_ERROR',
    `${file}: the name of the file does not tell what it is to be (${endings}); add --format.`,
  );
}
