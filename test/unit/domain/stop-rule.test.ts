import { expect } from 'chai';

import { applyStopRule, STOP_BEGIN } from '../../../src/domain/stop-rule.ts';
import type { StopState, StopWhen } from '../../../src/domain/stop-rule.ts';
import { Draws } from '../../support/fleet/distributions.ts';

type Scores = readonly (number | null)[];

/** What the rule says, told without its state: the first place after which the best have stayed for long. */
function stopOf(scores: Scores, { topN, unchangedFor }: StopWhen): number | null {
  const bestAt = (count: number): readonly number[] =>
    docked
      .slice(0, count)
      .toSorted((a, b) => a - b)
      .slice(0, topN);
  const docked = scores.filter((score) => score !== null);
  let seen = 0;
  for (const [place, score] of scores.entries()) {
    if (score === null) continue;
    seen += 1;
    const before = bestAt(Math.max(0, seen - unchangedFor));
    if (before.length === topN && JSON.stringify(before) === JSON.stringify(bestAt(seen))) return place + 1;
  }
  return null;
}

describe('the stop rule', () => {
  const stops = (scores: Scores, rule: StopWhen): number | null =>
    applyStopRule(rule, STOP_BEGIN, scores).stopsAfter;

  it('stops once the best have stayed for as many docked ligands as asked', () => {
    expect(stops([-5, -4, -3, -2], { topN: 1, unchangedFor: 3 })).to.equal(4);
    expect(stops([-5, -4, -6, -2], { topN: 1, unchangedFor: 3 })).to.equal(null);
    expect(stops([-5, -4], { topN: 3, unchangedFor: 1 })).to.equal(null);
  });

  it('passes over ligands that are not docked, and takes an equal score for no change', () => {
    expect(stops([-5, null, null, -4, -5, -3], { topN: 1, unchangedFor: 2 })).to.equal(5);
    expect(stops([null, null], { topN: 1, unchangedFor: 1 })).to.equal(null);
  });

  it('stops at the same place however its ligands arrive, which is the place that its words say', () => {
    const draws = new Draws(17);
    let stopped = 0;
    for (let round = 0; round < 300; round += 1) {
      const scores = Array.from({ length: 120 }, () =>
        draws.uniform() < 0.1 ? null : -Math.round(draws.uniform() * 60) / 5,
      );
      const rule = { topN: 1 + (round % 7), unchangedFor: 1 + (round % 23) };
      let state: StopState = STOP_BEGIN;
      let found: number | null = null;
      for (let from = 0; from < scores.length && found === null;) {
        const take = Math.floor(draws.uniform() * 12);
        ({ state, stopsAfter: found } = applyStopRule(rule, state, scores.slice(from, from + take)));
        from += take;
      }
      expect(found).to.equal(stopOf(scores, rule));
      if (found !== null) stopped += 1;
    }
    expect(stopped).to.be.above(100);
  });
});
