/** Rows of what is recorded of docked ligands with every column set, in the order of their references. */
import { v7 as uuidv7 } from 'uuid';

import { DockingPoseEntity, DockingResultEntity } from '../../entities/docking.ts';
import { LigandLibraryEntity, LigandLibraryRecordEntity } from '../../entities/libraries.ts';
import { accountId, AT, BIG, JSON_VALUE, jobId, sample } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

const [resultId, libraryId] = [uuidv7(), uuidv7()];

/** A docked ligand and one of its modes; a library and one of its records. */
export const DOCKING_SAMPLES: readonly Sample[] = [
  sample(
    DockingResultEntity,
    {
      ...{ id: resultId, jobId, ordinal: 0, execution: 2, ligandId: 'ligand-1', resultSha256: 'a' },
      ...{ bestAffinityKcalMol: -7.1, ligandEfficiency: 0.3, sizeIndependentEfficiency: 2.5, poseCount: 9 },
      ...{ bestPoseFailedChecks: 1, plausiblePoseCount: 8, heavyAtoms: 23, formalCharge: -1 },
      ...{ smilesInput: 'CC(=O)O', smilesDocked: 'CC(=O)[O-]', warnings: [JSON_VALUE], createdAt: AT },
    },
    {
      ...{ resultSha256: null, ligandEfficiency: null, sizeIndependentEfficiency: null, poseCount: null },
      ...{ bestPoseFailedChecks: null, plausiblePoseCount: null, heavyAtoms: null, formalCharge: null },
      ...{ smilesInput: null, smilesDocked: null, warnings: [] },
    },
    { id: uuidv7(), ordinal: 1 },
  ),
  sample(
    DockingPoseEntity,
    {
      ...{ id: uuidv7(), resultId, mode: 1, affinityKcalMol: -7.1 },
      ...{ rmsdLowerAngstrom: 0.1, rmsdUpperAngstrom: 1.2, failedChecks: 3 },
    },
    { rmsdLowerAngstrom: null, rmsdUpperAngstrom: null, failedChecks: null },
    { id: uuidv7(), mode: 2 },
  ),
  sample(
    LigandLibraryEntity,
    {
      ...{
        id: libraryId,
        accountId,
        format: 'csv',
        sha256: 'a',
        reader: 1,
        storageKey: 'key',
        byteSize: BIG,
      },
      ...{
        contentSha256: 'b',
        recordCount: 3,
        taskCount: 2,
        unreadableCount: 1,
        propertyNames: ['MW', 'logP'],
      },
      createdAt: AT,
    },
    { byteSize: null, contentSha256: null, propertyNames: [] },
    { id: uuidv7(), reader: 2 },
  ),
  sample(
    LigandLibraryRecordEntity,
    {
      ...{ libraryId, ordinal: 1, ligandId: 'a', label: 'A', line: 2, startByte: BIG, endByte: BIG },
      ...{
        contentSha256: 'c',
        structureSha256: 'd',
        heavyAtoms: 3,
        sameAs: 0,
        fault: 'why',
        source: JSON_VALUE,
      },
      properties: JSON_VALUE,
    },
    {
      ...{ line: null, startByte: null, endByte: null, contentSha256: null, heavyAtoms: null, sameAs: null },
      ...{ fault: null, source: null, properties: {} },
    },
    { ordinal: 2, ligandId: 'b' },
  ),
];
