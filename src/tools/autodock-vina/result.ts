/**
 * `result.json` and `preparation.json` as far as the control side relies on them. The whole shape of a result is
 * docs/schemas/docking-result.schema.json; this file compares a result with the digest that it contains.
 */
import Joi from 'joi';

import { DESCRIPTOR_NUMBERS } from '../../domain/descriptors.ts';
import type { LigandDescriptors } from '../../domain/descriptors.ts';
import type { DockedPose, DockingRecord } from '../../domain/docking-results.ts';
import { isRecord } from '../../domain/is-record.ts';
import { toldWarnings } from '../../domain/warnings.ts';
import { canonicalSha256InTurns } from '../canonical.ts';
import { ANYTHING, hasShape, listOf, matching, objectOf } from '../json-shape.ts';
import type { JsonShape } from '../json-shape.ts';
import { JSON_BOUNDS } from '../json-value.ts';
import { nextTurn } from '../pieces.ts';
import type { Pieces } from '../pieces.ts';
import { areInteractions } from './interactions.ts';
import { MOST_POSES } from './sdf.ts';
import { recordedStates, STATES, statesFault } from './states.ts';
import type { ToldStates } from './states.ts';

/** The format of a result. */
const RESULT_SCHEMA = 'dockyard.docking.result/v2';

/** The figures of a result that relate its best score to the size of the ligand. */
export interface Efficiencies {
  readonly heavyAtoms?: number | undefined;
  readonly bestAffinityKcalMol?: number | undefined;
  readonly ligandEfficiency?: number | undefined;
  readonly sizeIndependentEfficiency?: number | undefined;
}

/** The fields of a result that the control side uses. */
export interface DockingResult {
  readonly ligandId: string;
  readonly efficiencies: Efficiencies;
  /** The affinities of the modes, the best first. */
  readonly affinitiesKcalMol: readonly number[];
  /** The SHA-256 of each file of poses, by the name of the file. */
  readonly files: Readonly<Record<string, string>>;
  /** Record of the result, once the files beside it are verified too. */
  readonly record: DockingRecord;
}

/** A parsed result, or why the file is none. */
export type ParsedResult =
  | { readonly ok: true; readonly result: DockingResult }
  | { readonly ok: false; readonly fault: string };

interface PoseRecord {
  readonly mode: number;
  readonly affinityKcalMol: number;
  readonly rmsdLowerAngstrom?: number;
  readonly rmsdUpperAngstrom?: number;
  readonly checks?: { readonly passed: boolean; readonly failed: readonly string[] };
  readonly second?: { readonly affinityKcalMol: number; readonly rank: number };
  /** Null where the interactions could not be computed. */
  readonly interactions?: unknown;
}

/** Facts of a prepared ligand in a file. */
export interface LigandFacts extends Pick<Efficiencies, 'heavyAtoms'> {
  readonly formalCharge?: number;
  readonly smilesInput?: string;
  readonly smilesDocked?: string;
  readonly descriptors?: LigandDescriptors;
}

interface ResultFile {
  readonly schema: string;
  readonly sha256: string;
  readonly result: Omit<Efficiencies, 'heavyAtoms'> & {
    readonly ligandId: string;
    readonly files: Readonly<Record<string, string>>;
    readonly ligand?: LigandFacts;
    readonly states?: ToldStates;
    readonly poses: readonly PoseRecord[];
    readonly warnings?: unknown;
    readonly provenance: {
      readonly toolchainSha256?: string;
      readonly cpuClass?: string;
      readonly tools?: unknown;
    };
  };
  readonly run: Readonly<Record<string, unknown>>;
}

/** A result of 100 modes has 10,400 values of checks, second opinions and side chains that turned, and at most 43,200 of interactions. */
export const MOST_RESULT_VALUES = 54_400;
/** PoseBusters has sixteen for a pose beside a receptor. */
const MOST_CHECKS = 32;
/** A ligand has a hundred heavy atoms at most, so these bounds refuse only what no column of integers holds. */
const MOST_ATOMS = 1_000_000;
/** SMILES as they are recorded; SMILES of other characters or of another length are left out of the record. */
const SMILES = /^[\x20-\x7e]{1,4096}$/;
/** The most warnings that are recorded of a ligand. */
export const MOST_WARNINGS = 100;
const SHA256 = /^[0-9a-f]{64}$/;
/** The package of AutoDock Vina among the versions that a result tells. */
const ENGINE_PACKAGE = 'vina';
/** A version as it is recorded; another text is left out of the record. */
const VERSION = /^[0-9A-Za-z.+_-]{1,64}$/;
/** A class of processors, such as x86-64-v3. */
const CPU_CLASS = /^[a-z0-9_-]{1,32}$/;
const digest = Joi.string().pattern(SHA256).required();
// Bounds of arrays come before their items: Joi looks at every item first otherwise, however many there are.
/** The names of checks. An instance wrote the names, and customers see them, so their characters are bounded. */
const checkNames = Joi.array()
  .max(MOST_CHECKS)
  .items(Joi.string().pattern(/^[a-z][a-z_-]{0,63}$/))
  .unique()
  .required();
