import { expect } from 'chai';

import { repeatConflicts } from '../../../src/services/transaction.ts';

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

describe('conflicts in PostgreSQL', () => {
  it('are repeated until they are over', async () => {
    const failures = ['40P01', '40001'];
    const answer = await repeatConflicts(async () => {
      const code = failures.shift();
      if (code !== undefined) throw errorOf(code);
      return 'done';
    });
    expect(answer).to.equal('done');
  });

  it('are told when they do not end, and anything else at once', async () => {
    for (const [code, expected] of [
      ['40P01', 10],
      ['23505', 1],
    ] as const) {
      let calls = 0;
      const failure = repeatConflicts(async () => {
        calls += 1;
        throw errorOf(code);
      });
      expect(await failure.catch((error: unknown) => error)).to.include({ code });
      expect(calls, code).to.equal(expected);
    }
  });
});
