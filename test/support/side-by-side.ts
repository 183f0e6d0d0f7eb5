import pLimit from 'p-limit';

/** The tests of one suite, which run side by side because each of them mostly waits. */
export interface SideBySide {
  /** Defines a test; its time is that from its turn to its end, so a suite that uses this has a long time-out. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** Begins with the tests, in the suite's `before`, when what they need is there. */
  readonly start: () => void;
}

/** Tests of which some run at once; more at once than the machine can carry would make each of them wait for the others. */
export function sideBySide(atOnce: number): SideBySide {
  const tests: { readonly run: () => Promise<void>; started?: Promise<void> }[] = [];
  return {
    test: (name, run) => {
      const one: (typeof tests)[number] = { run };
      tests.push(one);
      it(name, () => one.started);
    },
    start: () => {
      const limit = pLimit(atOnce);
      for (const one of tests) {
        one.started = limit(one.run);
        // Mocha reports a failure when the turn of the test has come.
        one.started.catch(() => undefined);
      }
    },
  };
}
