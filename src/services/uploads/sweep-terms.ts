/** Constants that the steps of the sweep share. */

/** The prefix under which all files of accounts are stored. */
export const ACCOUNTS_ROOT = 'accounts/';
/** How long after the end of a URL a PUT that began in time may still be running. */
export const GRACE_SECONDS = 2 * 3600;
/** Rows that a step reads at once. */
export const SWEEP_BATCH = 100;
/** An id before every other id, from which a step that pages through all rows starts. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
