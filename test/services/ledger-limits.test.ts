/** Cost limits: compared under the lock of the balances, with what is charged and held. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { createAccount } from '../../src/services/identity/index.ts';
import { extendHold, placeHold, readLimits, setLimits } from '../../src/services/ledger/index.ts';
import type { HoldRequest, LimitChange } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, balancesOf, end, newHold, suiteLedger } from '../support/ledger.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

interface KeyOwner {
  readonly accountId: string;
  readonly userId: string;
  readonly keys: readonly string[];
}

describe('cost limits', () => {
  const test = suiteLedger();

  /** A customer with credits and two keys. */
  const owner = async (creditsPence = 10_000): Promise<KeyOwner> => {
    const email = `${uuidv7()}@example.com`;
    const { accountId } = await createAccount(test.db, { email, creditsPence });
    const keys = await test.db.query<{ id: string; user_id: string }[]>(
      'select id, user_id from api_keys where account_id = $1 order by id',
      [accountId],
    );
    return { accountId, userId: keys[0]?.user_id ?? '', keys: keys.map(({ id }) => id) };
  };
  const limit = ({ accountId }: KeyOwner, change: LimitChange) => setLimits(test.db, accountId, change);
  const hold = (customer: KeyOwner, request: HoldRequest) =>
    inTransaction(test.db, (tx) => admit(tx, customer, request));
  const take = (customer: KeyOwner, pence: number, keyId?: string) =>
    hold(customer, {
      ...newHold(customer.accountId, pence),
      ...(keyId === undefined ? {} : { keyId }),
    });
  const held = async (customer: KeyOwner, pence: number, keyId?: string): Promise<HoldRequest> => {
    const request = {
      ...newHold(customer.accountId, pence),
      ...(keyId === undefined ? {} : { keyId }),
    };
    expect(await hold(customer, request)).to.deep.equal({ held: true });
    return request;
  };
  const settle = ({ jobId, holdId }: HoldRequest, chargePence: number) =>
    inTransaction(test.db, (tx) => end(tx, jobId, { holdId, chargePence }));

  it('refuse a job above the limit of one job, name limit and rest, and let an equal one through', async () => {
    const customer = await owner();
    await limit(customer, { jobLimitPence: 100 });
    expect(await take(customer, 101)).to.deep.equal({
      ...{ held: false, limit: 'job', limitPence: 100, restPence: 100 },
    });
    const request = await held(customer, 100);
    expect(await hold(customer, request), 'a repeat').to.deep.equal({ held: true });
    await held(customer, 100);
  });

  it('of one job count its extensions and its earlier executions', async () => {
    const customer = await owner();
    await limit(customer, { jobLimitPence: 100 });
    const request = await held(customer, 60);
    const { holdId } = request;
    expect(await extendHold(test.db, { holdId, part: 1, amountPence: 41 })).to.deep.equal({
      ...{ held: false, limit: 'job', limitPence: 100, restPence: 40 },
    });
    expect(await extendHold(test.db, { holdId, part: 1, amountPence: 40 })).to.deep.equal({ held: true });
    await settle(request, 70);
    const next = { ...request, holdId: uuidv7(), execution: 2 };
    expect(await placeHold(test.db, { ...next, amountPence: 31 })).to.deep.equal({
      ...{ held: false, limit: 'job', limitPence: 100, restPence: 30 },
    });
  });

  it('of the month count what is held and what was charged, and not what was given back', async () => {
    const customer = await owner();
    await limit(customer, { monthLimitPence: 100 });
    const request = await held(customer, 80);
    expect(await take(customer, 21)).to.deep.equal({
      ...{ held: false, limit: 'month', limitPence: 100, restPence: 20 },
    });
    await settle(request, 30);
    expect(await take(customer, 71)).to.deep.equal({
      ...{ held: false, limit: 'month', limitPence: 100, restPence: 70 },
    });
    await held(customer, 70);
    expect(await take(customer, 0), 'a hold of nothing').to.deep.equal({ held: true });
  });

  it('of the month begin anew with the next one, in UTC, with what is still held', async () => {
    const customer = await owner();
    const { accountId } = customer;
    await settle(await held(customer, 90), 90);
    const open = await held(customer, 30);
    await limit(customer, { monthLimitPence: 100 });
    expect(await take(customer, 1)).to.include({ limit: 'month', restPence: 0 });
    // The charge becomes one of the last moment of the month before.
    const before = `timezone('UTC', date_trunc('month', timezone('UTC', now()))) - interval '1 second'`;
    await test.tamper(
      `update ledger_transfers set created_at = ${before} where account_id = '${accountId}' and kind = 'charge';
       update ledger_balances set month = date_trunc('month', timezone('UTC', ${before})) where account_id = '${accountId}'`,
    );
    expect(await take(customer, 71)).to.include({ limit: 'month', restPence: 70 });
    await settle(open, 30);
    expect(await take(customer, 71)).to.include({ limit: 'month', restPence: 70 });
    await held(customer, 70);
  });

  it('of a key count what its jobs hold and were charged, from before the limit on, and no other key', async () => {
    const customer = await owner();
    const [key = '', other = ''] = customer.keys;
    await settle(await held(customer, 50, key), 35);
    const open = await held(customer, 15, key);
    await held(customer, 500, other);
    await limit(customer, { key: { keyId: key, monthLimitPence: 100 } });
    expect(await take(customer, 51, key)).to.deep.equal({
      ...{ held: false, limit: 'key', limitPence: 100, restPence: 50 },
    });
    await held(customer, 51, other);
    await held(customer, 51);
    const { holdId } = open;
    expect(await extendHold(test.db, { holdId, part: 1, amountPence: 51 })).to.include({ limit: 'key' });
    expect(await extendHold(test.db, { holdId, part: 1, amountPence: 20 })).to.deep.equal({ held: true });
    expect(await take(customer, 31, key)).to.include({ limit: 'key', restPence: 30 });
    await settle(open, 5);
    expect(await take(customer, 61, key)).to.include({ limit: 'key', restPence: 60 });
    await held(customer, 60, key);
  });

  for (const name of ['job', 'month', 'key'] as const)
    it(`are never passed together by 50 holds at once: the limit of the ${name}`, async () => {
      const customer = await owner();
      const [key = ''] = customer.keys;
      const changes = {
        ...{ job: { jobLimitPence: 42 }, month: { monthLimitPence: 42 * 7 + 41 } },
        key: { key: { keyId: key, monthLimitPence: 42 * 7 + 41 } },
      };
      await limit(customer, changes[name]);
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, n) => take(customer, name === 'job' ? 42 + (n % 2) : 42, key)),
      );
      expect(results.filter((result) => result.held)).to.have.length(name === 'job' ? 25 : 7);
      for (const result of results) if (!result.held) expect(result).to.include({ limit: name });
    });

  it('below what is held are taken, and count for new holds', async () => {
    const customer = await owner();
    const request = await held(customer, 80);
    expect(await limit(customer, { monthLimitPence: 50 })).to.deep.equal({
      ...{
        jobLimitPence: null,
        monthLimitPence: 50,
        lowBalancePence: null,
        memberKeysLimitPence: null,
        keys: [],
      },
    });
    expect(await take(customer, 1)).to.include({ limit: 'month', restPence: 0 });
    await settle(request, 80);
    expect(await balancesOf(test.db, customer.accountId)).to.include({ wallet: 9_920 });
  });

  it('are changed one by one, taken away, and refused where they are no limits or the key is not theirs', async () => {
    const customer = await owner();
    const stranger = await owner();
    const [keyId = ''] = customer.keys;
    await limit(customer, { jobLimitPence: 5, key: { keyId, monthLimitPence: 7 } });
    await limit(customer, { monthLimitPence: 0 });
    expect(await readLimits(test.db, customer.accountId)).to.deep.equal({
      ...{
        jobLimitPence: 5,
        monthLimitPence: 0,
        lowBalancePence: null,
        memberKeysLimitPence: null,
        keys: [{ keyId, monthLimitPence: 7 }],
      },
    });
    await limit(customer, {
      ...{ jobLimitPence: null, monthLimitPence: null, key: { keyId, monthLimitPence: null } },
    });
    expect(await readLimits(test.db, customer.accountId)).to.deep.equal({
      ...{
        jobLimitPence: null,
        monthLimitPence: null,
        lowBalancePence: null,
        memberKeysLimitPence: null,
        keys: [],
      },
    });
    await held(customer, 1_000, keyId);
    expect(await codeOf(limit(stranger, { key: { keyId, monthLimitPence: 7 } }))).to.equal('NOT_FOUND');
    expect(await codeOf(setLimits(test.db, uuidv7(), { jobLimitPence: 1 }))).to.equal('NOT_FOUND');
    for (const jobLimitPence of [-1, 0.5, Number.NaN])
      expect(await refusalOf(limit(customer, { jobLimitPence }))).to.be.instanceOf(RangeError);
  });

  it('set while a settlement waits for the lock count what it charges', async () => {
    const customer = await owner();
    const [keyId = ''] = customer.keys;
    const requests = await Promise.all(Array.from({ length: 8 }, () => held(customer, 20, keyId)));
    await Promise.all([
      ...requests.map((request) => settle(request, 10)),
      ...[1, 2, 3].map((n) => limit(customer, { key: { keyId, monthLimitPence: 100 + n } })),
    ]);
    expect(await take(customer, 24, keyId)).to.include({ limit: 'key' });
  });
});
