/** Allowance periods: granted once, expired with their time, and never mixed with each other. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { AllowancePeriodEntity, LedgerBalanceEntity } from '../../entities/ledger.ts';
import { endAllowance, startAllowance } from '../../src/services/ledger/index.ts';
import type { AllowanceGrant } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import {
  NONE,
  admit,
  balancesOf,
  end,
  newHold,
  openCustomer,
  startPeriod,
  suiteLedger,
  transferCount,
} from '../support/ledger.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';
import type { Customer } from '../support/ledger.ts';

describe('allowance periods', () => {
  const test = suiteLedger();

  const periodOf = (accountId: string, grantedPence: number): AllowanceGrant => ({
    ...{ id: uuidv7(), accountId, grantedPence },
    ...{ startsAt: new Date(Date.now() - 1_000), endsAt: new Date(Date.now() + 86_400_000) },
  });
  const start = (grant: AllowanceGrant) => inTransaction(test.db, (tx) => startAllowance(tx, grant));
  const held = async (customer: Customer, pence: number) => {
    const request = newHold(customer.accountId, pence);
    const placed = await inTransaction(test.db, (tx) => admit(tx, customer, request));
    expect(placed).to.deep.equal({ held: true });
    return request;
  };
  const settle = (request: { readonly jobId: string; readonly holdId: string }, chargePence: number) =>
    inTransaction(test.db, (tx) => end(tx, request.jobId, { holdId: request.holdId, chargePence }));

  it('are granted once under their id, from many connections at once too', async () => {
    const { accountId } = await openCustomer(test.db);
    const grant = periodOf(accountId, 2_000);
    const started = await Promise.all(Array.from({ length: 8 }, () => start(grant)));
    expect(started.filter(Boolean)).to.have.length(1);
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, monthly: 2_000 });
    for (const other of [{ grantedPence: 2_001 }, { endsAt: new Date(Date.now() + 1_000) }])
      expect(await codeOf(start({ ...grant, ...other }))).to.equal('IDEMPOTENCY_KEY_REUSED');
    const [row] = await test.db.getRepository(LedgerBalanceEntity).findBy({ accountId });
    expect(row).to.include({ monthlyPeriod: grant.id }).and.to.deep.include({ monthlyEndsAt: grant.endsAt });
  });

  it('let what is left expire when the next one begins, and name it once', async () => {
    const { accountId } = await openCustomer(test.db);
    await start(periodOf(accountId, 300));
    await start(periodOf(accountId, 500));
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, monthly: 500 });
    expect(await transferCount(test.db, accountId)).to.equal(3);
  });

  it('take back no lot of another period, also while the time of that period lasts', async () => {
    const customer = await openCustomer(test.db);
    const { accountId } = customer;
    await start(periodOf(accountId, 2_000));
    const request = await held(customer, 2_000);
    // A change of the plan begins the next period before its time.
    await start(periodOf(accountId, 2_000));
    await settle(request, 500);
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, monthly: 2_000 });
    const [expired] = await test.db.query<{ pence: number }[]>(
      `select sum(amount_pence)::int as pence from ledger_entries where account_id = $1 and account = 'monthly_expired'`,
      [accountId],
    );
    expect(expired?.pence).to.equal(1_500);
  });

  it('take back their own lots, whatever period was before', async () => {
    const customer = await openCustomer(test.db);
    await start(periodOf(customer.accountId, 100));
    await start(periodOf(customer.accountId, 70));
    const request = await held(customer, 60);
    await settle(request, 10);
    expect(await balancesOf(test.db, customer.accountId)).to.deep.equal({ ...NONE, monthly: 60 });
  });

  it('end before their time with what is left, once, and take nothing back afterwards', async () => {
    const customer = await openCustomer(test.db);
    const { accountId } = customer;
    const period = await startPeriod(test.db, accountId, 100);
    const request = await held(customer, 40);
    for (const id of [uuidv7(), period, period])
      await inTransaction(test.db, (tx) => endAllowance(tx, accountId, id));
    expect(await balancesOf(test.db, accountId)).to.deep.equal({ ...NONE, monthly_held: 40 });
    await settle(request, 15);
    expect(await balancesOf(test.db, accountId)).to.deep.equal(NONE);
    expect(await inTransaction(test.db, (tx) => admit(tx, customer, newHold(accountId, 1)))).to.deep.equal({
      ...{ held: false, availablePence: 0 },
    });
  });

  it('leave nothing behind when their credits are refused', async () => {
    const { accountId } = await openCustomer(test.db);
    for (const grantedPence of [0, -1, 0.5])
      expect(await refusalOf(start(periodOf(accountId, grantedPence)))).to.be.instanceOf(Error);
    await test.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [accountId]);
    expect(await codeOf(start(periodOf(accountId, 5)))).to.equal('ACCOUNT_SUSPENDED');
    expect(await test.db.getRepository(AllowancePeriodEntity).countBy({ accountId })).to.equal(0);
  });
});
