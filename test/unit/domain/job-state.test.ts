import { expect } from 'chai';
import fc from 'fast-check';

import {
  JOB_STATES,
  TERMINAL_STATES,
  isResumable,
  isTerminal,
  mayFollow,
  nextStates,
  outcomeOf,
  previousStates,
  settlesHold,
  type JobState,
} from '../../../src/domain/job-state.ts';

/** The states in which the hold is open: the execution has begun and is not settled. */
const HELD = JOB_STATES.filter((state) => !settlesHold(state));

/** A walk that begins with an admission and follows the machine by random choices. */
const walk = fc.infiniteStream(fc.nat()).chain((choices) =>
  fc.integer({ min: 1, max: 60 }).map((length) => {
    const states: JobState[] = ['SUBMITTED'];
    for (const choice of choices) {
      const next = nextStates(states.at(-1) ?? 'SUBMITTED');
      const state = next[choice % next.length];
      if (state === undefined || states.length >= length) break;
      states.push(state);
    }
    return states;
  }),
);

describe('job states', () => {
  it('settle the hold of every execution exactly once, on every walk', () => {
    fc.assert(
      fc.property(walk, (states) => {
        let opened = 0;
        let settled = 0;
        let isOpen = false;
        states.forEach((state) => {
          if (state === 'SUBMITTED') {
            expect(isOpen, 'a resume finds the execution before it settled').to.equal(false);
            isOpen = true;
            opened += 1;
          } else if (settlesHold(state) && isOpen) {
            isOpen = false;
            settled += 1;
          }
        });
        expect(settled).to.be.within(opened - 1, opened);
        const last = states.at(-1) ?? 'SUBMITTED';
        if (settlesHold(last)) expect(settled).to.equal(opened);
      }),
    );
  });

  it('run only while something is held: out of a settled state nothing runs before a resume', () => {
    for (const state of JOB_STATES.filter(settlesHold)) {
      for (const next of nextStates(state)) {
        if (next === 'SUBMITTED') continue;
        expect(state, `${state} to ${next}`).to.equal('PAUSED');
        expect(['FINALIZING', 'CANCELLING']).to.include(next);
      }
    }
  });

  it('can reach an end, and so a settlement, from everywhere', () => {
    for (const start of JOB_STATES) {
      const seen = new Set<JobState>([start]);
      for (const state of seen) for (const next of nextStates(state)) if (!isTerminal(state)) seen.add(next);
      expect([...seen].some(isTerminal), start).to.equal(true);
    }
  });

  it('end only through FINALIZING or CANCELLING', () => {
    for (const terminal of TERMINAL_STATES) {
      for (const before of previousStates(terminal)) expect(['FINALIZING', 'CANCELLING']).to.include(before);
    }
    expect(previousStates('CANCELLED')).to.deep.equal(['CANCELLING']);
  });

  it('can be cancelled from wherever something is held, and from a pause', () => {
    for (const state of [...HELD, 'PAUSED' as const]) {
      if (state !== 'CANCELLING') expect(mayFollow(state, 'CANCELLING'), state).to.equal(true);
    }
  });

  it('leave an end only by a resume, and success never', () => {
    for (const terminal of TERMINAL_STATES) {
      expect(nextStates(terminal)).to.deep.equal(terminal === 'SUCCEEDED' ? [] : ['SUBMITTED']);
    }
  });

  it('can be resumed from every stop, but for a pause out of which the job is being cancelled', () => {
    for (const state of JOB_STATES) {
      const isStopped = mayFollow(state, 'SUBMITTED');
      expect(isResumable(state, false), state).to.equal(isStopped);
      expect(isResumable(state, true), state).to.equal(isStopped && state !== 'PAUSED');
    }
  });

  it('never follow themselves, and both directions of the table agree', () => {
    for (const from of JOB_STATES) {
      expect(mayFollow(from, from), from).to.equal(false);
      for (const to of JOB_STATES) expect(previousStates(to).includes(from)).to.equal(mayFollow(from, to));
    }
  });

  it('give the outcome that the verified tasks deserve', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(10_000), (total, some) => {
        const verified = Math.min(some, total);
        const expected = verified === 0 ? 'FAILED' : verified < total ? 'PARTIALLY_SUCCEEDED' : 'SUCCEEDED';
        expect(outcomeOf(verified, total)).to.equal(expected);
      }),
    );
  });
});
