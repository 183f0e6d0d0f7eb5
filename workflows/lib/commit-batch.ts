import type { TaskReport } from '../../src/contracts/instance.ts';

/** The most reports that one commit takes. */
export const COMMIT_BATCH = 100;
/** Temporal refuses inputs of 2 MiB. */
const COMMIT_CHARACTERS = 512 * 1024;

/** How many reports one commit takes: at most 100, and at least one even when that report is over the bytes. */
export function batchLength(reports: readonly TaskReport[]): number {
  let characters = 0;
  const end = reports.slice(0, COMMIT_BATCH).findIndex((report) => {
    characters += JSON.stringify(report).length;
    return characters > COMMIT_CHARACTERS;
  });
  return end < 0 ? COMMIT_BATCH : Math.max(1, end);
}
