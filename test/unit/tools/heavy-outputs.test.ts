/**
 * Outputs at the bounds of today, honest ones and crafted ones, cost a control worker little memory and never keep its
 * event loop. A few of them run each time; DOCKYARD_HEAVY_OUTPUTS=1 runs the whole panel.
 */
import { expect } from 'chai';

import { costOf, PANEL } from '../../support/heavy/outputs.ts';

const MEGABYTE = 1e6;
/** The worker has 400 MB, of which it takes three quarters for everything else. */
const MOST_GROWN = 90 * MEGABYTE;
/** In processor time, which other processes of a busy machine do not lengthen. */
const MOST_PAUSE_MS = 100;
/** Which cases run each time, and how many of each at once. */
const EACH_TIME: Readonly<Record<string, number>> = {
  'hits.json, one query, 64 MiB': 1,
  'hits.json, names of their own, 19 MB': 2,
  'pockets.json, 390,000 values': 1,
  'result.json, names of their own': 3,
  'result.json, interactions': 3,
};
const IS_WHOLE = process.env['DOCKYARD_HEAVY_OUTPUTS'] === '1';
/** Cases that are refused: while they are read, or by their schema. */
const REFUSED =
  /tabs|pockets\.json|search\.json|result\.json, (?:names|53)|preparation\.json|box\.json|inspection\.json/;

describe('large outputs', function () {
  this.timeout(120_000);
  for (const [name, make] of Object.entries(PANEL)) {
    const times = EACH_TIME[name] ?? (IS_WHOLE ? 1 : 0);
    if (times === 0) continue;
    it(`are judged in pieces: ${name}${times === 1 ? '' : `, ${times} at once`}`, async () => {
      const { faults, grownBytes, pauseMs, seconds } = await costOf(make(), times);
      if (IS_WHOLE)
        process.stderr.write(
          `${name}: ${Math.round(grownBytes / MEGABYTE)} MB, ${Math.round(pauseMs)} ms, ${seconds} s\n`,
        );
      expect(faults).to.have.length(times);
      for (const fault of faults)
        expect(fault).to.satisfy((text: unknown) => (text === null) !== REFUSED.test(name));
      expect(grownBytes).to.be.below(MOST_GROWN);
      expect(pauseMs).to.be.below(MOST_PAUSE_MS);
    });
  }
});
