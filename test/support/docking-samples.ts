/** Rows of what is recorded of docked ligands with every column set, in the order of their references. */
import { v7 as uuidv7 } from 'uuid';

import {
  DockingContactEntity,
  DockingRankCountEntity,
  DockingPoseEntity,
  DockingPreparationEntity,
  DockingResultEntity,
} from '../../entities/docking.ts';
import {
  DockingBatchEntity,
  DockingExperimentEntity,
  DockingRunEntity,
  DockingSampleEntity,
} from '../../entities/docking-records.ts';
import { DockingExportEntity } from '../../entities/docking-exports.ts';
import { LigandLibraryEntity, LigandLibraryRecordEntity } from '../../entities/libraries.ts';
import { accountId, AT, BIG, JSON_VALUE, jobId, sample, userId } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

const [resultId, batchId, libraryId] = [uuidv7(), uuidv7(), uuidv7()];

/** A docked ligand, one of its modes, a library with a record, experiments, a batch, its run and an export. */
export const DOCKING_SAMPLES: readonly Sample[] = [
  sample(
    DockingResultEntity,
    {
      ...{ id: resultId, jobId, ordinal: 0, execution: 2, ligandId: 'ligand-1', resultSha256: 'a' },
      ...{ bestAffinityKcalMol: -7.1, ligandEfficiency: 0.3, sizeIndependentEfficiency: 2.5, poseCount: 9 },
      ...{ bestPoseFailedChecks: 1, plausiblePoseCount: 8, heavyAtoms: 23, formalCharge: -1 },
      ...{ smilesInput: 'CC(=O)O', smilesDocked: 'CC(=O)[O-]', warnings: [JSON_VALUE], createdAt: AT },
      ...{ toolchainSha256: 'b', cpuClass: 'x86-64-v3', engineVersion: '1.2.7' },
      ...{
        descriptors: JSON_VALUE,
        secondAffinityKcalMol: -5.2,
        secondRank: 2,
        cluster: 1,
        keyInteractions: ['a'],
        states: JSON_VALUE,
      },
      cachedFromResultId: uuidv7(),
    },
    {
      ...{ resultSha256: null, ligandEfficiency: null, sizeIndependentEfficiency: null, poseCount: null },
      ...{ bestPoseFailedChecks: null, plausiblePoseCount: null, heavyAtoms: null, formalCharge: null },
      ...{
        descriptors: null,
        secondAffinityKcalMol: null,
        secondRank: null,
        cluster: null,
        keyInteractions: null,
        states: null,
      },
      ...{ toolchainSha256: null, cpuClass: null, engineVersion: null },
      ...{ smilesInput: null, smilesDocked: null, warnings: [], cachedFromResultId: null },
    },
    { id: uuidv7(), ordinal: 1 },
  ),
  sample(
    DockingPoseEntity,
    {
      ...{ id: uuidv7(), resultId, mode: 1, affinityKcalMol: -7.1 },
      ...{ rmsdLowerAngstrom: 0.1, rmsdUpperAngstrom: 1.2, failedChecks: 3, interactions: [JSON_VALUE] },
      secondAffinityKcalMol: -5.2,
    },
    {
      rmsdLowerAngstrom: null,
      rmsdUpperAngstrom: null,
      failedChecks: null,
      interactions: null,
      secondAffinityKcalMol: null,
    },
    { id: uuidv7(), mode: 2 },
  ),
  sample(DockingContactEntity, {
    ...{ jobId, contact: 'hydrogen_bond:A:GLN725', resultId, block: 0, modes: 0x1111111111111 },
  }),
  sample(DockingRankCountEntity, { jobId, step: -113, count: 3 }),
  sample(
    DockingPreparationEntity,
    {
      ...{ jobId, ordinal: 0, heavyAtoms: 4, formalCharge: -1, smilesInput: 'CC(=O)O' },
      ...{ smilesDocked: 'CC(=O)[O-]', warnings: [JSON_VALUE], states: 4 },
    },
    {
      ...{ heavyAtoms: null, formalCharge: null, smilesInput: null, smilesDocked: null, warnings: [] },
      states: null,
    },
    { ordinal: 1 },
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
        usedAt: AT,
        contentSha256: 'b',
        recordCount: 3,
        taskCount: 2,
        unreadableCount: 1,
        propertyNames: ['MW', 'logP'],
        losses: JSON_VALUE,
      },
      createdAt: AT,
    },
    { byteSize: null, contentSha256: null, propertyNames: [], losses: null },
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
        smiles: 'CCO',
        sameAs: 0,
        fault: 'why',
        source: JSON_VALUE,
      },
      properties: JSON_VALUE,
    },
    {
      ...{ line: null, startByte: null, endByte: null, contentSha256: null, heavyAtoms: null, sameAs: null },
      ...{ smiles: null, fault: null, source: null, properties: {} },
    },
    { ordinal: 2, ligandId: 'b' },
  ),
  sample(
    DockingExperimentEntity,
    {
      ...{ id: uuidv7(), accountId, userId, name: 'first', receptorArtifactId: null, createdAt: AT },
      ...{ receptorIdentity: JSON_VALUE, ligandArtifactId: uuidv7(), ligandIdentity: null },
      parameters: JSON_VALUE,
    },
    { receptorArtifactId: null, ligandIdentity: null },
    { id: uuidv7() },
  ),
  sample(
    DockingBatchEntity,
    {
      ...{ id: batchId, accountId, userId, name: 'campaign', engine: 'autodock-vina', createdAt: AT },
      ...{ receptorArtifactId: uuidv7(), receptorIdentity: JSON_VALUE, parameters: JSON_VALUE },
      ...{ libraryId, librarySha256: 'a', ligandCount: 10_000, shardSize: 10 },
      ...{ reuse: 'never', dryRun: true, stopWhen: { topN: 10, unchangedFor: 100 }, sample: true },
      ligandPreparation: JSON_VALUE,
      sampleAdmissions: JSON_VALUE,
    },
    {
      ...{ receptorArtifactId: null, receptorIdentity: null, libraryId: null },
      ...{ reuse: 'verified', dryRun: false, stopWhen: null, sample: false },
      ligandPreparation: null,
      sampleAdmissions: null,
    },
    { id: uuidv7() },
  ),
  sample(DockingRunEntity, {
    ...{ id: uuidv7(), accountId, userId, experimentId: null, batchId, number: 2, jobId },
    ...{ requestId: 'request-1', seedRequested: 42, ligands: [7, 0], createdAt: AT },
    retriedCodes: ['ENGINE_CRASHED'],
    ...{ reuse: null, stopState: JSON_VALUE },
  }),
  sample(
    DockingSampleEntity,
    {
      ...{ batchId, kind: 'other', jobId: null, seed: 43, createdAt: AT },
      ...{ failureCode: 'ACCOUNT_SUSPENDED', failureMessage: 'why' },
    },
    {},
    { kind: 'same' },
  ),
  sample(
    DockingExportEntity,
    {
      ...{ id: uuidv7(), accountId, userId, batchId, runId: null, format: 'parquet', query: JSON_VALUE },
      ...{ included: [JSON_VALUE], state: 'FAILED', resultCount: 7, complete: true, artifactId: null },
      ...{ failureCode: 'EXPORT_NOT_MADE', failureMessage: 'why', createdAt: AT, startedAt: AT },
      ...{ finishedAt: AT, sweptAt: AT },
    },
    {
      ...{ state: 'QUEUED', failureCode: null, failureMessage: null, startedAt: null, finishedAt: null },
      sweptAt: null,
    },
    { id: uuidv7() },
  ),
];
