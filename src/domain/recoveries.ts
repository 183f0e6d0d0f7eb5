/** The recovery ledger of a job, as the customer reads it. */

/** Kinds of entries: an instance was lost, or the job was paused or resumed. */
export const RECOVERY_KINDS = ['LOSS', 'PAUSE', 'RESUME'] as const;

/** After so many generations of a slot in a row that decided no task the job is paused. */
export const MAX_DEAD_ENDS = 3;

/** The cause of every resume. */
export const RESUMED = 'RESUMED';

/** Markets on which instances are rented; one on the spot market may be taken away. */
export const MARKETS = ['ON_DEMAND', 'SPOT'] as const;
/** One of the markets. */
export type Market = (typeof MARKETS)[number];
