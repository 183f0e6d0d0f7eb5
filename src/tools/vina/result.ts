/**
 * `result.json` and `preparation.json` as far as the control side relies on them. The whole shape of a result is
 * docs/schemas/docking-result.schema.json; here it is held against its own digest.
 */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';
import Joi from 'joi';

import { parseJson } from '../parse-json.ts';

/** The format of a result; a change of meaning gets a new one. */
export const RESULT_SCHEMA = 'dockyard.docking.result/v1';

/** What the control side takes from a result. */
export interface DockingResult {
  readonly ligandId: string;
  /** Best first. */
  readonly affinitiesKcalMol: readonly number[];
  /** SHA-256 of the poses' files, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** A parsed result, or what is wrong with it. */
export type ParsedResult =
  { readonly ok: true; readonly result: DockingResult } | { readonly ok: false; readonly fault: string };

interface ResultFile {
  readonly schema: string;
  readonly sha256: string;
  readonly result: {
    readonly ligandId: string;
    readonly files: Readonly<Record<string, string>>;
    readonly poses: readonly { readonly mode: number; readonly affinityKcalMol: number }[];
  };
  readonly run: Readonly<Record<string, unknown>>;
}

const digest = Joi.string()
  .pattern(/^[0-9a-f]{64}$/)
  .required();
const FILE = Joi.object<ResultFile>({
  schema: Joi.string().valid(RESULT_SCHEMA).required(),
  sha256: digest,
  result: Joi.object({
    ligandId: Joi.string().required(),
    files: Joi.object({ 'poses.sdf': digest, 'poses.pdbqt': digest }).required(),
    poses: Joi.array()
      .items(
        Joi.object({
          mode: Joi.number().integer().min(1).required(),
          affinityKcalMol: Joi.number().required(),
        }).unknown(),
      )
      .required(),
    provenance: Joi.object().unknown().required(),
  })
    .unknown()
    .required(),
  run: Joi.object().unknown().required(),
});
const REPORT = Joi.object({
  preparedReceptor: Joi.object({
    cacheKey: digest,
    receptorIdentitySha256: digest,
    preparationSha256: digest,
    toolchainSha256: digest,
    workerImageDigest: Joi.string()
      .pattern(/^sha256:[0-9a-f]{64}$/)
      .required(),
  }).required(),
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
  const { ligandId, poses, files } = result;
  if (poses.some((pose, index) => pose.mode !== index + 1)) {
    return { ok: false, fault: 'has modes that are not counted from 1' };
  }
  const affinitiesKcalMol = poses.map((pose) => pose.affinityKcalMol);
  return { ok: true, result: { ligandId, affinitiesKcalMol, files } };
}

/** Whether a preparation report carries the block that the customer sends next time. */
export function parseReport(content: Uint8Array): boolean {
  return REPORT.validate(parseJson(content), { convert: false }).error === undefined;
}
