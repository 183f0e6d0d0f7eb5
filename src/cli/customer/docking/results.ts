/** Results of batches and runs: filtered and sorted by the service, also while they arrive; and the poses of one ligand. */
import type { Command } from 'commander';

import type { Client, ResultFilter, ResultScope } from '../../../client/index.ts';
import type { DockingInteractionListResponse, DockingPose, DockingResult } from '../../../client/types.ts';
import { contactOf, MOST_CONTACTS } from '../../../domain/docking-interactions.ts';
import type { ResultSort } from '../../../domain/docking-lists.ts';
import { count } from '../../../tools/shown.ts';
import { wholeNumber } from '../../arguments.ts';
import type { CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { table } from '../../table.ts';
import type { Column } from '../../table.ts';
import { nameOf, resultColumns, SCORE_NOTE } from './text.ts';
import { filterOf, sortReader, WHERE_HELP, whereReader } from './where.ts';
import type { Conditions } from './where.ts';

/** The options by which results are chosen. */
export interface ResultOptions {
  readonly where?: Conditions;
  readonly maxMissing?: number;
  readonly sort?: ResultSort;
  readonly top?: number;
}

const [USUAL_TOP, MOST_TOP, PAGE] = [25, 10_000, 1000] as const;

/** Adds the options by which results are chosen. */
export function addResultOptions(command: Command): Command {
  return command
    .option('--where <condition>', WHERE_HELP, whereReader)
    .option(
      '--max-missing <n>',
      'how many of the interactions of --where a pose may lack',
      wholeNumber(0, MOST_CONTACTS - 1),
    )
    .option('--sort <order>', 'affinity (default: the lowest first), efficiency or ligandId', sortReader)
    .option('--top <n>', `how many to show, 1 to 10,000 (default: ${USUAL_TOP})`, wholeNumber(1, MOST_TOP));
}

/** Reads and shows results. */
export async function showResults(
  client: Client,
  scope: ResultScope,
  options: ResultOptions,
): Promise<CommandResult> {
  const filter = filterOf(options);
  const { results, final, isMore } = await readTop(client, scope, filter, options.top ?? USUAL_TOP);
  const note = final ? '' : 'It is still running: more ligands may come, and ranks may change.\n';
  const data = { results, final };
  if (results.length === 0) {
    const asked = Object.keys(filter).some((name) => name !== 'sort');
    return { data, text: `${asked ? 'No ligand meets these conditions.' : 'No ligand yet.'}\n${note}` };
  }
  const columns = resultColumns(filter.interaction !== undefined);
  const more = isMore
    ? `More: add --top ${count(Math.min(MOST_TOP, results.length * 10)).replaceAll(',', '')}\n`
    : '';
  const scores = results.some(({ best_affinity_kcal_mol: best }) => best !== null) ? `${SCORE_NOTE}\n` : '';
  return { data, text: `${table(columns, results)}${more}${note}${scores}` };
}

async function readTop(
  client: Client,
  scope: ResultScope,
  filter: ResultFilter,
  top: number,
): Promise<{ readonly results: DockingResult[]; readonly final: boolean; readonly isMore: boolean }> {
  const results: DockingResult[] = [];
  for (let cursor: string | undefined; ;) {
    const limit = Math.min(PAGE, top);
    const page = await client.docking.listResults(scope, {
      ...filter,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    results.push(...page.results);
    const { final, nextCursor } = page;
    if (nextCursor === null || results.length >= top) {
      const isMore = nextCursor !== null || results.length > top;
      return { results: results.slice(0, top), final, isMore };
    }
    cursor = nextCursor;
  }
}

/** A pose with its contacts. */
interface ShownPose {
  readonly pose: DockingPose;
  readonly interactions: DockingInteractionListResponse['interactions'];
  readonly computed: boolean;
}

const MOST_POSES_SHOWN = 20;

/** Shows the poses of one ligand, each with its contacts. @throws CommandProblem where the ligand is not there. */
export async function showPoses(client: Client, scope: ResultScope, ligand: string): Promise<CommandResult> {
  const result = await findLigand(client, scope, ligand);
  const { poses } = await client.docking.poses(result.id);
  const shown: ShownPose[] = [];
  for (const pose of poses.slice(0, MOST_POSES_SHOWN)) {
    const { interactions, computed } = await client.docking.interactions(pose.id);
    shown.push({ pose, interactions, computed });
  }
  const data = { result, poses: shown.map(({ pose, ...contacts }) => ({ ...pose, ...contacts })) };
  return { data, text: `${ligandText(result)}${posesText(shown)}` };
}

async function findLigand(client: Client, scope: ResultScope, ligand: string): Promise<DockingResult> {
  for await (const result of client.docking.results(scope, { sort: 'ligandId' })) {
    if (result.ligand_id === ligand || result.label === ligand || result.id === ligand) return result;
  }
  throw new CommandProblem(
    EXIT.refused,
    'NOT_FOUND',
    `There is no ligand ${ligand}; name it by its id, as the column LIGAND of the results has it.`,
  );
}

function ligandText(result: DockingResult): string {
  const { smiles_input: given, smiles_docked: docked, input_properties: properties, failure } = result;
  const more = Object.entries(properties).map(([name, value]) => `${name}: ${value}`);
  const lines = [
    nameOf(result),
    ...(given === null ? [] : [`  as given   ${given}`]),
    ...(docked === null ? [] : [`  as docked  ${docked}`]),
    ...statesLines(result),
    ...(more.length === 0 ? [] : [`  ${more.join(', ')}`]),
    ...result.warnings.map(({ code, message }) => `  ${code}: ${message}`),
    ...(failure === null ? [] : [`  ${failure.code}: ${failure.message}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** Each state that was docked, the one with the poses marked. */
function statesLines({ states }: DockingResult): string[] {
  if (states === null) return [];
  const told = states.each.map(
    ({ smiles, cost_kcal_mol: cost, best_affinity_kcal_mol: score }, index) =>
      `  ${index + 1 === states.won ? '*' : ' '} ${score === null ? 'no pose' : score.toFixed(2)} + ${cost.toFixed(2)}  ${smiles ?? ''}`,
  );
  const more = states.on_paper > told.length ? ` of ${states.on_paper} on paper` : '';
  return [`  states     ${told.length}${more}; score + cost in kcal/mol, * has the poses`, ...told];
}

function posesText(shown: readonly ShownPose[]): string {
  if (shown.length === 0) return 'It has no poses.\n';
  const columns: readonly Column<ShownPose>[] = [
    { title: 'MODE', value: ({ pose }) => pose.mode, align: 'right' },
    { title: 'AFFINITY', value: ({ pose }) => pose.affinity_kcal_mol.toFixed(2), align: 'right' },
    { title: 'RMSD Å', value: ({ pose }) => pose.rmsd_lower_angstrom?.toFixed(1) ?? null, align: 'right' },
    { title: 'FAILED CHECKS', value: ({ pose }) => pose.failed_checks, align: 'right' },
    { title: 'CONTACTS', value: contactsText },
  ];
  return `${table(columns, shown)}${SCORE_NOTE}\n`;
}

/** The contacts of a pose by type, hydrophobic ones last because they are many and say least. */
function contactsText({ interactions, computed }: ShownPose): string {
  if (!computed) return 'not computed';
  const contacts = interactions.map(({ type, receptor }) =>
    contactOf({
      type,
      receptor: {
        chain: receptor.chain,
        residue: receptor.residue,
        residueName: receptor.residue_name,
        insertionCode: receptor.insertion_code ?? '',
      },
    }),
  );
  const isWeak = (contact: string): number => (contact.startsWith('hydrophobic') ? 1 : 0);
  return [...new Set(contacts)].toSorted((a, b) => isWeak(a) - isWeak(b)).join(' ');
}
