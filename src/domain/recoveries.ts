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

/** The instance that was lost. */
export interface RecoveredInstance {
  readonly slot: number;
  readonly generation: number;
  readonly type: string | null;
  readonly market: Market;
}

/** An entry of the recovery ledger; it never costs the customer anything. */
export interface RecoveryItem {
  readonly at: string;
  readonly kind: (typeof RECOVERY_KINDS)[number];
  readonly execution: number;
  readonly instance: RecoveredInstance | null;
  readonly cause: string;
  readonly tasksKept: number;
  readonly tasksSetBack: number;
  readonly secondsLost: number;
  /** Null as long as work has not gone on. */
  readonly secondsUntilWork: number | null;
  readonly chargedCents: number;
}

/** The answer of GET /jobs/{id}/recoveries. */
export interface RecoveryListResponse {
  readonly recoveries: RecoveryItem[];
  readonly nextCursor: string | null;
}
