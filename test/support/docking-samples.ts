/** Rows of what is recorded of docked ligands with every column set, in the order of their references. */
import { v7 as uuidv7 } from 'uuid';

import { DockingContactEntity, DockingPoseEntity, DockingResultEntity } from '../../entities/docking.ts';
import { AT, JSON_VALUE, jobId, sample } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

const resultId = uuidv7();

/** A docked ligand and one of its modes. */
export const DOCKING_SAMPLES: readonly Sample[] = [
  sample(
    DockingResultEntity,
    {
      ...{ id: resultId, jobId, ordinal: 0, execution: 2, ligandId: 'ligand-1', resultSha256: 'a' },
      ...{ bestAffinityKcalMol: -7.1, ligandEfficiency: 0.3, sizeIndependentEfficiency: 2.5, poseCount: 9 },
      ...{ bestPoseFailedChecks: 1, plausiblePoseCount: 8, heavyAtoms: 23, formalCharge: -1 },
      ...{ smilesInput: 'CC(=O)O', smilesDocked: 'CC(=O)[O-]', warnings: [JSON_VALUE], createdAt: AT },
      cachedFromResultId: uuidv7(),
    },
    {
      ...{ resultSha256: null, ligandEfficiency: null, sizeIndependentEfficiency: null, poseCount: null },
      ...{ bestPoseFailedChecks: null, plausiblePoseCount: null, heavyAtoms: null, formalCharge: null },
      ...{ smilesInput: null, smilesDocked: null, warnings: [], cachedFromResultId: null },
    },
    { id: uuidv7(), ordinal: 1 },
  ),
  sample(
    DockingPoseEntity,
    {
      ...{ id: uuidv7(), resultId, mode: 1, affinityKcalMol: -7.1 },
      ...{ rmsdLowerAngstrom: 0.1, rmsdUpperAngstrom: 1.2, failedChecks: 3, interactions: [JSON_VALUE] },
    },
    { rmsdLowerAngstrom: null, rmsdUpperAngstrom: null, failedChecks: null, interactions: null },
    { id: uuidv7(), mode: 2 },
  ),
  sample(DockingContactEntity, {
    ...{ jobId, contact: 'hydrogen_bond:A:GLN725', resultId, block: 0, modes: 0x1111111111111 },
  }),
];
