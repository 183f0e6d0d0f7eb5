/** The rules of top-ups: what is posted for each tier, and which payment is one. */
import { expect } from 'chai';

import { isBalanced } from '../../../src/domain/ledger.ts';
import {
  judgeCheckout,
  tierOf,
  TOPUP_STATES,
  TOPUP_TIERS,
  topupPostings,
} from '../../../src/domain/topups.ts';
import type { PaidCheckout } from '../../../src/domain/topups.ts';

const ID = '0192b3c4-0000-7000-8000-000000000001';
const PAID: PaidCheckout = {
  ...{ progress: 'paid', mode: 'payment', currency: 'gbp', subtotalPence: 5000, isLive: true },
  ...{ reference: ID, topupId: ID },
};
const topup = (state: (typeof TOPUP_STATES)[number]) => ({ id: ID, amountPence: 5000, state });

describe('top-ups', () => {
  it('post their price and their bonus, both balanced', () => {
    const credited = TOPUP_TIERS.map((tier) => {
      const postings = topupPostings({ ...tier, taxPence: 200 });
      expect(postings.every(({ lines }) => isBalanced(lines))).to.equal(true);
      const wallet = postings.flatMap(({ lines }) => lines.filter(({ account }) => account === 'wallet'));
      return [tier.id, wallet.reduce((sum, { amountPence }) => sum + amountPence, 0)];
    });
    expect(credited).to.deep.equal([
      ['topup-10', 1000],
      ['topup-50', 5250],
      ['topup-200', 22_000],
      ['topup-500', 57_500],
    ]);
    expect(tierOf('topup-11')).to.equal(null);
  });

  it('are paid by a payment that agrees, from every state, and stay paid', () => {
    for (const state of TOPUP_STATES)
      expect(judgeCheckout(topup(state), PAID, true), state).to.deep.equal({ kind: 'state', state: 'PAID' });
    for (const progress of ['open', 'processing', 'failed', 'expired'] as const)
      expect(judgeCheckout(topup('PAID'), { ...PAID, progress }, true)).to.deep.equal({
        kind: 'state',
        state: 'PAID',
      });
  });

  it('wait for a person when a payment differs in anything', () => {
    const differences: Record<string, Partial<PaidCheckout>> = {
      mode: { mode: 'setup' },
      reference: { reference: null },
      metadata: { topupId: null },
      livemode: { isLive: false },
      currency: { currency: 'usd' },
      amount: { subtotalPence: 5001 },
    };
    for (const [reason, difference] of Object.entries(differences))
      expect(judgeCheckout(topup('OPEN'), { ...PAID, ...difference }, true)).to.deep.equal({
        kind: 'parked',
        reason,
      });
  });
});
