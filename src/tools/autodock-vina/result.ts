/**
 * `result.json` and `preparation.json` as far as the control side relies on them. The whole shape of a result is
 * docs/schemas/docking-result.schema.json; this file compares a result with the digest that it contains.
 */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import Joi from 'joi';

import { parseJson } from '../parse-json.ts';

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

interface ReportFile {
  readonly preparedReceptor: object;
  readonly flexibleResidues?: readonly unknown[];
}

/** PoseBusters has sixteen for a pose beside a receptor. */
const MOST_CHECKS = 32;
const digest = Joi.string()
  .pattern(/^[0-9a-f]{64}$/)
  .required();
/** The names of checks. An instance wrote the names, and customers see them, so their characters are bounded. */
const checkNames = Joi.array()
  .items(Joi.string().pattern(/^[a-z][a-z_-]{0,63}$/))
  .max(MOST_CHECKS)
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
const REPORT = Joi.object<ReportFile>({
  preparedReceptor: Joi.object({
    cacheKey: digest,
    receptorIdentitySha256: digest,
    preparationSha256: digest,
    toolchainSha256: digest,
    workerImageDigest: Joi.string()
      .pattern(/^sha256:[0-9a-f]{64}$/)
      .required(),
  }).required(),
  flexibleResidues: Joi.array().min(1),
})
  .unknown()
  .required();

/** Reads a result and recomputes the digest of its hashed part. */
export function parseResult(content: Uint8Array): ParsedResult {
  const checked = FILE.required().validate(parseJson(content), { convert: false });
  if (checked.error !== undefined) return { ok: false, fault: `is no result: ${checked.error.message}` };
  const { sha256, result } = checked.value;
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

/** Reads a preparation report; null where it lacks the block that the customer sends next time. */
export function parseReport(content: Uint8Array): PreparationReport | null {
  const checked = REPORT.validate(parseJson(content), { convert: false });
  return checked.error === undefined ? { isFlexible: checked.value.flexibleResidues !== undefined } : null;
}
