/** What a customer owes: how a debt comes about, and that it is booked like every other movement. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import type { Line } from '../../src/domain/ledger.ts';
import { postTransfers } from '../../src/services/ledger/index.ts';
import type { TransferInput } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { NONE, balancesOf, openCustomer, suiteLedger, transferCount } from '../support/ledger.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

describe('a debt', () => {
  const test = suiteLedger();

  const post = (...transfers: readonly TransferInput[]) =>
    inTransaction(test.db, (tx) => postTransfers(tx, transfers));
  const transfer = (
    kind: TransferInput['kind'],
    accountId: string,
    amounts: Readonly<Partial<Record<Line['account'], number>>>,
  ): TransferInput => ({
    ...{ kind, accountId, key: uuidv7(), description: 'A movement' },
    lines: Object.entries(amounts).map(([account, amountPence]) => ({
      account: account as Line['account'],
      amountPence,
    })),
  });

  it('is what a customer owes: £10 taken back from a wallet of £3 sums to zero and leaves £7 owed', async () => {
    const { accountId } = await openCustomer(test.db, 300);
    await post(transfer('refund', accountId, { stripe_clearing: 1_000, wallet: -300, debt: -700 }));
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, debt: -700 });
  });

  it('is never more than paid: nobody owes a customer below zero', async () => {
    const { accountId } = await openCustomer(test.db);
    await post(transfer('dispute', accountId, { stripe_clearing: 5, debt: -5 }));
    const paid = transfer('adjustment', accountId, { adjustments: -6, debt: 6 });
    expect(String(await refusalOf(post(paid)))).to.contain('More is paid than is owed');
    expect(await transferCount(test.db, accountId)).to.equal(1);
    await post(transfer('adjustment', accountId, { adjustments: -5, debt: 5 }));
    expect(await balancesOf(test.db, accountId)).to.deep.equal(NONE);
  });

  it('is not made of credits that are missing, unless the transfer says so', async () => {
    const { accountId } = await openCustomer(test.db, 300);
    const taken = transfer('refund', accountId, { stripe_clearing: 1_000, wallet: -1_000 });
    expect(await codeOf(post(taken))).to.equal('INSUFFICIENT_CREDITS');
  });
});
