/** When an account buys credits by itself. */
import { expect } from 'chai';

import { judgeAutoTopUp } from '../../../src/domain/auto-topups.ts';

describe('auto top-ups are judged', () => {
  const facts = {
    ...{ tierId: 'topup-10', belowPence: 500, monthLimitPence: 2_000, paused: null },
    ...{ spendablePence: 499, isOpen: false, boughtPence: 1_000 },
  };

  it('and bought below the amount, up to the month limit', () => {
    expect(judgeAutoTopUp(facts)).to.equal('buy');
    expect(judgeAutoTopUp({ ...facts, spendablePence: 500 })).to.equal('enough');
    expect(judgeAutoTopUp({ ...facts, boughtPence: 1_001 })).to.equal('month-limit');
  });

  it('and not bought while one is open, while paused, or of a tier that is gone', () => {
    expect(judgeAutoTopUp({ ...facts, isOpen: true })).to.equal('open');
    expect(judgeAutoTopUp({ ...facts, paused: 'CARD_DECLINED' })).to.equal('paused');
    expect(judgeAutoTopUp({ ...facts, tierId: 'topup-11' })).to.equal('unknown-tier');
  });
});
