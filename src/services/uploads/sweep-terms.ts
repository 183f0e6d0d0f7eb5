/** What the steps of the sweep have in common. */

/** Everything that accounts keep lies under it. */
export const ACCOUNTS_ROOT = 'accounts/';
/** A PUT that began while its URL was valid may end later than that. */
export const GRACE_SECONDS = 2 * 3600;
/** Rows that a step reads at once. */
export const SWEEP_BATCH = 100;
/** Comes before every id: where a step begins that goes through all of them, whatever becomes of each. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
