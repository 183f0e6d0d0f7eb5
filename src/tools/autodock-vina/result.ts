/**
 * `result.json` of a docked ligand: judged by result.schema.json, and compared with the digest that it contains. Facts that the
 * schema cannot check are compared here, because customers rank by it: modes are counted from 1 in the order of their scores, the
 * efficiencies are those of the best score, and the poses are those of the state that won.
 */
import type { LigandDescriptors } from '../../domain/descriptors.ts';
import type { PoseInteraction } from '../../domain/docking-interactions.ts';
import type { DockedPose, DockingRecord } from '../../domain/docking-results.ts';
import { toldWarnings } from '../../domain/warnings.ts';
import { canonicalSha256InTurns } from '../canonical.ts';
import { asReport } from '../json-report.ts';
import { nextTurn } from '../pieces.ts';
import RESULT_SCHEMA from './result.schema.json' with { type: 'json' };
import { recordedStates, statesFault } from './states.ts';
import type { ToldStates } from './states.ts';

/** Facts of a prepared ligand in result.schema.json, as far as they are recorded. */
export interface LigandFacts {
  readonly heavyAtoms: number;
  readonly formalCharge: number;
  readonly smilesInput: string;
  readonly smilesDocked: string;
  readonly descriptors: LigandDescriptors;
}

interface Pose {
  readonly mode: number;
  readonly affinityKcalMol: number;
  readonly rmsdLowerAngstrom: number;
  readonly rmsdUpperAngstrom: number;
  readonly checks: { readonly passed: boolean; readonly failed: readonly string[] };
  readonly second?: { readonly affinityKcalMol: number; readonly rank: number };
  readonly interactions: readonly PoseInteraction[] | null;
}

/** Result of a docked ligand in result.schema.json, as far as it is compared or recorded. */
export interface DockingResult {
  readonly ligandId: string;
  readonly bestAffinityKcalMol: number;
  readonly ligandEfficiency: number;
  readonly sizeIndependentEfficiency: number;
  /** The SHA-256 of each file of poses, by the name of the file. */
  readonly files: Readonly<Record<string, string>>;
  readonly ligand: LigandFacts;
  readonly states?: ToldStates & { readonly won: number };
  readonly poses: readonly [Pose, ...Pose[]];
  readonly warnings: readonly unknown[];
  readonly provenance: {
    readonly toolchainSha256: string;
    readonly cpuClass: string;
    readonly tools: { readonly vina: string };
  };
}

/** `result.json` as its schema has it. */
export interface ResultFile {
  readonly sha256: string;
  readonly result: DockingResult;
}

/** A result of 100 modes has 10,400 values of checks, second opinions and side chains that turned, and at most 43,200 of interactions. */
export const MOST_RESULT_VALUES = 54_400;
/** Reads a result. */
export const RESULT = asReport<ResultFile>({ schema: RESULT_SCHEMA, values: MOST_RESULT_VALUES });

/** SMILES as they are recorded; SMILES of other characters or of another length are left out of the record. */
const SMILES = /^[\x20-\x7e]{1,4096}$/;
/** The most warnings that are recorded of a ligand. */
export const MOST_WARNINGS = 100;
/** Efficiencies have three decimals, so they may differ by half of the last decimal. */
const EFFICIENCY_TOLERANCE = 0.00051;
/** The best affinities grow with this power of the number of heavy atoms (Nissink 2009). */
const SIZE_EXPONENT = 0.3;

/** Finds the fault of the sums of a result that fits its schema; null for none. */
export async function resultFault({ sha256, result }: ResultFile): Promise<string | null> {
  if ((await canonicalSha256InTurns(result)) !== sha256) return 'has another digest than its content';
  await nextTurn();
  const { poses, states, ligand } = result;
  if (poses.some(({ mode }, index) => mode !== index + 1)) return 'has modes that are not counted from 1';
  const isAscending = poses.every(
    ({ affinityKcalMol }, index) =>
      index === 0 || affinityKcalMol >= (poses[index - 1]?.affinityKcalMol ?? 0),
  );
  if (!isAscending) return 'has poses that are not in the order of their energies';
  return (
    efficiencyFault(result) ??
    (states === undefined ? null : statesFault(states, poses[0].affinityKcalMol, ligand.smilesDocked))
  );
}

/** Customers compare ligands by the efficiencies, so the control side computes the efficiencies anew. */
function efficiencyFault({
  poses,
  ligand,
  bestAffinityKcalMol,
  ligandEfficiency,
  sizeIndependentEfficiency,
}: DockingResult): string | null {
  const best = poses[0].affinityKcalMol;
  if (bestAffinityKcalMol !== best) return 'has another best score';
  const isOff = (told: number, wanted: number): boolean => !(Math.abs(told - wanted) <= EFFICIENCY_TOLERANCE);
  if (isOff(ligandEfficiency, -best / ligand.heavyAtoms)) return 'has another ligand efficiency';
  return isOff(sizeIndependentEfficiency, -best / ligand.heavyAtoms ** SIZE_EXPONENT)
    ? 'has another size-independent efficiency'
    : null;
}

/** The record of a result with poses; the numbers of poses and of checks are counted here. */
export function recordOf({ sha256, result }: ResultFile): DockingRecord {
  const { ligand, poses, provenance, states } = result;
  const [first] = poses;
  return {
    kind: 'docking',
    resultSha256: sha256,
    bestAffinityKcalMol: first.affinityKcalMol,
    ligandEfficiency: result.ligandEfficiency,
    sizeIndependentEfficiency: result.sizeIndependentEfficiency,
    poseCount: poses.length,
    bestPoseFailedChecks: first.checks.failed.length,
    plausiblePoseCount: poses.filter(({ checks }) => checks.passed).length,
    ...factsOf(ligand),
    descriptors: ligand.descriptors,
    secondAffinityKcalMol: first.second?.affinityKcalMol ?? null,
    secondRank: first.second?.rank ?? null,
    states: states === undefined ? null : recordedStates(states, smilesOf),
    warnings: recordedWarnings(result.warnings),
    toolchainSha256: provenance.toolchainSha256,
    cpuClass: provenance.cpuClass,
    engineVersion: provenance.tools.vina,
    poses: poses.map(poseOf),
  };
}

/** Record of a prepared ligand, docked or not. */
export function factsOf({ heavyAtoms, formalCharge, smilesInput, smilesDocked }: LigandFacts) {
  return {
    heavyAtoms,
    formalCharge,
    smilesInput: smilesOf(smilesInput),
    smilesDocked: smilesOf(smilesDocked),
  };
}

/** The warnings of a report as they are recorded. */
export function recordedWarnings(warnings: readonly unknown[]): DockingRecord['warnings'] {
  return toldWarnings(warnings).slice(0, MOST_WARNINGS);
}

function poseOf(pose: Pose): DockedPose {
  return {
    mode: pose.mode,
    affinityKcalMol: pose.affinityKcalMol,
    rmsdLowerAngstrom: pose.rmsdLowerAngstrom,
    rmsdUpperAngstrom: pose.rmsdUpperAngstrom,
    failedChecks: pose.checks.failed.length,
    secondAffinityKcalMol: pose.second?.affinityKcalMol ?? null,
    interactions: pose.interactions,
  };
}

/** A SMILES as it is recorded; null where a file tells none that can be. */
function smilesOf(told: string): string | null {
  return SMILES.test(told) ? told : null;
}
