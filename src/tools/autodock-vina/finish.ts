/**
 * The files that are made of all ligands when the tasks have ended: the ranking, and a view of receptor, box and poses.
 */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { compareText } from '../order.ts';
import type { FinishedTask, FinishFile } from '../tool.ts';
import { isFlexible } from './inputs.ts';
import { ligandsOf, searchOf } from './parameters.ts';
import { parseBox } from './structures.ts';
import { viewScript } from './view.ts';

/** A ligand as the ranking shows it. */
export interface RankedLigand {
  /** The ligand with rank 1 has the lowest affinity; null for a ligand without a pose. */
  readonly rank: number | null;
  readonly ligandId: string;
  readonly label: string;
  readonly affinityKcalMol: number | null;
  readonly ligandEfficiency: number | null;
  readonly poseCount: number | null;
  readonly status: FinishedTask['state'];
  readonly failureCode: string | null;
  readonly sizeIndependentEfficiency: number | null;
  /** The number of checks that mode 1 fails; 0 when mode 1 is plausible. */
  readonly failedChecks: number | null;
  /** The number of modes that pass every check. */
  readonly plausiblePoses: number | null;
  /** The scoring function of the affinity; ranks of different functions cannot be compared. */
  readonly scoringFunction: string;
}

/** The numbers that a ranking takes from the summary of a ligand. */
export const RANKED_NUMBERS = [
  'bestAffinityKcalMol',
  'ligandEfficiency',
  'poseCount',
  'sizeIndependentEfficiency',
  'bestPoseFailedChecks',
  'plausiblePoseCount',
] as const;

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
];
/** The beginnings of a cell that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The files that are made at the end of a docking job. */
export function dockingFinishFiles(
  request: SubmitJobRequest,
  tasks: readonly FinishedTask[],
): readonly FinishFile[] {
  const ranking = rankLigands(request, tasks);
  const prepare = tasks.find((task) => task.kind === 'prepare' && task.state === 'SUCCEEDED');
  const files: FinishFile[] = [
    {
      name: 'ranking.csv',
      kind: 'ranking',
      mediaType: 'text/csv',
      format: 'csv',
      body: bytes(rankingTable(ranking)),
    },
  ];
  if (prepare !== undefined) {
    const docked = ranking.flatMap((ligand) => (ligand.rank === null ? [] : [ligand.ligandId]));
    const box = parseBox(prepare.summary?.['box']);
    files.push({
      name: 'view.pml',
      kind: 'view',
      mediaType: 'text/plain',
      format: 'pml',
      body: bytes(viewScript(docked, box, { isFlexible: isFlexible(request) })),
    });
  }
  return files;
}

/** Docked ligands by affinity, equal affinities by id; then the other ligands in the order of the request. */
export function rankLigands(request: SubmitJobRequest, tasks: readonly FinishedTask[]): RankedLigand[] {
  const ligands = ligandsOf(request.simulationParams);
  const scoringFunction = searchOf(request.simulationParams).scoringFunction ?? 'vina';
  const rows = tasks
    .filter((task) => task.kind === 'task')
    .toSorted((a, b) => a.ordinal - b.ordinal)
    .map((task) => rowOf(task, ligands[task.ordinal]?.label ?? task.itemId, scoringFunction));
  const docked = rows
    .filter((row) => row.affinityKcalMol !== null)
    .toSorted(
      (a, b) => (a.affinityKcalMol ?? 0) - (b.affinityKcalMol ?? 0) || compareText(a.ligandId, b.ligandId),
    )
    .map((row, index) => ({ ...row, rank: index + 1 }));
  return [...docked, ...rows.filter((row) => row.affinityKcalMol === null)];
}

/** The ranking as CSV (RFC 4180), with a header line. */
export function rankingTable(ranking: readonly RankedLigand[]): string {
  const lines = ranking.map((row) => [
    number(row.rank),
    text(row.ligandId),
    text(row.label),
    number(row.affinityKcalMol),
    number(row.ligandEfficiency),
    number(row.poseCount),
    text(row.status),
    text(row.failureCode ?? ''),
    number(row.sizeIndependentEfficiency),
    number(row.failedChecks),
    number(row.plausiblePoses),
    text(row.scoringFunction),
  ]);
  return [COLUMNS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function rowOf(task: FinishedTask, label: string, scoringFunction: string): RankedLigand {
  const summary = task.state === 'SUCCEEDED' ? task.summary : null;
  const told = (name: (typeof RANKED_NUMBERS)[number]): number | null => finite(summary?.[name]);
  return {
    rank: null,
    ligandId: task.itemId,
    label,
    affinityKcalMol: told('bestAffinityKcalMol'),
    ligandEfficiency: told('ligandEfficiency'),
    poseCount: told('poseCount'),
    status: task.state,
    failureCode: task.failureCode,
    sizeIndependentEfficiency: told('sizeIndependentEfficiency'),
    failedChecks: told('bestPoseFailedChecks'),
    plausiblePoses: told('plausiblePoseCount'),
    scoringFunction,
  };
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function number(value: number | null): string {
  return value === null ? '' : String(value);
}

/** A customer's text as a cell: it is never a formula where a spreadsheet opens it, and never ends its cell. */
function text(value: string): string {
  const plain = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function bytes(content: string): Uint8Array {
  return Buffer.from(content, 'utf8');
}
