/**
 * `result.json` and `preparation.json` as far as the control side relies on them. The whole shape of a result is
 * docs/schemas/docking-result.schema.json; this file compares a result with the digest that it contains.
 */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import Joi from 'joi';

import { ANYTHING, hasShape, listOf, matching, objectOf } from '../json-shape.ts';
import type { JsonShape } from '../json-shape.ts';
import { JSON_BOUNDS } from '../json-value.ts';
import { nextTurn } from '../pieces.ts';
import type { Pieces } from '../pieces.ts';
import { MOST_POSES } from './sdf.ts';

/** The format of a result; a result with another meaning gets another name. */
export const RESULT_SCHEMA = 'dockyard.docking.result/v1';

/**
 * The figures of a result that relate its best score to the size of the ligand; earlier releases did not write all of
 * them.
 */
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
}

/** A parsed result, or why the file is none. */
export type ParsedResult =
  { readonly ok: true; readonly result: DockingResult } | { readonly ok: false; readonly fault: string };

interface PoseRecord {
  readonly mode: number;
  readonly affinityKcalMol: number;
  readonly checks?: { readonly passed: boolean; readonly failed: readonly string[] };
}

interface ResultFile {
  readonly schema: string;
  readonly sha256: string;
  readonly result: Omit<Efficiencies, 'heavyAtoms'> & {
    readonly ligandId: string;
    readonly files: Readonly<Record<string, string>>;
    readonly ligand?: Pick<Efficiencies, 'heavyAtoms'>;
    readonly poses: readonly PoseRecord[];
  };
  readonly run: Readonly<Record<string, unknown>>;
}

/** A result of 100 modes, each with every check and four side chains that turned, has a fifth of these values. */
export const MOST_RESULT_VALUES = 50_000;
/** PoseBusters has sixteen for a pose beside a receptor. */
const MOST_CHECKS = 32;
const SHA256 = /^[0-9a-f]{64}$/;
const digest = Joi.string().pattern(SHA256).required();
// Bounds of arrays come before their items: Joi looks at every item first otherwise, however many there are.
/** The names of checks. An instance wrote the names, and customers see them, so their characters are bounded. */
const checkNames = Joi.array()
  .max(MOST_CHECKS)
  .items(Joi.string().pattern(/^[a-z][a-z_-]{0,63}$/))
  .unique()
  .required();
const FILE = Joi.object<ResultFile>({
  schema: Joi.string().valid(RESULT_SCHEMA).required(),
  sha256: digest,
  result: Joi.object({
    ligandId: Joi.string().required(),
    bestAffinityKcalMol: Joi.number(),
    ligandEfficiency: Joi.number(),
    sizeIndependentEfficiency: Joi.number(),
    ligand: Joi.object({ heavyAtoms: Joi.number().integer().min(1) }).unknown(),
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
    provenance: Joi.object().unknown().required(),
  })
    .unknown()
    .required(),
  run: Joi.object().unknown().required(),
});

/** Takes the value of a result and recomputes the digest of its hashed part. */
export async function parseResult(value: unknown): Promise<ParsedResult> {
  const checked = FILE.required().validate(value, { convert: false });
  if (checked.error !== undefined) return { ok: false, fault: `is no result: ${checked.error.message}` };
  const { sha256, result } = checked.value;
  await nextTurn();
  const canonical = canonicalize(result) ?? '';
  if (createHash('sha256').update(canonical, 'utf8').digest('hex') !== sha256) {
    return { ok: false, fault: 'has another digest than its content' };
  }
  const { ligandId, poses, files, ligand, bestAffinityKcalMol, ligandEfficiency, sizeIndependentEfficiency } =
    result;
  if (poses.some((pose, index) => pose.mode !== index + 1)) {
    return { ok: false, fault: 'has modes that are not counted from 1' };
  }
  if (poses.some(({ checks }) => checks !== undefined && checks.passed !== (checks.failed.length === 0))) {
    return { ok: false, fault: 'has a pose that passes and fails' };
  }
  const affinitiesKcalMol = poses.map((pose) => pose.affinityKcalMol);
  const efficiencies = {
    heavyAtoms: ligand?.heavyAtoms,
    bestAffinityKcalMol,
    ligandEfficiency,
    sizeIndependentEfficiency,
  };
  return { ok: true, result: { ligandId, affinitiesKcalMol, efficiencies, files } };
}

/** What the control side takes from a preparation report. */
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
