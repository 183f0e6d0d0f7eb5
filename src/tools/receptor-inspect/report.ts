/**
 * Reads the report of an inspection, which an instance wrote. A file that is no report makes the task run again and
 * finally fail. The whole shape is docs/schemas/receptor-inspection.schema.json; this file checks the fields on which
 * the API and its clients rely.
 */
import Joi from 'joi';

import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { isRecord } from '../../domain/is-record.ts';
import { asJson } from '../output-readers.ts';
import type { OutputReader } from '../output-readers.ts';
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

// Lists are checked by hand: the list of a large structure is long, and Joi takes long for each item.
const list = Joi.array().required();
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
  models: list,
  assemblies: list,
  chains: list,
  altlocs: Joi.object().unknown().required(),
  modifiedResidues: list,
  components: list,
  waters: Joi.object({ count: Joi.number().integer().min(0).required(), atLigands: list }).required(),
  histidines: Joi.object({ residues: list }).unknown().required(),
  refusals: list,
  warnings: list,
  pockets: Joi.object({ method: Joi.string().required(), pockets: list }).unknown().required(),
})
  .unknown()
  .required();
/** The paths of lists whose items are objects. */
const ROWS: readonly (readonly [name: string, inner?: string])[] = [
  ['assemblies'],
  ['chains'],
  ['modifiedResidues'],
  ['components'],
  ['waters', 'atLigands'],
  ['histidines', 'residues'],
  ['pockets', 'pockets'],
];
const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;
const MESSAGE_CHARACTERS = 2000;

/** Reads a report; null when the file is no report. */
export const INSPECTION: OutputReader<InspectionReport | null> = asJson(parseInspection, {
  bytes: LARGEST_REPORT_BYTES,
});

function parseInspection(value: unknown): InspectionReport | null {
  const checked = REPORT.validate(value, { convert: false });
  if (checked.error !== undefined) return null;
  const report = checked.value;
  const areRows = ROWS.every(([name, inner]) => {
    const list = inner === undefined ? report[name] : isRecord(report[name]) ? report[name][inner] : null;
    return Array.isArray(list) && list.every(isRecord);
  });
  const { models, refusals, warnings } = report;
  return areRows && isListOf(models, isNumber) && [refusals, warnings].every((list) => isListOf(list, isTold))
    ? report
    : null;
}

function isListOf(list: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(isItem);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isTold(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { code, message } = value;
  return (
    typeof code === 'string' &&
    CODE.test(code) &&
    typeof message === 'string' &&
    message !== '' &&
    message.length <= MESSAGE_CHARACTERS
  );
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
  return (await read(INSPECTION_REPORT, INSPECTION)) !== null
    ? null
    : `${INSPECTION_REPORT} is no report of an inspection`;
}