const MOST_ALERTS = 50;
const DESCRIPTORS = Joi.object<LigandDescriptors>({
  ...Object.fromEntries(
    DESCRIPTOR_NUMBERS.map(({ name, isWhole }) => {
      const number = Joi.number().min(-MOST_ATOMS).max(MOST_ATOMS).required();
      return [name, isWhole ? number.integer().min(0) : number];
    }),
  ),
  alerts: Joi.array()
    .max(MOST_ALERTS)
    .items(Joi.string().pattern(/^[\x20-\x7e]{1,128}$/))
    .required(),
  scaffold: Joi.string().allow('').pattern(SMILES).required(),
});
/** The shape of what a file tells of a prepared ligand. */
export const LIGAND_FACTS = Joi.object<LigandFacts>({
  heavyAtoms: Joi.number().integer().min(1).max(MOST_ATOMS),
  formalCharge: Joi.number().integer().min(-MOST_ATOMS).max(MOST_ATOMS),
  smilesInput: Joi.string().allow(''),
  smilesDocked: Joi.string().allow(''),
  descriptors: DESCRIPTORS,
}).unknown();
const FILE = Joi.object<ResultFile>({
  schema: Joi.valid(RESULT_SCHEMA).required(),
  sha256: digest,
  result: Joi.object({
    ligandId: Joi.string().required(),
    bestAffinityKcalMol: Joi.number(),
    ligandEfficiency: Joi.number(),
    sizeIndependentEfficiency: Joi.number(),
    ligand: LIGAND_FACTS,
    states: STATES,
    files: Joi.object({
      'poses.sdf': digest,
      'poses.pdbqt': digest,
      'flexible.pdb': digest.optional(),
    }).required(),
    poses: Joi.array()
      .max(MOST_POSES)
      .items(
        Joi.object({
          mode: Joi.number().integer().min(1).required(),
          affinityKcalMol: Joi.number().required(),
          rmsdLowerAngstrom: Joi.number(),
          rmsdUpperAngstrom: Joi.number(),
          second: Joi.object({
            affinityKcalMol: Joi.number().required(),
            rank: Joi.number().integer().min(1).max(MOST_POSES).required(),
          }),
          checks: Joi.object({
            passed: Joi.boolean().required(),
            failed: checkNames,
            notChecked: checkNames,
            // Only where the time for the checks ran out.
            timeRanOut: Joi.valid(true),
          }),
        }).unknown(),
      )
      .required(),
    provenance: Joi.object({
      toolchainSha256: digest.optional(),
      cpuClass: Joi.string().pattern(CPU_CLASS),
    })
      .unknown()
      .required(),
  })
    .unknown()
    .required(),
  run: Joi.object().unknown().required(),
});

/** Takes the value of a result and recomputes the digest of its hashed part. */
export async function parseResult(value: unknown): Promise<ParsedResult> {
  const checked = FILE.required().validate(value, { convert: false });
  if (checked.error !== undefined) return { ok: false, fault: `is no result: ${checked.error.message}` };
  const { schema, sha256, result } = checked.value;
  await nextTurn();
  if ((await canonicalSha256InTurns(result)) !== sha256) {
    return { ok: false, fault: 'has another digest than its content' };
  }
  await nextTurn();
  const interactions = interactionsOf(checked.value);
  if (interactions === null) {
    return { ok: false, fault: `has a pose whose interactions are not those of ${schema}` };
  }
  const { ligandId, poses, files, ligand, bestAffinityKcalMol, ligandEfficiency, sizeIndependentEfficiency } =
    result;
  if (poses.some((pose, index) => pose.mode !== index + 1)) {
    return { ok: false, fault: 'has modes that are not counted from 1' };
  }
  if (poses.some(({ checks }) => checks !== undefined && checks.passed !== (checks.failed.length === 0))) {
    return { ok: false, fault: 'has a pose that passes and fails' };
  }
  const { states } = result;
  const fault =
    states === undefined ? null : statesFault(states, poses[0]?.affinityKcalMol, ligand?.smilesDocked);
  if (fault !== null) return { ok: false, fault };
  const affinitiesKcalMol = poses.map((pose) => pose.affinityKcalMol);
  const efficiencies = {
    heavyAtoms: ligand?.heavyAtoms,
    bestAffinityKcalMol,
    ligandEfficiency,
    sizeIndependentEfficiency,
  };
  const record = recordOf(checked.value, interactions);
  return { ok: true, result: { ligandId, affinitiesKcalMol, efficiencies, files, record } };
}

