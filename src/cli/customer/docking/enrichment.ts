/** `dockyard batch enrichment`: how well a batch finds the ligands that its library marks as active. */
import type { Command } from 'commander';

import type { Client } from '../../../client/index.ts';
import type { DockingResult } from '../../../client/types.ts';
import { enrichmentBy, isMarking, isUsualMark, markOf } from '../../../domain/enrichment.ts';
import type { MarkedEnrichment } from '../../../domain/enrichment.ts';
import { count } from '../../../tools/shown.ts';
import { someText } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { facts } from '../../table.ts';
import { withService } from '../service.ts';
import { readingIds } from './batch-id.ts';

const LONGEST_COLUMN = 256;
/** Adds the command. */
export function addEnrichmentCommand(group: Command, context: CommandContext): void {
  addCommand<{ readonly actives?: string }>(group, context, {
    usage: 'enrichment <batch>',
    summary:
      'Tell how well the ranking finds the ligands that the library marks as active: ROC AUC with its interval of 95 %, enrichment factors, BEDROC.',
    examples: [
      'batch enrichment 0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04',
      'batch enrichment 0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04 --actives is_active --json',
    ],
    configure: (command) =>
      readingIds(command).option(
        '--actives <column>',
        'column of the library that marks actives: 1 and 0, true and false, active and inactive or decoy (default: one named active, activity, class, …)',
        someText(LONGEST_COLUMN),
      ),
    run: (cli, { actives }, [batchId = '']) =>
      withService(cli, 'short', (client) => showEnrichment(client, batchId.toLowerCase(), actives)),
  });
}

/** Reads all results and shows the enrichment. @throws CommandProblem where no column marks both kinds. */
export async function showEnrichment(
  client: Client,
  batchId: string,
  asked?: string,
): Promise<CommandResult> {
  const results: DockingResult[] = [];
  for await (const result of client.docking.results({ batchId })) {
    if (result.status === 'SUCCEEDED' || result.status === 'FAILED') results.push(result);
  }
  const column = columnOf(results, asked);
  const cells = results.map((result) => ({
    score: result.best_affinity_kcal_mol,
    cell: result.input_properties[column],
  }));
  const enrichment = enrichmentBy(column, cells);
  if (enrichment === null) {
    const [known] = cells.map(({ cell }) => markOf(cell)).filter((mark) => mark !== null);
    const what =
      known === undefined
        ? 'marks no ligand that has ended'
        : `marks all ligands as ${known ? 'active' : 'inactive'}`;
    throw refused(`The column ${column} ${what}; an enrichment needs actives and others.`);
  }
  return { data: enrichment, text: textOf(enrichment) };
}

/** The column that marks actives. @throws CommandProblem where there is none. */
function columnOf(results: readonly DockingResult[], asked: string | undefined): string {
  const names = [...new Set(results.flatMap((result) => Object.keys(result.input_properties)))];
  const found =
    asked === undefined
      ? names.find((name) => isUsualMark(name) && isMarking(results.map((one) => one.input_properties[name])))
      : names.find((name) => name === asked);
  if (found !== undefined) return found;
  const there = names.length === 0 ? 'The library has no further columns' : `It has ${names.join(', ')}`;
  throw refused(
    asked === undefined
      ? `No column of the library marks actives. ${there}; name one with --actives.`
      : `The library has no column ${asked}. ${there}.`,
  );
}

function refused(message: string): CommandProblem {
  return new CommandProblem(EXIT.refused, 'VALIDATION_ERROR', message);
}

function textOf(found: MarkedEnrichment): string {
  const [low, high] = found.rocAucInterval;
  return facts([
    ['Actives', `${count(found.actives)} of ${count(found.ligands)} ligands, by the column ${found.column}`],
    ...(found.unmarked === 0 ? [] : [['Left out', `${count(found.unmarked)} without a mark`] as const]),
    ['ROC AUC', `${found.rocAuc.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`],
    ['EF 1 %', found.ef1.toFixed(2)],
    ['EF 5 %', found.ef5.toFixed(2)],
    ['BEDROC', `${found.bedroc.toFixed(3)} (alpha 20)`],
  ]);
}
