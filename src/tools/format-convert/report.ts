/** Judges the outputs of a conversion, which an instance wrote: the converted file and its report. */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import type { JobWarning } from '../../domain/warnings.ts';
import { asReport } from '../json-report.ts';
import type { ReadOutput } from '../tool.ts';
import CONVERSION_SCHEMA from './conversion.schema.json' with { type: 'json' };

/** The name and the kind of the report among the outputs of its job. */
export const CONVERSION_REPORT = 'conversion.json';
/** The kind of the report. */
export const CONVERSION_REPORT_KIND = 'conversion_report';
/** The kind of the converted file. */
export const CONVERTED_KIND = 'converted';
/** The most bytes of a report. */
export const LARGEST_REPORT_BYTES = 256 * 1024;

/** The format of a report; a report with another meaning gets another name. */
export const CONVERSION_FORMAT = CONVERSION_SCHEMA.properties.schema.const;

/** The part of a report that answers need. */
export interface ConversionReport {
  readonly warnings: readonly JobWarning[];
}

/** Reads a report. */
export const CONVERSION = asReport<ConversionReport>({
  schema: CONVERSION_SCHEMA,
  bytes: LARGEST_REPORT_BYTES,
});

/** Judges the outputs of a conversion; answers null when they are good, else why they are not. */
export async function verifyConversion(
  kind: StepKind | 'task',
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<string | null> {
  if (kind !== 'task') return null;
  const kinds = outputs.map((output) => output.kind).toSorted();
  if (kinds.join() !== [CONVERSION_REPORT_KIND, CONVERTED_KIND].toSorted().join())
    return `expected a converted file and a report, found: ${outputs.map(({ name }) => name).join(', ')}`;
  const report = await read(CONVERSION_REPORT, CONVERSION);
  return report.ok ? null : `${CONVERSION_REPORT} is no report of a conversion: ${report.fault}`;
}
