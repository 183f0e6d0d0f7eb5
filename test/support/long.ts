/**
 * Tests that take long by their nature, each with a shorter one of the same guarantee beside it: `npm test` has the shorter one,
 * `npm run test:faults` has both, and so has a file that is named on the command line. `scripts/test-plan.ts` finds the files with
 * such tests by their import of this file.
 */

/** Whether this process runs the long tests, too. */
export const IS_LONG = process.env['DOCKYARD_LONG'] === '1';

/** Defines tests in the long runs alone: `const longIt = inLongRuns(it);`. */
export function inLongRuns<Run>(
  define: (name: string, run: Run) => unknown,
): (name: string, run: Run) => unknown {
  return IS_LONG ? define : () => undefined;
}

/** Some cases, and those that the long runs alone have. */
export function withLong<T>(cases: readonly T[], long: readonly T[]): readonly T[] {
  return IS_LONG ? [...cases, ...long] : cases;
}

/** The runs of a property: all of them in the long runs, a third of them else. */
export function runsOf(count: number): number {
  return IS_LONG ? count : Math.ceil(count / 3);
}
