/**
 * The id of a ligand's result. The id follows from the job and from the place of the ligand in the job, so a ligand has the
 * same id while it waits, runs and when it is docked, and after it was docked anew.
 */

/** The last digits of a job's id make room for the place, in hexadecimal; the digits before them still name one job. */
const PLACE_DIGITS = 4;
const HEX = 16;
/** The largest place that has room. */
export const LAST_PLACE = HEX ** PLACE_DIGITS - 1;

/** The id of the result of a job's ligand, by its place in the job from 0. */
export function resultIdOf(jobId: string, ordinal: number): string {
  if (!Number.isInteger(ordinal) || ordinal < 0 || ordinal > LAST_PLACE)
    throw new RangeError(`${ordinal} is no place of a ligand`);
  return jobId.slice(0, -PLACE_DIGITS) + ordinal.toString(HEX).padStart(PLACE_DIGITS, '0');
}

/** The job ids among which the job of a result is, and the place of the result's ligand. */
export function placeOf(resultId: string): {
  readonly from: string;
  readonly to: string;
  readonly ordinal: number;
} {
  const named = resultId.toLowerCase().slice(0, -PLACE_DIGITS);
  return {
    from: named + '0'.repeat(PLACE_DIGITS),
    to: named + 'f'.repeat(PLACE_DIGITS),
    ordinal: Number.parseInt(resultId.slice(-PLACE_DIGITS), HEX),
  };
}

/** Places from here on are those of records that equal an earlier record of their library, by their place in the library. */
export const FIRST_REPEATED = 10_000;
