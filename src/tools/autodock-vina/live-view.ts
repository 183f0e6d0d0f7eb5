/**
 * The ranking of a docking job, also while it runs: from the summaries of its tasks, lowest score first, ties by id, as
 * the service ranks at the end. A score ranks; it is no measured affinity.
 */
import Joi from 'joi';

import type { LiveView, SeenTask, ShownTask } from '../tool.ts';

/** What a summary says of a docked ligand. */
interface Docked {
  readonly bestAffinityKcalMol: number;
  /** Score per heavy atom, sign turned; null when the task does not tell it. */
  readonly ligandEfficiency: number | null;
  /** Score over the heavy atoms to the power of 0.3, sign turned; null when the task does not tell it. */
  readonly sizeIndependentEfficiency: number | null;
  /** How many checks the best pose fails; null when the task does not tell it. */
  readonly bestPoseFailedChecks: number | null;
}

/** A text that is shown with every ranking. */
export const SCORE_NOTE = 'Scores rank ligands against each other; they are not measured affinities.';

// A number that cannot be read is left out of the row; without a score there is no row.
const number = Joi.number().allow(null).default(null).failover(null);
const SUMMARY = Joi.object<Docked>({
  bestAffinityKcalMol: Joi.number().required(),
  ligandEfficiency: number,
  sizeIndependentEfficiency: number,
  bestPoseFailedChecks: number,
})
  .unknown()
  .required()
  .prefs({ convert: false });

/** The ranking, as the tool's part of the live view. */
export const dockingView: LiveView = {
  summary: SUMMARY,
  columns: [
    { title: 'RANK', align: 'right' },
    { title: 'LIGAND' },
    { title: 'SCORE kcal/mol', align: 'right' },
    { title: 'PER ATOM', align: 'right' },
    { title: 'PER N^0.3', align: 'right' },
    { title: 'CHECKS' },
  ],
  note: SCORE_NOTE,
  show(tasks) {
    return tasks
      .flatMap(dockedOf)
      .sort((a, b) => a.docked.bestAffinityKcalMol - b.docked.bestAffinityKcalMol || (a.id < b.id ? -1 : 1))
      .map(({ id, docked }, index) => shown(index + 1, id, docked));
  },
};

function dockedOf({ id, state, summary }: SeenTask): readonly { id: string; docked: Docked }[] {
  const result = SUMMARY.validate(summary);
  return state !== 'SUCCEEDED' || result.error !== undefined ? [] : [{ id, docked: result.value }];
}

function shown(rank: number, ligandId: string, docked: Docked): ShownTask {
  const { bestAffinityKcalMol, ligandEfficiency, sizeIndependentEfficiency } = docked;
  const { bestPoseFailedChecks: failedChecks } = docked;
  const score = bestAffinityKcalMol.toFixed(2);
  return {
    data: {
      rank,
      ligandId,
      bestAffinityKcalMol,
      ligandEfficiency,
      sizeIndependentEfficiency,
      failedChecks,
    },
    id: ligandId,
    liveLine: `${String(rank).padStart(4)}  ${score.padStart(7)}  ${ligandId}`,
    best: `${ligandId} ${score} kcal/mol`,
    cells: [
      rank,
      ligandId,
      score,
      ligandEfficiency?.toFixed(3) ?? null,
      sizeIndependentEfficiency?.toFixed(3) ?? null,
      checksText(failedChecks),
    ],
  };
}

/** The cell that tells how the checks of the best pose ended. */
function checksText(failed: number | null): string | null {
  if (failed === null) return null;
  return failed === 0 ? 'passed' : `${failed} failed`;
}
