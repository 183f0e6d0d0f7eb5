/** What a customer owes: how a debt comes about, and that it is booked like every other movement. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import type { Line } from '../../src/domain/ledger.ts';
import { adjustCredits, placeHold, postTransfers } from '../../src/services/ledger/index.ts';
import type { TransferInput } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import {
  NONE,
  admit,
  balancesOf,
  end,
  endPeriod,
  newHold,
  openCustomer,
  startPeriod,
  suiteLedger,
  transferCount,
} from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
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
    await post({ ...taken, mayOwe: true });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, debt: -700 });
    const [again] = await post({ ...taken, mayOwe: true });
    expect(again?.replayed).to.equal(true);
  });

  it('never stands beside credits of the wallet, whoever writes it', async () => {
    const { accountId } = await openCustomer(test.db, 300);
    const beside = transfer('dispute', accountId, { stripe_clearing: 5, debt: -5 });
    expect(String(await refusalOf(post(beside)))).to.contain('beside credits in the wallet');
    const update = test.db.query('update ledger_balances set debt = -5 where account_id = $1', [accountId]);
    expect(String(await refusalOf(update))).to.contain('ledger_balances_signs');
  });

  it('comes of an adjustment that says so, and an adjustment under a key is made once', async () => {
    const { accountId } = await openCustomer(test.db, 300);
    const adjustment = { accountId, amountPence: -500, key: uuidv7(), description: 'Recalled', mayOwe: true };
    expect(await codeOf(adjustCredits(test.db, { ...adjustment, mayOwe: false }))).to.equal(
      'INSUFFICIENT_CREDITS',
    );
    expect((await adjustCredits(test.db, adjustment)).replayed).to.equal(false);
    expect((await adjustCredits(test.db, adjustment)).replayed).to.equal(true);
    expect(await codeOf(adjustCredits(test.db, { ...adjustment, amountPence: -501 }))).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    await adjustCredits(test.db, { ...adjustment, key: uuidv7(), amountPence: 250 });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 50 });
    for (const amountPence of [0, 0.5, Number.NaN])
      expect(
        await refusalOf(adjustCredits(test.db, { ...adjustment, key: uuidv7(), amountPence })),
      ).to.be.instanceOf(Error);
  });

  /** A customer who owes so much, with nothing in the wallet. */
  const debtor = async (pence: number): Promise<Customer> => {
    const customer = await openCustomer(test.db);
    await post(transfer('dispute', customer.accountId, { stripe_clearing: pence, debt: -pence }));
    return customer;
  };
  const walletAndDebt = async ({ accountId }: Customer): Promise<readonly [number, number]> => {
    const { wallet, debt } = await balancesOf(test.db, accountId);
    return [wallet, debt];
  };

  for (const [kind, from] of [
    ['topup', 'stripe_clearing'],
    ['topup_bonus', 'bonus_expense'],
    ['promo', 'bonus_expense'],
    ['adjustment', 'adjustments'],
  ] as const)
    it(`is paid first, and in the same transfer, by a ${kind}`, async () => {
      const customer = await debtor(700);
      const { accountId } = customer;
      await post(transfer(kind, accountId, { wallet: 300, [from]: -300 }));
      expect(await walletAndDebt(customer)).to.deep.equal([0, -400]);
      const last = transfer(kind, accountId, { wallet: 1_000, [from]: -1_000 });
      await post(last);
      expect(await walletAndDebt(customer)).to.deep.equal([600, 0]);
      const [again] = await post(last);
      expect(again?.replayed, 'the same input').to.equal(true);
      expect(await transferCount(test.db, accountId)).to.equal(3);
    });

  it('is paid by each transfer of a batch in turn', async () => {
    const customer = await debtor(700);
    const paid = { wallet: 500, stripe_clearing: -500 };
    await post(transfer('topup', customer.accountId, paid), transfer('topup', customer.accountId, paid));
    expect(await walletAndDebt(customer)).to.deep.equal([300, 0]);
  });

  it('is paid first by what a settlement releases, so that no hold spends it', async () => {
    const customer = await openCustomer(test.db, 10_000);
    const { accountId } = customer;
    const request = newHold(accountId, 6_000);
    await inTransaction(test.db, (tx) => admit(tx, customer, request));
    const taken = { stripe_clearing: 9_000, wallet: -9_000 };
    await post({ ...transfer('dispute', accountId, taken), mayOwe: true });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet_held: 6_000, debt: -5_000 });
    // The job goes on to its end meanwhile.
    await inTransaction(test.db, (tx) =>
      end(tx, request.jobId, { holdId: request.holdId, chargePence: 1_000 }),
    );
    expect(await balancesOf(test.db, accountId)).to.deep.equal(NONE);
    const [release] = await test.db.query<Record<string, unknown>[]>(
      `select array_to_string(accounts, ' ') as accounts, array_to_string(amounts_pence, ' ') as amounts
       from ledger_transfers where account_id = $1 and kind = 'hold_release'`,
      [accountId],
    );
    expect(release).to.deep.equal({ accounts: 'debt wallet_held', amounts: '5000 -5000' });
  });

  it('is paid first by ended monthly credits that become wallet credit', async () => {
    const customer = await openCustomer(test.db);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 100);
    const request = newHold(accountId, 80);
    await inTransaction(test.db, (tx) => admit(tx, customer, request));
    await endPeriod(test.db, accountId);
    await post(transfer('dispute', accountId, { stripe_clearing: 50, debt: -50 }));
    await inTransaction(test.db, (tx) =>
      end(tx, request.jobId, { holdId: request.holdId, chargePence: 10, faultIsOurs: true }),
    );
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 20, monthly: 20 });
  });

  it('refuses holds and says what is owed, until it is paid; a hold of nothing is placed', async () => {
    const customer = await debtor(700);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 1_000);
    const request = newHold(accountId, 1);
    expect(await placeHold(test.db, request)).to.deep.equal({ held: false, owedPence: 700 });
    const free = newHold(accountId, 0);
    expect(await inTransaction(test.db, (tx) => admit(tx, customer, free))).to.deep.equal({ held: true });
    await post(transfer('topup', accountId, { wallet: 700, stripe_clearing: -700 }));
    expect(await inTransaction(test.db, (tx) => admit(tx, customer, request))).to.deep.equal({ held: true });
  });

  it('leaves a hold that was placed before as it is, also when its placing is repeated', async () => {
    const customer = await openCustomer(test.db, 100);
    const { accountId } = customer;
    const request = newHold(accountId, 60);
    await inTransaction(test.db, (tx) => admit(tx, customer, request));
    const taken = { stripe_clearing: 90, wallet: -90 };
    await post({ ...transfer('refund', accountId, taken), mayOwe: true });
    expect(await inTransaction(test.db, (tx) => admit(tx, customer, request))).to.deep.equal({ held: true });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet_held: 60, debt: -50 });
  });
});
