/** `dockyard batch enrichment`: how well a batch finds the ligands that its library marks as active. */
import type { Command } from 'commander';

import type { Client } from '../../../client/index.ts';
import type { DockingResult } from '../../../client/types.ts';
import { enrichmentOf } from '../../../domain/enrichment.ts';
import type { Enrichment } from '../../../domain/enrichment.ts';
import { count } from '../../../tools/shown.ts';
import { someText } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { facts } from '../../table.ts';
import { withService } from '../service.ts';
import { readingIds } from './batch-id.ts';

const LONGEST_COLUMN = 256;
/** What marks a ligand as active or as inactive, in any case. */
const MARKS: Readonly<Record<string, boolean>> = {
  ...{ '1': true, '1.0': true, true: true, yes: true, active: true, actives: true },
  ...{
    '0': false,
    '0.0': false,
    false: false,
    no: false,
    inactive: false,
    inactives: false,
    decoy: false,
    decoys: false,
  },
};
/** Names of columns that mark actives without being asked for. */
const USUAL = /^(is[ _-]?)?(activ(e|es|ity)|class|label|type)([ _-]?(flag|class|label))?$/i;

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
    if (result.status !== 'PENDING' && result.status !== 'RUNNING') results.push(result);
  }
  const column = columnOf(results, asked);
  const marked = results.map((result) => ({
    score: result.best_affinity_kcal_mol,
    isActive: markOf(result.input_properties[column]),
  }));
  const known = marked.flatMap(({ score, isActive }) => (isActive === null ? [] : [{ score, isActive }]));
  const enrichment = enrichmentOf(known);
  if (enrichment === null) {
    const kind = known[0]?.isActive === true ? 'active' : 'inactive';
    const what = known.length === 0 ? 'marks no ligand that has ended' : `marks all ligands as ${kind}`;
    throw refused(`The column ${column} ${what}; an enrichment needs actives and others.`);
  }
  const data = { column, unmarked: marked.length - known.length, ...enrichment };
  return { data, text: textOf(data) };
}

/** The column that marks actives. @throws CommandProblem where there is none. */
function columnOf(results: readonly DockingResult[], asked: string | undefined): string {
  const names = [...new Set(results.flatMap((result) => Object.keys(result.input_properties)))];
  const found =
    asked === undefined
      ? names.find((name) => USUAL.test(name) && isMarking(results, name))
      : names.find((name) => name === asked);
  if (found !== undefined) return found;
  const there = names.length === 0 ? 'The library has no further columns' : `It has ${names.join(', ')}`;
  throw refused(
    asked === undefined
      ? `No column of the library marks actives. ${there}; name one with --actives.`
      : `The library has no column ${asked}. ${there}.`,
  );
}

function isMarking(results: readonly DockingResult[], column: string): boolean {
  const values = results
    .map((result) => result.input_properties[column])
    .filter((value) => value !== undefined);
  return values.length > 0 && values.every((value) => markOf(value) !== null);
}

function markOf(value: string | undefined): boolean | null {
  return MARKS[value?.trim().toLowerCase() ?? ''] ?? null;
}

function refused(message: string): CommandProblem {
  return new CommandProblem(EXIT.refused, 'VALIDATION_ERROR', message);
}

function textOf(found: Enrichment & { readonly column: string; readonly unmarked: number }): string {
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
