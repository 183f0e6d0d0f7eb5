/** The cost limits as owners set them: over the machinery that holds compare with. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { AuditEntryEntity } from '../../entities/audit.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import type { BillingSettingsRequest } from '../../src/domain/billing-settings.ts';
import { listKeys } from '../../src/services/identity/index.ts';
import { changeBillingSettings, readBillingSettings } from '../../src/services/settings/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, newHold, openCustomer, openKey, suiteLedger } from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';

describe('billing settings', () => {
  const test = suiteLedger();
  const actorOf = ({ accountId, userId }: Customer): SessionActor => ({
    ...{ kind: 'session', accountId, userId, sessionId: uuidv7(), plan: 'free', role: 'owner' },
    isRecent: true,
  });
  const change = (customer: Customer, body: BillingSettingsRequest) =>
    changeBillingSettings(test.db, actorOf(customer), { body, address: '192.0.2.1' });
  const hold = (customer: Customer, pence: number, keyId?: string) =>
    inTransaction(test.db, (tx) =>
      admit(tx, customer, {
        ...newHold(customer.accountId, pence),
        ...(keyId === undefined ? {} : { keyId }),
      }),
    );
  const audits = (customer: Customer) =>
    test.db
      .getRepository(AuditEntryEntity)
      .findBy({ accountId: customer.accountId, action: 'limits.changed' });

  it('limit new holds, keep what is left out, and are taken away by null', async () => {
    const customer = await openCustomer(test.db, 1_000);
    await change(customer, { jobLimitCents: 100, monthLimitCents: 150 });
    expect(await hold(customer, 101)).to.include({ held: false, limit: 'job' });
    expect(await hold(customer, 100)).to.deep.equal({ held: true });
    const now = await change(customer, { jobLimitCents: null });
    expect(now.spending).to.include({ spentCents: 100, restCents: 50 });
    expect(now).to.deep.include({
      ...{
        plan: 'free',
        allowanceEndsAt: null,
        creditCurrency: 'GBP',
        jobLimitCents: null,
        monthLimitCents: 150,
      },
      ...{ lowBalanceCents: null, memberKeysLimitCents: null, autoTopUp: null, keyLimits: [] },
    });
    expect(await hold(customer, 101)).to.include({ held: false, limit: 'month', restPence: 50 });
  });

  it('tell what the month has taken of them and what is left, for the account and for each key with a limit', async () => {
    const customer = await openCustomer(test.db, 1_000);
    const [limited, free] = [await openKey(test.db, customer), await openKey(test.db, customer)];
    await change(customer, {
      monthLimitCents: 500,
      keyLimits: [{ keyId: limited, monthLimitCents: 200 }],
    });
    expect(await hold(customer, 120, limited)).to.deep.equal({ held: true });
    expect(await hold(customer, 30, free)).to.deep.equal({ held: true });
    const { spending } = await readBillingSettings(test.db, customer);
    const { startsAt, endsAt, ...spent } = spending;
    expect(spent).to.deep.equal({
      ...{ spentCents: 150, restCents: 350, keys: [{ keyId: limited, spentCents: 120, restCents: 80 }] },
    });
    expect([startsAt, endsAt].map((time) => time.slice(7))).to.deep.equal([
      '-01T00:00:00.000000Z',
      '-01T00:00:00.000000Z',
    ]);
    expect(Date.now()).to.be.within(Date.parse(startsAt), Date.parse(endsAt));
    const { keys } = await listKeys(test.db, actorOf(customer), { limit: 10 });
    const told = new Map(keys.map((key) => [key.id, [key.monthSpentCents, key.monthRestCents]]));
    expect([told.get(limited), told.get(free)]).to.deep.equal([
      [120, 80],
      [null, null],
    ]);
    // What was charged in another month is not of this one.
    await test.db.query(`update ledger_balances set month = '2020-01-01', month_charged_pence = 77`);
    await test.db.query(`update key_limits set month = '2020-01-01', month_charged_pence = 77`);
    expect((await readBillingSettings(test.db, customer)).spending).to.deep.equal(spending);
    for (const table of ['ledger_balances', 'key_limits'])
      await test.db.query(`update ${table} set month_charged_pence = 0`);
  });

  it('below what is held are taken, and count for new holds', async () => {
    const customer = await openCustomer(test.db, 1_000);
    expect(await hold(customer, 300)).to.deep.equal({ held: true });
    expect(await change(customer, { monthLimitCents: 10 })).to.include({ monthLimitCents: 10 });
    expect(await hold(customer, 1)).to.include({ held: false, limit: 'month' });
  });

  it('of keys are the whole list: a key that is left out has none any more, a foreign key changes nothing', async () => {
    const [customer, stranger] = [await openCustomer(test.db, 1_000), await openCustomer(test.db)];
    const [one, two, foreign] = [
      await openKey(test.db, customer),
      await openKey(test.db, customer),
      await openKey(test.db, stranger),
    ];
    await change(customer, { keyLimits: [{ keyId: one, monthLimitCents: 5 }] });
    expect(await hold(customer, 6, one)).to.include({ held: false, limit: 'key' });
    const refused = change(customer, {
      jobLimitCents: 1,
      keyLimits: [{ keyId: foreign, monthLimitCents: 7 }],
    });
    expect(await codeOf(refused)).to.equal('NOT_FOUND');
    const { jobLimitCents, keyLimits } = await readBillingSettings(test.db, customer);
    expect([jobLimitCents, keyLimits]).to.deep.equal([null, [{ keyId: one, monthLimitCents: 5 }]]);
    await change(customer, { keyLimits: [{ keyId: two, monthLimitCents: 7 }] });
    expect(await hold(customer, 6, one)).to.deep.equal({ held: true });
    expect((await change(customer, {})).keyLimits).to.deep.equal([{ keyId: two, monthLimitCents: 7 }]);
    expect((await change(customer, { keyLimits: [] })).keyLimits).to.deep.equal([]);
  });

  it('are told by the audit log with what they were, and a repeat is no change', async () => {
    const customer = await openCustomer(test.db);
    for (let time = 0; time < 2; time += 1) await change(customer, { jobLimitCents: 7 });
    const [entry, ...others] = await audits(customer);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({ authorKind: 'session', userId: customer.userId, address: '192.0.2.1' });
    expect([entry?.before, entry?.after]).to.deep.equal([
      {
        jobLimitPence: null,
        monthLimitPence: null,
        lowBalancePence: null,
        memberKeysLimitPence: null,
        keys: [],
      },
      {
        jobLimitPence: 7,
        monthLimitPence: null,
        lowBalancePence: null,
        memberKeysLimitPence: null,
        keys: [],
      },
    ]);
  });
});
