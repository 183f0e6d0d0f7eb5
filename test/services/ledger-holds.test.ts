/**
 * The guarantees of a hold: it is placed once, settled once, exact to the penny, and each part goes back to its own
 * bucket.
 */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { placeHold, settleHold } from '../../src/services/ledger/index.ts';
import type { HoldRequest, SettlementRequest } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import {
  NONE,
  admit,
  balancesOf,
  end,
  endPeriod,
  give,
  newHold,
  openCustomer,
  startPeriod,
  transferCount,
  suiteLedger,
} from '../support/ledger.ts';
import { refusalOf } from '../support/refusals.ts';
import type { Customer } from '../support/ledger.ts';

describe('holds', () => {
  const test = suiteLedger();

  const hold = (customer: Customer, request: HoldRequest) =>
    inTransaction(test.db, (tx) => admit(tx, customer, request));
  const settle = (request: HoldRequest, chargePence: number, more: Partial<SettlementRequest> = {}) =>
    inTransaction(test.db, (tx) => end(tx, request.jobId, { holdId: request.holdId, chargePence, ...more }));
  it('reserve, charge and give back, each seen in the balances', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = newHold(customer.accountId, 42);
    expect(await hold(customer, request)).to.deep.equal({ held: true });
    const { accountId } = customer;
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 58, wallet_held: 42 });
    expect(await settle(request, 30)).to.deep.equal({ chargedPence: 30, releasedPence: 12 });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 70 });
  });

  it('are placed once, however often they are asked for, also when nothing is left', async () => {
    const customer = await openCustomer(test.db, 42);
    const request = newHold(customer.accountId, 42);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await hold(customer, request)).to.deep.equal({ held: true });
    await give(test.db, customer.accountId, 100);
    expect(await hold(customer, request)).to.deep.equal({ held: true });
    await settle(request, 42);
    expect(await hold(customer, request)).to.deep.equal({ held: true });
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, wallet: 100 });
  });

  it('of one id on other terms are refused', async () => {
    const customer = await openCustomer(test.db, 100);
    const other = await openCustomer(test.db, 100);
    const request = newHold(customer.accountId, 42);
    await hold(customer, request);
    const terms: Partial<HoldRequest>[] = [
      { amountPence: 43 },
      { amountPence: 1_000 },
      { execution: 2 },
      { jobId: uuidv7() },
      { accountId: other.accountId },
    ];
    for (const changed of terms) {
      const again = inTransaction(test.db, (tx) => placeHold(tx, { ...request, ...changed }));
      expect(String(await refusalOf(again)), JSON.stringify(changed)).to.contain('other terms');
    }
    expect(await balancesOf(test.db, other.accountId)).to.deep.equal({ ...NONE, wallet: 100 });
    // A second hold for the same execution, under another id.
    const second = inTransaction(test.db, (tx) => placeHold(tx, { ...request, holdId: uuidv7() }));
    expect(await refusalOf(second)).to.be.instanceOf(Error);
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({
      ...NONE,
      wallet: 58,
      wallet_held: 42,
    });
    await settle(request, 0);
  });

  it('that credits do not cover leave nothing and say what is there', async () => {
    const customer = await openCustomer(test.db, 41);
    const request = newHold(customer.accountId, 42);
    expect(await hold(customer, request)).to.deep.equal({ held: false, availablePence: 41 });
    expect(await test.db.query('select id from holds where id = $1', [request.holdId])).to.deep.equal([]);
    await give(test.db, customer.accountId, 1);
    expect(await hold(customer, request)).to.deep.equal({ held: true });
    await settle(request, 0);
  });

  it('of nothing need no credits, have no lots, and are settled like any other', async () => {
    const customer = await openCustomer(test.db);
    const request = newHold(customer.accountId, 0);
    for (const turn of [1, 2]) expect(await hold(customer, request), `${turn}`).to.deep.equal({ held: true });
    expect(await refusalOf(settle(request, 1))).to.be.instanceOf(RangeError);
    for (const turn of [1, 2])
      expect(await settle(request, 0), `${turn}`).to.deep.equal({ chargedPence: 0, releasedPence: 0 });
    expect(await transferCount(test.db, customer.accountId)).to.equal(0);
  });

  it('are settled once; a repeat answers what was charged then, whatever it asks now', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = newHold(customer.accountId, 42);
    await hold(customer, request);
    for (const charge of [30, 30, 0, 42, 1_000])
      expect(await settle(request, charge)).to.deep.equal({ chargedPence: 30, releasedPence: 12 });
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, wallet: 70 });
  });

  it('settled from many connections at once with different charges have one settlement', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = newHold(customer.accountId, 42);
    await hold(customer, request);
    const answers = await Promise.all(Array.from({ length: 16 }, (_, charge) => settle(request, charge)));
    const [first] = answers;
    for (const answer of answers) expect(answer).to.deep.equal(first);
    const wallet = 100 - (first?.chargedPence ?? 0);
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, wallet });
  });

  it('are never charged above what they hold, below zero or in parts of a penny, and stay open then', async () => {
    const customer = await openCustomer(test.db, 100);
    const request = newHold(customer.accountId, 42);
    await hold(customer, request);
    for (const charge of [43, -1, 0.5])
      expect(await refusalOf(settle(request, charge))).to.be.instanceOf(RangeError);
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({
      ...NONE,
      wallet: 58,
      wallet_held: 42,
    });
    expect(await settle(request, 42)).to.deep.equal({ chargedPence: 42, releasedPence: 0 });
  });

  it('that do not exist cannot be settled', async () => {
    const work = inTransaction(test.db, (tx) => settleHold(tx, { holdId: uuidv7(), chargePence: 0 }));
    expect(String(await refusalOf(work))).to.contain('There is no hold');
  });

  it('take monthly credits first, and return each part to where it came from', async () => {
    const customer = await openCustomer(test.db, 100);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 30);
    const request = newHold(accountId, 50);
    await hold(customer, request);
    const held = { ...NONE, wallet: 80, wallet_held: 20, monthly_held: 30 };
    expect(await balancesOf(test.db, accountId)).to.deep.equal(held);
    expect(await settle(request, 10)).to.deep.equal({ chargedPence: 10, releasedPence: 40 });
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet: 100, monthly: 20 });
  });

  it('whose period has ended give nothing back to it, or wallet credit when the fault is ours', async () => {
    for (const faultIsOurs of [false, true]) {
      const customer = await openCustomer(test.db, 100);
      const { accountId } = customer;
      await startPeriod(test.db, accountId, 30);
      const request = newHold(accountId, 50);
      await hold(customer, request);
      await endPeriod(test.db, accountId);
      await startPeriod(test.db, accountId, 5);
      await settle(request, 10, { faultIsOurs });
      const wallet = faultIsOurs ? 120 : 100;
      expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, wallet, monthly: 5 });
    }
  });

  it('do not touch monthly credits of a period that is over', async () => {
    const customer = await openCustomer(test.db, 10);
    await startPeriod(test.db, customer.accountId, 30);
    await endPeriod(test.db, customer.accountId);
    expect(await hold(customer, newHold(customer.accountId, 11))).to.deep.equal({
      held: false,
      availablePence: 10,
    });
  });

  it('are gone when their transaction is rolled back', async () => {
    const customer = await openCustomer(test.db, 100);
    const work = inTransaction(test.db, async (tx) => {
      await admit(tx, customer, newHold(customer.accountId, 42));
      throw new Error('the admission failed later');
    });
    expect(await refusalOf(work)).to.be.instanceOf(Error);
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, wallet: 100 });
  });
});
