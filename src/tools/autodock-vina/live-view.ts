/**
 * The ranking of a docking job, also while it runs: from the summaries of its tasks, lowest score first, ties by id, as
 * the service ranks at the end. A score ranks; it is no measured affinity.
 */
import Joi from 'joi';

import type { LiveView, SeenTask, ShownTask, TaskSummary } from '../shown.ts';

/** Facts of a docked ligand in a summary. */
interface Docked {
  readonly bestAffinityKcalMol: number;
  /** Score per heavy atom, sign turned; null when the task does not tell it. */
  readonly ligandEfficiency: number | null;
  /** Score over the heavy atoms to the power of 0.3, sign turned; null when the task does not tell it. */
  readonly sizeIndependentEfficiency: number | null;
  /** How many checks the best pose fails; null when the task does not tell it. */
  readonly bestPoseFailedChecks: number | null;
}

interface DockedLigand {
  readonly id: string;
  readonly docked: Docked;
}

/** A text that is shown with every ranking. */
export const SCORE_NOTE = 'Scores rank ligands against each other; they are not measured affinities.';

const SUMMARY = Joi.object({
  bestAffinityKcalMol: Joi.number().required().description('Score of the best pose in kcal/mol.'),
  ligandEfficiency: Joi.number()
    .allow(null)
    .description('The same per heavy atom in kcal/mol, positive where the ligand binds.'),
  sizeIndependentEfficiency: Joi.number()
    .allow(null)
    .description(
      'The same over the number of heavy atoms to the power of 0.3, positive where the ligand binds.',
    ),
  bestPoseFailedChecks: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .description('Number of checks that the best pose fails.'),
  plausiblePoseCount: Joi.number().integer().min(0).description('Number of poses that pass every check.'),
  heavyAtoms: Joi.number().integer().min(1).description('Number of heavy atoms of the ligand.'),
  poseCount: Joi.number().integer().min(1).description('Number of poses.'),
  smilesDocked: Joi.string().description('SMILES of the ligand as it was docked, with its charges.'),
})
  .unknown()
  .description('What a docked ligand says of itself; there may be further members.');

/** The summary of a docked ligand. */
export const dockingSummary: TaskSummary = { name: 'DockedLigandSummary', schema: SUMMARY };

// A number that cannot be read is left out of the row; without a score there is no row.
const number = Joi.number().allow(null).default(null).failover(null);
const RANKED = Joi.object<Docked>({
  bestAffinityKcalMol: Joi.number().required(),
  ligandEfficiency: number,
  sizeIndependentEfficiency: number,
  bestPoseFailedChecks: number,
})
  .unknown()
  .required()
  .prefs({ convert: false });

/** The ranking, and the best ligand in one line. */
export const dockingView: LiveView = {
  line(tasks) {
    const [best] = rankedOf(tasks);
    return best === undefined ? null : `best so far: ${best.id} ${scoreOf(best.docked)} kcal/mol`;
  },
  ranking: {
    columns: [
      { title: 'RANK', align: 'right' },
      { title: 'LIGAND' },
      { title: 'SCORE kcal/mol', align: 'right' },
      { title: 'PER ATOM', align: 'right' },
      { title: 'PER N^0.3', align: 'right' },
      { title: 'CHECKS' },
    ],
    note: SCORE_NOTE,
    show: (tasks) => rankedOf(tasks).map(({ id, docked }, index) => shown(index + 1, id, docked)),
  },
};

function rankedOf(tasks: readonly SeenTask[]): readonly DockedLigand[] {
  return tasks
    .flatMap(dockedOf)
    .sort((a, b) => a.docked.bestAffinityKcalMol - b.docked.bestAffinityKcalMol || (a.id < b.id ? -1 : 1));
}

function dockedOf({ id, state, summary }: SeenTask): readonly DockedLigand[] {
  const result = RANKED.validate(summary);
  return state !== 'SUCCEEDED' || result.error !== undefined ? [] : [{ id, docked: result.value }];
}

function scoreOf({ bestAffinityKcalMol }: Docked): string {
  return bestAffinityKcalMol.toFixed(2);
}

function shown(rank: number, ligandId: string, docked: Docked): ShownTask {
  const { bestAffinityKcalMol, ligandEfficiency, sizeIndependentEfficiency } = docked;
  const { bestPoseFailedChecks: failedChecks } = docked;
  const score = scoreOf(docked);
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
