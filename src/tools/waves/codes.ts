/** Codes of runs of wave models: what is wrong with a case is told with file and line. */
import { says } from '../../domain/codes/code.ts';
import type { CodeWords } from '../../domain/codes/code.ts';
import type { ToolCodes } from '../tool.ts';

type Words = Readonly<Record<string, CodeWords>>;

/** Why a preparation or a run fails. */
export const CASE_FAILURES = {
  CASE_UNREADABLE: says(
    'The archive of the case is damaged, encrypted, or unpacks to more than a case may have.',
    'Pack the case anew as zip, tar, tar.gz or tar.xz, without results of earlier runs.',
  ),
  CASE_PATH_REFUSED: says(
    'A name in the case leads out of it: an absolute path, a .. , a link or a device.',
    'Put all files below one folder, and name them relative to the command file.',
  ),
  CASE_FILE_MISSING: says(
    'A file that the case needs is not there; the message says which, and which line names it.',
    'Add the file to the archive or to attachments. Names count capital letters.',
  ),
  CASE_INVALID: says(
    'The case cannot be run as it is; the message names the file and the line.',
    'Correct the line, and run the case with a coarse grid at your own machine where that is unclear.',
  ),
  MODEL_DIVERGED: says(
    'The results have a number that is none, or waves that no sea has; the message says where and when.',
    'Take a smaller time step or the scheme BSBT, and look at depths and forcing at that place.',
  ),
} as const satisfies Words;

/** The codes of a model, with warnings of its own. */
export function waveCodes(model: string, warnings: ToolCodes['warnings']): ToolCodes {
  return {
    refusals: {},
    failures: [
      {
        title: `Failures of ${model}`,
        note: 'The job fails in its preparation, and nothing is charged; MODEL_DIVERGED fails one task.',
        codes: CASE_FAILURES,
      },
    ],
    warnings,
    reports: [],
    advice: {
      ENGINE_TIMEOUT: 'Tell the time of a task in estimatedRuntimeSeconds, or take a coarser grid.',
      ENGINE_OUT_OF_MEMORY: 'Take a coarser grid, or fewer directions and frequencies.',
    },
  };
}
