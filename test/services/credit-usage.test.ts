/** What credits were spent on, by day, job and key: sums of the ledger, whatever the rows are. */
import { expect } from 'chai';

import type { UsageQuery } from '../../src/domain/credit-usage.ts';
import { creditUsage } from '../../src/services/credit-usage.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { ownerOf } from '../support/actors.ts';
import { admit, end, newHold, openCustomer, openKey, suiteLedger } from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';

const DAY_MS = 86_400_000;

describe('the usage of credits', () => {
  const ledger = suiteLedger();

  const usage = ({ accountId, userId }: Customer, query: Partial<UsageQuery> = {}) =>
    creditUsage(ledger.db, ownerOf(accountId, userId), { by: 'day', limit: 100, ...query });
  /** A job for which so much is held, and charged where it has ended. */
  const spend = (customer: Customer, heldPence: number, chargePence: number | null, keyId?: string) =>
    inTransaction(ledger.db, async (tx) => {
      const hold = { ...newHold(customer.accountId, heldPence), ...(keyId === undefined ? {} : { keyId }) };
      await admit(tx, customer, hold);
      if (chargePence !== null) await end(tx, hold.jobId, { holdId: hold.holdId, chargePence });
      return hold.jobId;
    });

  it('is charges by job and by key, the dearest first, with what is held for jobs that go on', async () => {
    const customer = await openCustomer(ledger.db, 1_000);
    const key = await openKey(ledger.db, customer);
    const [cheap, dear, open] = [
      await spend(customer, 50, 20),
      await spend(customer, 50, 50, key),
      await spend(customer, 70, null, key),
    ];
    await spend(customer, 10, 0);
    const byJob = await usage(customer, { by: 'job' });
    expect(byJob).to.include({ spent_cents: 70, held_cents: 70, currency: 'GBP' });
    expect(byJob.rows.slice(0, 3).map((row) => [row.job_id, row.spent_cents, row.held_cents])).to.deep.equal([
      [dear, 50, 0],
      [cheap, 20, 0],
      [open, 0, 70],
    ]);
    const byKey = await usage(customer, { by: 'key' });
    expect(
      byKey.rows.map((row) => [row.key_id, row.name, row.spent_cents, row.held_cents, row.jobs]),
    ).to.deep.equal([
      [key, 'A key', 50, 70, 2],
      [null, null, 20, 0, byKey.rows[1]?.jobs],
    ]);
  });

  it('comes to the sums also where there are more jobs than rows', async () => {
    const customer = await openCustomer(ledger.db, 1_000);
    for (const pence of [5, 4, 3, 2]) await spend(customer, 10, pence);
    const { rows, others, spent_cents } = await usage(customer, { by: 'job', limit: 2 });
    expect(rows.map((row) => row.spent_cents)).to.deep.equal([5, 4]);
    expect(others).to.deep.equal({ rows: 2, spent_cents: 5, held_cents: 0 });
    expect(spent_cents).to.equal(14);
  });

  it('has every UTC day of the time, and a charge on the border counts on the day that it begins', async () => {
    const customer = await openCustomer(ledger.db, 1_000);
    for (const [pence, at] of [
      [7, '2026-03-02T00:00:00Z'],
      [9, '2026-03-04T23:59:59.999999Z'],
      [11, '2026-03-05T00:00:00Z'],
    ] as const) {
      const jobId = await spend(customer, 20, pence);
      await ledger.tamper('update ledger_transfers set created_at = $2 where job_id = $1', [jobId, at]);
    }
    const days = await usage(customer, { from: '2026-03-02T00:00:00Z', to: '2026-03-05T00:00:00Z' });
    expect(days.rows.map((row) => [row.day, row.spent_cents, row.jobs])).to.deep.equal([
      ['2026-03-02', 7, 1],
      ['2026-03-03', 0, 0],
      ['2026-03-04', 9, 1],
    ]);
    expect(days.spent_cents).to.equal(16);
    // The order of times is that of the numbers, which the check of the ledger asks for.
    await ledger.tamper(`update ledger_transfers set created_at = now() where account_id = $1`, [
      customer.accountId,
    ]);
  });

  it('is of the last thirty days where nothing is said, and of nobody else', async () => {
    const [customer, other] = [await openCustomer(ledger.db, 100), await openCustomer(ledger.db, 100)];
    await spend(other, 10, 10);
    await spend(other, 10, null);
    const empty = await usage(customer);
    expect([empty.spent_cents, empty.held_cents]).to.deep.equal([0, 0]);
    expect(Date.parse(empty.to) - Date.parse(empty.from)).to.equal(30 * DAY_MS);
    expect(empty.rows.length).to.be.oneOf([30, 31]);
    for (const by of ['job', 'key'] as const) expect((await usage(customer, { by })).rows).to.deep.equal([]);
  });

  it('is refused for a time that ends before it begins, or is longer than a year', async () => {
    const customer = await openCustomer(ledger.db);
    for (const [from, to] of [
      ['2026-03-02T00:00:00Z', '2026-03-02T00:00:00Z'],
      ['2025-01-01T00:00:00Z', '2026-03-02T00:00:00Z'],
    ] as const)
      expect(await codeOf(usage(customer, { from, to }))).to.equal('VALIDATION_ERROR');
  });
});
