import { expect } from 'chai';

import { balanceText, transactionsText } from '../../../src/cli/customer/credits.ts';
import type { CreditBalanceResponse, CreditTransaction } from '../../../src/client/types.ts';

const BALANCE: CreditBalanceResponse = {
  ...{ wallet_cents: 200, wallet_held_cents: 200, wallet_available_cents: 0 },
  ...{ monthly_cents: 50, monthly_held_cents: 0, monthly_available_cents: 50, monthly_reset_at: null },
  ...{ total_credited_cents: 250, held_cents: 200, available_cents: 50, available_display: '£0.50' },
  debt_cents: 0,
};

const transaction = (more: Partial<CreditTransaction>): CreditTransaction => ({
  ...{ id: 'one:wallet', type: 'topup', bucket: 'wallet', amount_cents: 300, currency: 'GBP' },
  ...{ balance_after_cents: 300, held_after_cents: 0, debt_cents: 0, debt_after_cents: 0 },
  ...{ job_id: null, tier_id: null, reverses_id: null, description: 'Paid in' },
  created_at: '2026-11-02T03:04:05.678901Z',
  ...more,
});

describe('credits on the command line', () => {
  it('name what is owed, and that nothing starts until it is paid', () => {
    expect(balanceText(BALANCE)).not.to.contain('Owed');
    const text = balanceText({ ...BALANCE, debt_cents: 70_050 });
    expect(text).to.match(/^Owed +£700\.50, paid first by whatever comes in; until then no job can start$/m);
  });

  it('list each movement with what it paid of a debt, and have no such columns without one', () => {
    const plain = transactionsText([transaction({})]);
    expect(plain.split('\n')[0]).to.match(/^When +Type +Bucket +Amount +Available +Held +What$/);
    expect(plain).to.match(/2026-11-02 03:04:05 +topup +wallet +\+£3\.00 +£3\.00 +£0\.00 +Paid in/);
    const owing = transactionsText([
      transaction({ amount_cents: 0, balance_after_cents: 0, debt_cents: -300, debt_after_cents: 400 }),
      transaction({ type: 'dispute', amount_cents: -300, debt_cents: 700, debt_after_cents: 700 }),
    ]);
    expect(owing).to.match(/^When +Type +Bucket +Amount +Available +Held +Debt +Owed +What$/m);
    expect(owing).to.match(/topup +wallet +£0\.00 +£0\.00 +£0\.00 +−£3\.00 +£4\.00 /);
    expect(owing).to.match(/dispute +wallet +−£3\.00 +£3\.00 +£0\.00 +\+£7\.00 +£7\.00 /);
  });
});
