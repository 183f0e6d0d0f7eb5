/** `dockyard batch failures`: which ligands have failed, with what, and how many with each code. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import type { DockingFailure } from '../../../client/types.ts';
import { wholeNumber } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { table } from '../../table.ts';
import type { Column } from '../../table.ts';
import type { Client } from '../../../client/index.ts';
import { withService } from '../service.ts';
import { readingIds } from './batch-id.ts';
import { failuresText, nameOf } from './text.ts';

interface FailureOptions {
  readonly code?: string;
  readonly top?: number;
}

const BATCH = '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04';
const [USUAL_TOP, MOST_TOP] = [25, 10_000] as const;

/** Adds the command. */
export function addFailuresCommand(group: Command, context: CommandContext): void {
  addCommand<FailureOptions>(group, context, {
    usage: 'failures <batch>',
    summary: 'List the ligands that have failed, also while others are docked, and count them by code.',
    examples: [
      `batch failures ${BATCH}`,
      `batch failures ${BATCH} --code LIGAND_EMBED_FAILED --top 100 --json`,
    ],
    configure: (command) =>
      readingIds(command)
        .option('--code <code>', 'only those that failed with this code', failureCode)
        .option(
          '--top <n>',
          `how many to show, 1 to 10,000 (default: ${USUAL_TOP})`,
          wholeNumber(1, MOST_TOP),
        ),
    run: (cli, options, [batchId = '']) =>
      withService(cli, 'short', (client) => showFailures(client, batchId.toLowerCase(), options)),
  });
}

async function showFailures(
  client: Client,
  batchId: string,
  { code, top = USUAL_TOP }: FailureOptions,
): Promise<CommandResult> {
  const query = code === undefined ? {} : { code };
  const { counts, final } = await client.docking.listFailures(batchId, { ...query, limit: 1 });
  const failures: DockingFailure[] = [];
  for await (const failure of client.docking.failures(batchId, query)) {
    failures.push(failure);
    if (failures.length === top) break;
  }
  const asked = counts.filter((one) => code === undefined || one.code === code);
  const total = asked.reduce((sum, { count: ligands }) => sum + ligands, 0);
  const more =
    total > failures.length ? `${String(total - failures.length)} more: add --top ${String(total)}\n` : '';
  const note = final ? '' : 'It is still running: more ligands may fail.\n';
  const shown =
    failures.length === 0
      ? `${code === undefined ? 'No ligand has failed.' : `No ligand has failed with ${code}.`}\n`
      : `${table(COLUMNS, failures)}${more}`;
  return { data: { failures, counts, final }, text: `${shown}${note}${failuresText(counts)}` };
}

const COLUMNS: readonly Column<DockingFailure>[] = [
  { title: 'LIGAND', value: nameOf },
  { title: 'LINE', value: ({ library_line: line }) => line, align: 'right' },
  { title: 'CODE', value: ({ code }) => code },
  { title: 'WHY', value: ({ message }) => message },
];

/** Reads one failure code. */
export function failureCode(text: string): string {
  const code = text.trim().toUpperCase();
  if (/^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code;
  throw new InvalidArgumentError('It is one failure code, such as ENGINE_TIMEOUT.');
}
