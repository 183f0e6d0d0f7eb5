/** Plans and their monthly allowances, on a clock that the tests turn. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { AllowancePeriodEntity } from '../../entities/ledger.ts';
import { operator } from '../../src/services/audit/index.ts';
import { endAllowance } from '../../src/services/ledger/index.ts';
import { grantDueAllowances, setPlanAsOperator } from '../../src/services/plans/index.ts';
import type { PlanChange } from '../../src/services/plans/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { NONE, balancesOf, openCustomer, suiteLedger } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';

const DAY_MS = 86_400_000;

describe('plans of operators', function () {
  this.timeout(240_000);
  const ledger = suiteLedger();
  const day = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00Z` : text);
  const set = (accountId: string, plan: 'free' | 'pro', at: string, more: Partial<PlanChange> = {}) =>
    setPlanAsOperator(
      ledger.db,
      { accountId, plan, key: uuidv7(), reason: 'A contract', ...more },
      operator('ada'),
      day(at),
    );
  const round = (at: string) => grantDueAllowances(ledger.db, day(at));
  const monthly = async (accountId: string): Promise<number> =>
    (await balancesOf(ledger.db, accountId)).monthly;
  const periodsOf = async (accountId: string): Promise<string[]> => {
    const rows = await ledger.db
      .getRepository(AllowancePeriodEntity)
      .find({ where: { accountId }, order: { startsAt: 'asc' } });
    return rows.map(
      ({ startsAt, endsAt }) => `${startsAt.toISOString().slice(0, 10)} ${endsAt.toISOString().slice(0, 10)}`,
    );
  };
  const planOf = async (accountId: string): Promise<string | undefined> => {
    const rows = await ledger.db.query<{ plan: string }[]>('select plan from accounts where id = $1', [
      accountId,
    ]);
    return rows[0]?.plan;
  };
  const epoch = async (): Promise<number> => {
    const [row] = await ledger.db.query<{ epoch: string }[]>('select epoch from revocation_epoch');
    return Number(row?.epoch);
  };
  afterEach(async () => {
    // Plans of one test must not be due in the rounds of the next.
    await ledger.db.query('delete from operator_plans');
  });

  it('grant a month at once, move the epoch, stand in the audit log, and change once for a key', async () => {
    const { accountId } = await openCustomer(ledger.db);
    const before = await epoch();
    const key = uuidv7();
    const changes = await Promise.all(
      Array.from({ length: 5 }, () => set(accountId, 'pro', '2027-01-10', { key })),
    );
    expect(changes.filter(({ replayed }) => !replayed)).to.deep.equal([
      { accountId, former: 'free', plan: 'pro', replayed: false },
    ]);
    expect(await planOf(accountId)).to.equal('pro');
    expect(await epoch()).to.be.greaterThan(before);
    expect(await balancesOf(ledger.db, accountId)).to.deep.equal({ ...NONE, monthly: 2_000 });
    const entries = await ledger.db.query<object[]>(
      `select author_id, before, after from audit_log where account_id = $1 and action = 'plan.changed'`,
      [accountId],
    );
    expect(entries).to.deep.equal([
      {
        ...{ author_id: 'ada', before: { plan: 'free' } },
        after: { plan: 'pro', key, reason: 'A contract' },
      },
    ]);
    expect(await codeOf(set(accountId, 'free', '2027-01-10', { key }))).to.equal('IDEMPOTENCY_KEY_REUSED');
    const other = await openCustomer(ledger.db);
    expect(await codeOf(set(other.accountId, 'pro', '2027-01-10', { key }))).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await codeOf(set(uuidv7(), 'pro', '2027-01-10'))).to.equal('NOT_FOUND');
    expect(await planOf(other.accountId)).to.equal('free');
  });

  it('grant each month of a leap year once, however often and late the rounds come', async () => {
    const { accountId } = await openCustomer(ledger.db);
    await set(accountId, 'pro', '2028-01-31');
    // The scheduler stands still over the end of March and over all of July.
    const isDown = (at: string) => (at > '2028-03-20' && at < '2028-04-12') || /^2028-0(7|8-0)/.test(at);
    let granted = 1;
    for (let time = day('2028-01-31').getTime(); time < day('2029-02-01').getTime(); time += DAY_MS) {
      const at = new Date(time).toISOString().slice(0, 10);
      if (isDown(at)) continue;
      const rounds = await Promise.all([round(at), round(at)]);
      granted += rounds.reduce((sum, one) => sum + one.granted, 0);
      expect(await monthly(accountId), at).to.equal(2_000);
    }
    const periods = await periodsOf(accountId);
    expect(periods).to.deep.equal([
      ...['2028-01-31 2028-02-29', '2028-02-29 2028-03-31', '2028-03-31 2028-04-30', '2028-04-30 2028-05-31'],
      ...['2028-05-31 2028-06-30', '2028-06-30 2028-07-31', '2028-07-31 2028-08-31', '2028-08-31 2028-09-30'],
      ...['2028-09-30 2028-10-31', '2028-10-31 2028-11-30', '2028-11-30 2028-12-31', '2028-12-31 2029-01-31'],
      '2029-01-31 2029-02-28',
    ]);
    expect(granted).to.equal(periods.length);
    const [row] = await ledger.db.query<{ pence: number }[]>(
      `select sum(amount_pence)::int as pence from ledger_entries where account_id = $1 and account = 'monthly_expired'`,
      [accountId],
    );
    expect(row?.pence).to.equal(2_000 * (periods.length - 1));
  });

  it('do not grant months that went by while nobody looked', async () => {
    const { accountId } = await openCustomer(ledger.db);
    await set(accountId, 'pro', '2027-01-10');
    expect(await round('2027-05-20')).to.deep.equal({ granted: 1, expired: 0 });
    expect(await periodsOf(accountId)).to.deep.equal(['2027-01-10 2027-02-10', '2027-05-10 2027-06-10']);
  });

  it('that end in the middle of a month leave that month, and go on with it when they are given again', async () => {
    const { accountId } = await openCustomer(ledger.db);
    await set(accountId, 'pro', '2027-01-10');
    await set(accountId, 'free', '2027-01-20');
    expect(await planOf(accountId)).to.equal('free');
    expect(await monthly(accountId)).to.equal(2_000);
    await set(accountId, 'pro', '2027-01-25');
    expect(await periodsOf(accountId)).to.have.length(1);
    await round('2027-02-11');
    expect(await periodsOf(accountId)).to.deep.equal(['2027-01-10 2027-02-10', '2027-02-10 2027-03-10']);
    await set(accountId, 'free', '2027-02-20');
    expect(await round('2027-03-11')).to.deep.equal({ granted: 0, expired: 1 });
    expect(await round('2027-03-12')).to.deep.equal({ granted: 0, expired: 0 });
    expect(await balancesOf(ledger.db, accountId)).to.deep.equal(NONE);
    await set(accountId, 'pro', '2027-04-03');
    expect((await periodsOf(accountId)).at(-1)).to.equal('2027-04-03 2027-05-03');
  });

  it('begin behind a period that goes on, and pass over a month that was ended before its time', async () => {
    const { accountId } = await openCustomer(ledger.db);
    await set(accountId, 'pro', '2027-01-10');
    await ledger.db.query('delete from operator_plans where account_id = $1', [accountId]);
    await set(accountId, 'pro', '2027-01-20');
    expect(await round('2027-02-10')).to.deep.equal({ granted: 1, expired: 0 });
    const periods = await ledger.db.getRepository(AllowancePeriodEntity).findBy({ accountId });
    const present = periods.find(({ startsAt }) => startsAt.getTime() === day('2027-02-10').getTime());
    await inTransaction(ledger.db, (tx) => endAllowance(tx, accountId, present?.id ?? ''));
    expect(await round('2027-02-15')).to.deep.equal({ granted: 0, expired: 0 });
    expect(await monthly(accountId)).to.equal(0);
    expect(await round('2027-03-10')).to.deep.equal({ granted: 1, expired: 0 });
  });

  it('wait for a suspended account, and are refused to a closed one', async () => {
    const [held, closed, fine] = await Promise.all([
      openCustomer(ledger.db),
      openCustomer(ledger.db),
      openCustomer(ledger.db),
    ]);
    await ledger.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [held.accountId]);
    await ledger.db.query(`update accounts set state = 'CLOSED' where id = $1`, [closed.accountId]);
    await set(held.accountId, 'pro', '2027-01-10');
    expect(await codeOf(set(closed.accountId, 'pro', '2027-01-10'))).to.equal('ACCOUNT_CLOSED');
    expect(await monthly(held.accountId)).to.equal(0);
    await ledger.db.query(`update accounts set state = 'ACTIVE' where id = $1`, [held.accountId]);
    await set(fine.accountId, 'pro', '2027-01-10');
    expect(await round('2027-01-12')).to.deep.equal({ granted: 1, expired: 0 });
    expect(await monthly(held.accountId)).to.equal(2_000);
  });
});
