/** Makes the job of a conversion, and the key by which the converted file is found again. */
import type { InputFormat, OutputFormat } from '../../domain/conversions.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { canonicalSha256 } from '../canonical.ts';
import { CONVERT_ID } from './index.ts';
import { CONVERSION_FORMAT } from './report.ts';

/** The two formats of a conversion. */
export interface Pair {
  readonly from: InputFormat;
  readonly to: OutputFormat;
}

/** The job of a conversion. */
export function conversionJob(storageKey: string, { from, to }: Pair): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: CONVERT_ID,
    sceneFile: storageKey,
    parameters: { from, to },
  };
}

/** The key of a conversion: the same bytes, formats and code give the same file. */
export function conversionKey(sha256: string, pair: Pair, toolchainSha256: string): string {
  return canonicalSha256({ ...pair, sha256, toolchainSha256, schema: CONVERSION_FORMAT });
}
