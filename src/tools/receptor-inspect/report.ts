/**
 * Reads the report of an inspection, which an instance wrote. A file that is no report makes the task run again and
 * finally fail. The whole shape is docs/schemas/receptor-inspection.schema.json; this file checks the fields on which
 * the API and its clients rely.
 */
import Joi from 'joi';

import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { parseJson } from '../parse-json.ts';
import type { ReadOutput } from '../tool.ts';

/** The name of the report among the outputs of its job. */
export const INSPECTION_REPORT = 'inspection.json';
/** The kind of the report among the outputs of its job. */
export const INSPECTION_REPORT_KIND = 'inspection_report';
/** The most bytes of a report; the API answers a report as a whole. */
export const LARGEST_REPORT_BYTES = 4 * 1024 * 1024;
/** The format of a report; a report with another meaning gets another name. */
export const INSPECTION_SCHEMA = 'dockyard.docking.inspection/v1';

/** A parsed report, as far as the API relies on it; further fields are for people. */
export interface InspectionReport {
  readonly schema: typeof INSPECTION_SCHEMA;
  readonly refusals: readonly { readonly code: string; readonly message: string }[];
  readonly [name: string]: unknown;
}

const rows = Joi.array().items(Joi.object().unknown()).required();
const told = Joi.array()
  .items(
    Joi.object({
      code: Joi.string()
        .pattern(/^[A-Z][A-Z0-9_]{2,63}$/)
        .required(),
      message: Joi.string().max(2000).required(),
    }).unknown(),
  )
  .required();
const REPORT = Joi.object<InspectionReport>({
  schema: Joi.string().valid(INSPECTION_SCHEMA).required(),
  receptor: Joi.object({
    sha256: Joi.string()
      .pattern(/^[0-9a-f]{64}$/)
      .required(),
    format: Joi.string().valid('pdb', 'mmcif').required(),
  })
    .unknown()
    .required(),
  models: Joi.array().items(Joi.number()).required(),
  assemblies: rows,
  chains: rows,
  altlocs: Joi.object().unknown().required(),
  modifiedResidues: rows,
  components: rows,
  waters: Joi.object({ count: Joi.number().integer().min(0).required(), atLigands: rows }).required(),
  histidines: Joi.object({ residues: rows }).unknown().required(),
  refusals: told,
  warnings: told,
  pockets: Joi.object({ method: Joi.string().required(), pockets: rows }).unknown().required(),
})
  .unknown()
  .required();

/** The report in a file; null when the file is no report. */
export function parseInspection(bytes: Uint8Array): InspectionReport | null {
  if (bytes.byteLength > LARGEST_REPORT_BYTES) return null;
  const result = REPORT.validate(parseJson(bytes), { convert: false });
  return result.error === undefined ? result.value : null;
}

/** Judges the one output of an inspection; answers null when the output is good, else why it is not. */
export async function verifyInspection(
  kind: StepKind | 'task',
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<string | null> {
  if (kind !== 'task') return null;
  const [output, ...more] = outputs;
  if (output?.name !== INSPECTION_REPORT || more.length > 0) {
    return `expected ${INSPECTION_REPORT} alone, found: ${outputs.map(({ name }) => name).join(', ')}`;
  }
  if (output.kind !== INSPECTION_REPORT_KIND || output.mediaType !== 'application/json') {
    return `${output.name} is reported as ${output.kind}, ${output.mediaType}`;
  }
  const isReport = await read(INSPECTION_REPORT, (bytes) => parseInspection(bytes) !== null);
  return isReport ? null : `${INSPECTION_REPORT} is no report of an inspection`;
}
