/**
 * The ranking of a docking job, also while it runs: from the summaries of its tasks, lowest score first, ties by id, as
 * the service ranks at the end. A score ranks; it is no measured affinity.
 */
import { table } from '../table.ts';

/** The fields of a task that the ranking reads; the members of a summary depend on the tool. */
export interface ScoredTask {
  readonly id: string;
  readonly state: string;
  readonly summary: unknown;
}

/** One docked ligand. */
export interface RankedLigand {
  readonly rank: number;
  readonly ligandId: string;
  readonly bestAffinityKcalMol: number;
  /** Score per heavy atom, sign turned; null when the task does not tell it. */
  readonly ligandEfficiency: number | null;
  /** Score over the heavy atoms to the power of 0.3, sign turned; null when the task does not tell it. */
  readonly sizeIndependentEfficiency: number | null;
  /** How many checks the best pose fails; null when the task does not tell it. */
  readonly failedChecks: number | null;
}

/** A text that is shown with every ranking. */
export const SCORE_NOTE = 'Scores rank ligands against each other; they are not measured affinities.';

/** Ranks the tasks that have a score. */
export function rankingOf(tasks: readonly ScoredTask[]): RankedLigand[] {
  const scored = tasks.flatMap(({ id, state, summary }) => {
    const score = numberOf(summary, 'bestAffinityKcalMol');
    if (state !== 'SUCCEEDED' || score === null) return [];
    return [
      {
        ligandId: id,
        bestAffinityKcalMol: score,
        ligandEfficiency: numberOf(summary, 'ligandEfficiency'),
        sizeIndependentEfficiency: numberOf(summary, 'sizeIndependentEfficiency'),
        failedChecks: numberOf(summary, 'bestPoseFailedChecks'),
      },
    ];
  });
  return scored
    .sort((a, b) => a.bestAffinityKcalMol - b.bestAffinityKcalMol || (a.ligandId < b.ligandId ? -1 : 1))
    .map((ligand, index) => ({ rank: index + 1, ...ligand }));
}

/** A ranking as a table; empty when there is none. */
export function rankingTable(ranking: readonly RankedLigand[]): string {
  if (ranking.length === 0) return '';
  return table(
    [
      { title: 'RANK', value: ({ rank }) => rank, align: 'right' },
      { title: 'LIGAND', value: ({ ligandId }) => ligandId },
      { title: 'SCORE kcal/mol', value: (one) => one.bestAffinityKcalMol.toFixed(2), align: 'right' },
      { title: 'PER ATOM', value: (one) => one.ligandEfficiency?.toFixed(3) ?? null, align: 'right' },
      {
        title: 'PER N^0.3',
        value: (one) => one.sizeIndependentEfficiency?.toFixed(3) ?? null,
        align: 'right',
      },
      { title: 'CHECKS', value: ({ failedChecks }) => checksText(failedChecks) },
    ],
    ranking,
  );
}

/** The cell that tells how the checks of the best pose ended. */
function checksText(failed: number | null): string | null {
  if (failed === null) return null;
  return failed === 0 ? 'passed' : `${failed} failed`;
}

function numberOf(summary: unknown, name: string): number | null {
  if (typeof summary !== 'object' || summary === null || !(name in summary)) return null;
  const value: unknown = Object.entries(summary).find(([key]) => key === name)?.[1];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
