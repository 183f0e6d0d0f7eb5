/** What callers of a suspended account cost: their calls are refused for nothing, so they must not reach the database each time. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import {
  createAccount,
  createIdentity,
  reactivateAccount,
  suspendAccount,
} from '../../src/services/identity/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { createSessionCookies } from '../../src/services/people/index.ts';
import { createSessionReader } from '../../src/services/people/session-reader.ts';
import { startSession } from '../../src/services/people/sessions.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { codeOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const CALLS = 200;
const NEVER_MS = 3_600_000;

describe('callers of a suspended account', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
  });
  after(() => test.close());

  /** The database, and how many look-ups it was asked for. */
  const counted = (): { readonly db: DataSource; readonly lookUps: () => number } => {
    let count = 0;
    const query = (text: string, ...parameters: unknown[]): Promise<unknown> => {
      if (text.includes('join accounts')) count += 1;
      return test.db.query(text, ...(parameters as [unknown[]]));
    };
    const get = (target: DataSource, name: string): unknown =>
      name === 'query' ? query : Reflect.get(target, name);
    return { db: new Proxy(test.db, { get }), lookUps: () => count };
  };
  const suspended = async (): Promise<NewAccount> => {
    const account = await createAccount(test.db, { email: `${randomUUID()}@example.com`, creditsPence: 0 });
    await suspendAccount(test.db, { accountId: account.accountId, reason: null });
    return account;
  };
  /** Calls again and again, and answers how long that took in seconds. */
  const callOften = async (call: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    for (let turn = 0; turn < CALLS; turn += 1) expect(await codeOf(call())).to.equal('ACCOUNT_SUSPENDED');
    return (performance.now() - begun) / 1000;
  };

  it('who have a key are looked up once a second at most, and are let in again once it is active', async () => {
    const { accountId, liveKey } = await suspended();
    const { db, lookUps } = counted();
    const identity = createIdentity(db, { pollMs: NEVER_MS });
    try {
      const seconds = await callOften(() => identity.authenticate(liveKey));
      expect(lookUps()).to.be.within(1, 1 + Math.ceil(seconds));
      await reactivateAccount(test.db, { accountId, reason: null });
      await until('the key works', async () => (await codeOf(identity.authenticate(liveKey))) === 'accepted');
    } finally {
      identity.close();
    }
  });

  it('who have signed in are looked up once a second at most, and are let in again once it is active', async () => {
    const { accountId } = await suspended();
    const [user] = await test.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const { db, lookUps } = counted();
    const cookies = createSessionCookies('ab'.repeat(32));
    const { value, sha256 } = cookies.draw();
    const visit = { address: '127.0.0.1', network: '127.0.0.1', userAgent: null };
    await inTransaction(test.db, (tx) =>
      startSession(tx, { userId: user?.id ?? '', accountId, sha256, visit }),
    );
    const reader = createSessionReader(db, cookies);
    const seconds = await callOften(() => reader.find(value));
    expect(lookUps()).to.be.within(1, 1 + Math.ceil(seconds));
    await reactivateAccount(test.db, { accountId, reason: null });
    await until('the session works', async () => (await codeOf(reader.find(value))) === 'accepted');
  });
});
