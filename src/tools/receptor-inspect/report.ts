/**
 * Reads the report of an inspection, which an instance wrote: inspection.schema.json says what it holds. A file that is no
 * report makes the task run again and finally fail.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { asReport } from '../json-report.ts';
import type { ReadOutput } from '../tool.ts';
import INSPECTION_SCHEMA from './inspection.schema.json' with { type: 'json' };

/** The name of the report among the outputs of its job. */
export const INSPECTION_REPORT = 'inspection.json';
/** The kind of the report among the outputs of its job. */
export const INSPECTION_REPORT_KIND = 'inspection_report';
/** The most bytes of a report; the API answers a report as a whole. */
export const LARGEST_REPORT_BYTES = 4 * 1024 * 1024;

/** The format of a report; a report with another meaning gets another name. */
export const INSPECTION_FORMAT = INSPECTION_SCHEMA.properties.schema.const;

/** Reads a report. */
export const INSPECTION = asReport<Readonly<Record<string, unknown>>>({
  schema: INSPECTION_SCHEMA,
  bytes: LARGEST_REPORT_BYTES,
});

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
  const report = await read(INSPECTION_REPORT, INSPECTION);
  return report.ok ? null : `${INSPECTION_REPORT} is no report of an inspection: ${report.fault}`;
}
