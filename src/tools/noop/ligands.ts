/**
 * Ligands that meet nothing, so that tests run whole batches: each has a score that its id, the seed and the bytes of its output
 * decide, so a ligand that is run again with one seed has one score, wherever it runs. The output of a ligand tells by its kind
 * that it is scored.
 */
import { createHash } from 'node:crypto';

import type { StagedOutput } from '../../contracts/instance.ts';
import type { DockingRecord, PreparationRecord } from '../../domain/docking-results.ts';
import type { JobLigand, SubmitJobRequest } from '../../domain/requests.ts';
import { canonicalSha256 } from '../canonical.ts';
import type { PlannableRequest, ReuseFacts, ToolReuse, ToolScreening } from '../tool.ts';

/** The kind of the output of a ligand. */
export const SCORED_KIND = 'scored';
/** The output of the step before the tasks, and its kind. */
export const PREPARED = 'prepared.bin';
/** The kind of the output of the step before the tasks. */
export const PREPARED_KIND = 'prepared';
/** The class of processors that sessions of this tool tell. */
const CPU_CLASS = 'noop';

const BEST = -12;
const SPREAD = 8;
/** How far the scores of a ligand lie apart with different seeds, at most. */
const SEED_SPREAD = 0.6;
const WORD = 2 ** 32;

/** A batch of ligands that meet nothing; its parameters are read for the seed alone. */
export const noopScreening: ToolScreening = {
  needsReceptor: false,
  paramsOf: (_receptor, parameters) => (parameters === null ? {} : { seed: parameters.protocol.seed }),
};

/** The ligands of a request, or the records of a stored library. */
export function libraryOf({
  simulationParams,
}: Pick<SubmitJobRequest, 'simulationParams'>): readonly JobLigand[] | undefined {
  return simulationParams?.libraryUse?.records ?? simulationParams?.ligandLibrary;
}

/** The seed of the ligands; null where the request names none. */
export function seedOf({ simulationParams }: PlannableRequest): number | null {
  const { libraryUse, ligandLibrary, seed } = simulationParams ?? {};
  return libraryUse === undefined && ligandLibrary === undefined ? null : seed || null;
}

/** Whether ligands are only prepared. */
export function isDryRun({ simulationParams }: Pick<SubmitJobRequest, 'simulationParams'>): boolean {
  return simulationParams?.dryRun === true;
}

/** Reuse of earlier results for ligands. The score of a ligand follows from its id, so here a name is content. */
export const noopReuse: ToolReuse = {
  keys: (request, facts) => Promise.resolve(reuseKeys(request, facts)),
  outputName: (name) => name,
};

/** The keys by which equal ligands of earlier jobs are found; null for records that cannot be read. */
function reuseKeys(request: SubmitJobRequest, facts: ReuseFacts): readonly (string | null)[] {
  const ligands = libraryOf(request) ?? [];
  if (isDryRun(request)) return ligands.map(() => null);
  const noop = request.metadata?.['noop'] ?? null;
  const common = canonicalSha256({ ...facts, noop });
  return ligands.map(({ ligandId, source, preparation }) => {
    if (source.kind === 'record' && source.fault !== null) return null;
    const content = source.kind === 'record' ? source.sha256 : canonicalSha256(source);
    return canonicalSha256({ common, ligandId, content, preparation });
  });
}

/** The record of a ligand; of a dry run, that it can be scored. */
export function judgeLigand(
  { itemId, isDryRun: isDry = false }: { readonly itemId: string; readonly isDryRun?: boolean },
  { sha256 }: StagedOutput,
  toolchainSha256: string,
): DockingRecord | PreparationRecord {
  const ligand = { heavyAtoms: null, formalCharge: 0, smilesInput: null, smilesDocked: null, warnings: [] };
  if (isDry) return { kind: 'preparation', ...ligand, states: null };
  const affinityKcalMol = scoreOf(itemId, sha256);
  const mode = { mode: 1, affinityKcalMol, rmsdLowerAngstrom: 0, rmsdUpperAngstrom: 0 };
  return {
    kind: 'docking',
    resultSha256: sha256,
    bestAffinityKcalMol: affinityKcalMol,
    ...ligand,
    ligandEfficiency: null,
    sizeIndependentEfficiency: null,
    poseCount: 1,
    bestPoseFailedChecks: 0,
    plausiblePoseCount: 1,
    toolchainSha256,
    cpuClass: CPU_CLASS,
    engineVersion: null,
    descriptors: null,
    secondAffinityKcalMol: null,
    secondRank: null,
    states: null,
    poses: [{ ...mode, failedChecks: 0, secondAffinityKcalMol: null, interactions: null }],
  };
}

/** The score of a ligand, from its id and a little from the bytes of its output. */
export function scoreOf(itemId: string, outputSha256: string): number {
  const score = BEST + SPREAD * partOf(itemId) + SEED_SPREAD * partOf(`${itemId}/${outputSha256}`);
  return Math.round(score * 1000) / 1000;
}

/** A number from 0 to 1 that a text decides. */
function partOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / WORD;
}
