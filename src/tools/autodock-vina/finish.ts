/**
 * The files that are made of all ligands when the tasks have ended: the ranking, and a view of receptor, box and poses.
 */
import { DESCRIPTOR_NUMBERS } from '../../domain/descriptors.ts';
import { csvText as text } from '../../domain/csv.ts';
import { costOfState } from '../../domain/docking-results.ts';
import type { DockedLigand, ListedLigand } from '../../domain/docking-results.ts';
import type { JobLigand, SubmitJobRequest } from '../../domain/requests.ts';
import type { FinishedJob, FinishedTask, FinishFile } from '../finished.ts';
import { isFlexible } from './inputs.ts';
import { ligandsOf, searchOf } from './parameters.ts';
import { parseBox } from './structures.ts';
import { MOST_LOADED, viewScript } from './view.ts';

const COLUMNS = [
  'rank',
  'ligandId',
  'label',
  'best_affinity_kcal_mol',
  'ligand_efficiency',
  'pose_count',
  'status',
  'failure_code',
  'size_independent_efficiency',
  'failed_checks',
  'plausible_poses',
  'scoring_function',
  'smiles_input',
  'smiles_docked',
  'formal_charge',
  'warnings',
  ...DESCRIPTOR_NUMBERS.map(({ column }) => column),
  'alerts',
  'scaffold',
  'second_affinity_kcal_mol',
  'second_rank',
];
/** Of jobs with a ligand that is docked in its likely states; the ranking of every other job keeps its bytes. */
const STATE_COLUMNS = ['states_docked', 'state_cost_kcal_mol'];
/** How many columns behind the scoring function are of docked ligands alone, after the SMILES as it was given. */
const OF_DOCKED = COLUMNS.length - COLUMNS.indexOf('smiles_docked');
/** A further column or tag of a library is never taken for a column of the ranking. */
const PROPERTY = 'input_';

/** The files that are made at the end of a docking job. */
export function dockingFinishFiles(request: SubmitJobRequest, job: FinishedJob): readonly FinishFile[] {
  const prepare = job.steps.find((step) => step.kind === 'prepare' && step.state === 'SUCCEEDED');
  return [
    {
      name: 'ranking.csv',
      kind: 'ranking',
      mediaType: 'text/csv',
      format: 'csv',
      body: () => rankingTable(request, job),
    },
    ...(prepare === undefined ? [] : [viewFile(request, job, prepare)]),
  ];
}

/**
 * The ranking as CSV (RFC 4180), with a header line: docked ligands by affinity, equal affinities by id; then the other
 * ligands in the order of the request. Each id of a library has a line of its own, with the further columns or tags of its record.
 * The scoring function stands in each line, because ranks of different functions cannot be compared.
 */
export async function* rankingTable(request: SubmitJobRequest, job: FinishedJob): AsyncGenerator<string> {
  const ligands = ligandsOf(request.simulationParams);
  const ofStates = ligands.some(({ preparation }) => preparation.states === 'likely') ? STATE_COLUMNS : [];
  const scoringFunction = searchOf(request.simulationParams).scoringFunction ?? 'vina';
  const names = job.propertyNames;
  const lineOf = (cells: readonly string[], more: readonly string[], listed: ListedLigand | null): string => {
    const properties = names.map((name) => text(propertyOf(listed, name)));
    return `${[...cells, scoringFunction, ...more, ...properties].join(',')}\r\n`;
  };
  yield `${[...COLUMNS, ...ofStates, ...names.map((name) => text(`${PROPERTY}${name}`))].join(',')}\r\n`;
  let rank = 0;
  for await (const ligand of job.docked()) {
    rank += 1;
    const label = ligand.listed?.label ?? ligands[ligand.ordinal]?.label ?? ligand.ligandId;
    yield lineOf(
      rankedCells(rank, ligand, label),
      [...chemistryCells(ligand), ...stateCells(ligand).slice(0, ofStates.length)],
      ligand.listed,
    );
  }
  for await (const task of job.tasks()) {
    if (task.isDocked) continue;
    const label = task.listed?.label ?? ligands[task.ordinal]?.label ?? task.itemId;
    const given = task.listed?.smiles ?? smilesOf(ligands[task.ordinal]);
    yield lineOf(
      otherCells(task, label),
      [text(given), ...Array<string>(OF_DOCKED + ofStates.length).fill('')],
      task.listed ?? null,
    );
  }
}

/** The SMILES of a ligand of the request; empty for one that came in another form. */
function smilesOf(ligand: JobLigand | undefined): string {
  return ligand?.source.kind === 'smiles' ? ligand.source.smiles : '';
}

function propertyOf(listed: ListedLigand | null, name: string): string {
  return listed !== null && Object.hasOwn(listed.properties, name) ? (listed.properties[name] ?? '') : '';
}

/** Makes the cells of a ligand's chemistry: given and docked SMILES, charge, warnings, descriptors, second score and rank. */
function chemistryCells(ligand: DockedLigand): string[] {
  const { smilesInput, smilesDocked, formalCharge, warningCodes, descriptors } = ligand;
  return [
    text(smilesInput ?? ''),
    text(smilesDocked ?? ''),
    number(formalCharge),
    text(warningCodes.join('; ')),
    ...DESCRIPTOR_NUMBERS.map(({ name }) => number(descriptors?.[name] ?? null)),
    text(descriptors?.alerts.join('; ') ?? ''),
    text(descriptors?.scaffold ?? ''),
    number(ligand.secondAffinityKcalMol),
    number(ligand.secondRank),
  ];
}

/** The number of states of a ligand, and the cost of the one with the poses. */
function stateCells({ states }: DockedLigand): string[] {
  return [number(states?.each.length ?? null), number(costOfState(states))];
}

/** The cells of a docked ligand. */
function rankedCells(rank: number, ligand: DockedLigand, label: string): string[] {
  return [
    String(rank),
    text(ligand.ligandId),
    text(label),
    number(ligand.bestAffinityKcalMol),
    number(ligand.ligandEfficiency),
    number(ligand.poseCount),
    'SUCCEEDED',
    '',
    number(ligand.sizeIndependentEfficiency),
    number(ligand.bestPoseFailedChecks),
    number(ligand.plausiblePoseCount),
  ];
}

/** The cells of a ligand without a pose. */
function otherCells({ itemId, state, failureCode }: FinishedTask, label: string): string[] {
  return ['', text(itemId), text(label), '', '', '', state, text(failureCode ?? ''), '', '', ''];
}

function viewFile(request: SubmitJobRequest, job: FinishedJob, prepare: FinishedTask): FinishFile {
  const box = parseBox(prepare.summary?.['box']);
  const body = async function* (): AsyncGenerator<string> {
    const best: string[] = [];
    let count = 0;
    for await (const { ligandId, listed } of job.docked()) {
      // An equal ligand has no files of its own.
      if (listed?.sameAs != null) continue;
      count += 1;
      if (count <= MOST_LOADED) best.push(ligandId);
    }
    yield viewScript(best, box, { isFlexible: isFlexible(request), dockedCount: count });
  };
  return { name: 'view.pml', kind: 'view', mediaType: 'text/plain', format: 'pml', body };
}

function number(value: number | null): string {
  return value === null ? '' : String(value);
}
