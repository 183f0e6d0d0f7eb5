/** Extensions of holds: further parts with lots of their own, placed once and in order, and settled in order. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { HoldEntity, HoldPartEntity } from '../../entities/ledger.ts';
import { extendHold, postTransfers, settleHold } from '../../src/services/ledger/index.ts';
import type { HoldRequest } from '../../src/services/ledger/index.ts';
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
} from '../support/ledger.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { refusalOf } from '../support/refusals.ts';
import type { Customer } from '../support/ledger.ts';

describe('an extension of a hold', () => {
  const test = suiteLedger();

  const held = async (customer: Customer, pence: number): Promise<HoldRequest> => {
    const request = newHold(customer.accountId, pence);
    const placed = await inTransaction(test.db, (tx) => admit(tx, customer, request));
    expect(placed).to.deep.equal({ held: true });
    return request;
  };
  const extend = ({ holdId }: HoldRequest, part: number, amountPence: number) =>
    extendHold(test.db, { holdId, part, amountPence });
  const settle = ({ jobId, holdId }: HoldRequest, chargePence: number) =>
    inTransaction(test.db, (tx) => end(tx, jobId, { holdId, chargePence }));
  const partsOf = async ({ holdId }: HoldRequest) => {
    const parts = await test.db
      .getRepository(HoldPartEntity)
      .find({ where: { holdId }, order: { part: 'ASC' } });
    return parts.map((part) => [
      ...[part.monthlyChargedPence, part.monthlyReleasedPence],
      ...[part.walletChargedPence, part.walletReleasedPence],
    ]);
  };

  it('reserves more, and the charge takes the parts in their order', async () => {
    const customer = await openCustomer(test.db, 100);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 30);
    const request = await held(customer, 20);
    for (const [part, pence] of [15, 40].entries())
      expect(await extend(request, part + 1, pence)).to.deep.equal({ held: true });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({
      ...{ ...NONE, wallet: 55, wallet_held: 45, monthly_held: 30 },
    });
    expect(await settle(request, 36)).to.deep.equal({ chargedPence: 36, releasedPence: 39 });
    expect(await partsOf(request)).to.deep.equal([
      ...[
        [20, 0, 0, 0],
        [10, 0, 5, 0],
        [0, 0, 1, 39],
      ],
    ]);
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 94 });
    expect(await settle(request, 1), 'a repeat').to.deep.equal({ chargedPence: 36, releasedPence: 39 });
  });

  it('after the end of a month has lots of the next one, and each part gives back to its own', async () => {
    const customer = await openCustomer(test.db);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 30);
    const request = await held(customer, 25);
    await endPeriod(test.db, accountId);
    await startPeriod(test.db, accountId, 50);
    expect(await extend(request, 1, 20)).to.deep.equal({ held: true });
    await settle(request, 10);
    // The rest of the first part is 15 of a month that is over; all 20 of the second part go back.
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, monthly: 50 });
    const [expired] = await test.db.query<{ pence: number }[]>(
      `select sum(amount_pence)::int as pence from ledger_entries where hold_id = $1 and account = 'monthly_expired'`,
      [request.holdId],
    );
    expect(expired?.pence).to.equal(15);
  });

  it('is placed once, however often it is asked for, from many connections too', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = await held(customer, 10);
    const answers = await Promise.all(Array.from({ length: 12 }, () => extend(request, 1, 30)));
    for (const answer of answers) expect(answer).to.deep.equal({ held: true });
    expect(await balancesOf(test.db, customer.accountId)).to.include({ wallet: 60, wallet_held: 40 });
    await settle(request, 40);
    expect(await extend(request, 1, 30), 'after the settlement').to.deep.equal({ held: true });
    // The first part, too, is still the same.
    expect(await inTransaction(test.db, (tx) => admit(tx, customer, request))).to.deep.equal({ held: true });
  });

  it('with other terms, out of order, of a settled hold or of none is a fault of its caller', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = await held(customer, 10);
    await extend(request, 1, 5);
    expect(String(await refusalOf(extend(request, 1, 6)))).to.contain('other terms');
    expect(String(await refusalOf(extend(request, 3, 6)))).to.contain('does not wait for part 3');
    for (const pence of [0, -1, 0.5])
      expect(await refusalOf(extend(request, 2, pence))).to.be.instanceOf(RangeError);
    await settle(request, 15);
    expect(String(await refusalOf(extend(request, 2, 5)))).to.contain('does not wait for part 2');
    const nobody = newHold(customer.accountId, 1);
    expect(String(await refusalOf(extend(nobody, 1, 5)))).to.contain('does not wait for part 1');
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, wallet: 85 });
  });

  it('is refused as a hold is: for credits, a debt, and the state of the account; the hold stays', async () => {
    const customer = await openCustomer(test.db, 100);
    const { accountId } = customer;
    const request = await held(customer, 60);
    expect(await extend(request, 1, 41)).to.deep.equal({ held: false, availablePence: 40 });
    await inTransaction(test.db, (tx) =>
      postTransfers(tx, [
        {
          ...{ kind: 'dispute', key: uuidv7(), accountId, description: 'Lost', mayOwe: true },
          lines: [
            { account: 'wallet', amountPence: -70 },
            { account: 'stripe_clearing', amountPence: 70 },
          ],
        },
      ]),
    );
    expect(await extend(request, 1, 5)).to.deep.equal({ held: false, owedPence: 30 });
    await test.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [accountId]);
    expect(await extend(request, 1, 5)).to.deep.equal({ held: false, accountState: 'SUSPENDED' });
    const hold = await test.db.getRepository(HoldEntity).findOneByOrFail({ id: request.holdId });
    expect(hold).to.include({ heldPence: 60, extensions: 0, state: 'OPEN' });
    await settle(request, 20);
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 10 });
  });

  it('and a settlement at once come one after the other, without a deadlock', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = await held(customer, 10);
    const blocker = test.db.createQueryRunner();
    try {
      await blocker.startTransaction();
      await blocker.query('select 1 from ledger_balances where account_id = $1 for update', [
        customer.accountId,
      ]);
      const settled = settle(request, 4);
      await waitsForLock(test.db, 'ledger_settle');
      const extended = refusalOf(extend(request, 1, 20));
      await waitsForLock(test.db, 'ledger_extend');
      await blocker.commitTransaction();
      expect(await settled).to.deep.equal({ chargedPence: 4, releasedPence: 6 });
      expect(String(await extended)).to.contain('does not wait for part 1');
    } finally {
      if (blocker.isTransactionActive) await blocker.rollbackTransaction();
      await blocker.release();
    }
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, wallet: 96 });
    await settleHold(test.db, { holdId: request.holdId, chargePence: 0 });
  });
});