type Interactions = DockedPose['interactions'];

/** The interactions of each pose; null where a pose has others than the format of the result allows. */
function interactionsOf({ result }: ResultFile): readonly Interactions[] | null {
  const all: Interactions[] = [];
  for (const { interactions } of result.poses) {
    if (!areInteractions(interactions)) return null;
    all.push(interactions);
  }
  return all;
}

/**
 * The record of a result with poses. The figures of the record are those of the result, and the numbers of poses and of
 * checks are counted here.
 */
function recordOf({ sha256, result }: ResultFile, interactions: readonly Interactions[]): DockingRecord {
  const { ligand, poses } = result;
  const areChecked = poses.every(({ checks }) => checks !== undefined);
  return {
    kind: 'docking',
    resultSha256: sha256,
    bestAffinityKcalMol: poses[0]?.affinityKcalMol ?? Number.NaN,
    ligandEfficiency: result.ligandEfficiency ?? null,
    sizeIndependentEfficiency: result.sizeIndependentEfficiency ?? null,
    poseCount: poses.length,
    bestPoseFailedChecks: poses[0]?.checks?.failed.length ?? null,
    plausiblePoseCount: areChecked ? poses.filter(({ checks }) => checks?.passed === true).length : null,
    heavyAtoms: ligand?.heavyAtoms ?? null,
    formalCharge: ligand?.formalCharge ?? null,
    smilesInput: smilesOf(ligand?.smilesInput),
    smilesDocked: smilesOf(ligand?.smilesDocked),
    descriptors: ligand?.descriptors ?? null,
    secondAffinityKcalMol: poses[0]?.second?.affinityKcalMol ?? null,
    secondRank: poses[0]?.second?.rank ?? null,
    states: result.states === undefined ? null : recordedStates(result.states, smilesOf),
    warnings: toldWarnings(result.warnings).slice(0, MOST_WARNINGS),
    toolchainSha256: result.provenance.toolchainSha256 ?? null,
    cpuClass: result.provenance.cpuClass ?? null,
    engineVersion: engineVersionOf(result.provenance.tools),
    poses: poses.map((pose, index) => poseOf(pose, interactions[index] ?? null)),
  };
}

/** The version of AutoDock Vina among the versions of all packages; null where a result tells none that can be recorded. */
function engineVersionOf(tools: unknown): string | null {
  const version = isRecord(tools) ? tools[ENGINE_PACKAGE] : undefined;
  return typeof version === 'string' && VERSION.test(version) ? version : null;
}

function poseOf(pose: PoseRecord, interactions: Interactions): DockedPose {
  return {
    mode: pose.mode,
    affinityKcalMol: pose.affinityKcalMol,
    rmsdLowerAngstrom: pose.rmsdLowerAngstrom ?? null,
    rmsdUpperAngstrom: pose.rmsdUpperAngstrom ?? null,
    failedChecks: pose.checks?.failed.length ?? null,
    secondAffinityKcalMol: pose.second?.affinityKcalMol ?? null,
    interactions,
  };
}

/** A SMILES as it is recorded; null where a file tells none that can be. */
export function smilesOf(told: string | undefined): string | null {
  return told !== undefined && SMILES.test(told) ? told : null;
}

/** Facts that the control side takes from a preparation report. */
export interface PreparationReport {
  /** Whether side chains of the receptor turn. */
  readonly isFlexible: boolean;
}

const HASH = matching(SHA256);
const PREPARED_RECEPTOR: JsonShape = objectOf(
  {
    cacheKey: HASH,
    receptorIdentitySha256: HASH,
    preparationSha256: HASH,
    toolchainSha256: HASH,
    workerImageDigest: matching(/^sha256:[0-9a-f]{64}$/),
  },
  { isClosed: true },
);

/** Reads a preparation report; null where it lacks the block that the customer sends next time. */
export async function readReport(pieces: Pieces): Promise<PreparationReport | null> {
  let isFlexible = false;
  const shape = objectOf(
    { preparedReceptor: PREPARED_RECEPTOR },
    {
      optional: {
        flexibleResidues: listOf(ANYTHING, { least: 1, take: () => (isFlexible = true) }),
      },
    },
  );
  return (await hasShape(pieces, shape, JSON_BOUNDS.values)) ? { isFlexible } : null;
}
