/** Why an export of results came to no file. */
import { says } from './code.ts';
import type { CodeWords } from './code.ts';

/** One of these codes. */
export type ExportFailureCode = 'EXPORT_SOURCE_CHANGED' | 'EXPORT_CANCELLED' | 'EXPORT_NOT_MADE';

/** The words of each code. */
export const EXPORT_FAILURES = {
  EXPORT_SOURCE_CHANGED: says(
    'The poses of a result are not stored any more, or their bytes are not those that were verified.',
    'Dock the ligand that is named again, or ask for an export in which the ligand is not; then tell the operator of the loss.',
  ),
  EXPORT_CANCELLED: says(
    'An operator has stopped the making of the export.',
    'Send the same request again, which makes the same export anew.',
  ),
  EXPORT_NOT_MADE: says(
    'The export could not be made in the time that there is for one.',
    'Send the same request later, which makes the same export anew; ask for fewer results where this happens again.',
  ),
} as const satisfies Readonly<Record<ExportFailureCode, CodeWords>>;
