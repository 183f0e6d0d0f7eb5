import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Actor } from '../../src/domain/access.ts';
import {
  closeAccount,
  createAccount,
  createIdentity,
  reactivateAccount,
  suspendAccount,
} from '../../src/services/identity/index.ts';
import type { Identity, NewAccount } from '../../src/services/identity/index.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { grantCredits, lockAccounts, placeHold, settleHold } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admissionOf } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { codeOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const NEVER_MS = 2_000_000;

describe('states of an account', () => {
  let database: TestDatabase;
  const identities: Identity[] = [];
  before(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => {
    for (const identity of identities.splice(0)) identity.close();
  });
  after(() => database.close());

  const newAccount = (creditsPence = 10_000): Promise<NewAccount> =>
    createAccount(database.db, { email: `${randomUUID()}@example.com`, creditsPence });
  const because = ({ accountId }: NewAccount, reason: string | null = null) => ({ accountId, reason });
  /** Authentication of another process, which hears of changes and does not poll. */
  const identity = async (): Promise<Identity> => {
    const made = createIdentity(database.db, { pollMs: NEVER_MS });
    identities.push(made);
    await until('it listens', async () => {
      const rows = await database.db.query<unknown[]>(
        `select 1 from pg_stat_activity where application_name = 'dockyard-revocations' and datname = current_database()
           and query ilike 'listen%' and state = 'idle'`,
      );
      return rows.length >= identities.length;
    });
    return made;
  };
  const admissionFor = async ({ accountId }: NewAccount, more: Parameters<typeof admissionOf>[1] = {}) => {
    const [user] = await database.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    return admissionOf({ accountId, userId: user?.id ?? '' }, more);
  };
  const eventsOf = async ({ accountId }: NewAccount): Promise<unknown[]> => {
    const rows = await database.db.query<{ payload: unknown }[]>(
      `select payload from events where account_id = $1 and kind = 'account.state' order by entry`,
      [accountId],
    );
    return rows.map(({ payload }) => payload);
  };
  const rowsOf = async ({ accountId }: NewAccount): Promise<unknown> => {
    const [row] = await database.db.query<unknown[]>(
      `select state, (select count(*)::int from jobs where account_id = a.id) as jobs,
         (select count(*)::int from holds where account_id = a.id) as holds,
         (select count(*)::int from api_keys where account_id = a.id and revoked_at is null) as keys,
         (select count(*)::int from account_removals where account_id = a.id) as removals,
         (select (wallet + wallet_held)::int from ledger_balances where account_id = a.id) as pence
       from accounts a where id = $1`,
      [accountId],
    );
    return row;
  };
  const holdFor = ({ accountId }: NewAccount, amountPence: number) => ({
    ...{ holdId: randomUUID(), accountId, jobId: randomUUID(), execution: 1, amountPence },
  });

  /** Statements by which the steps below take the lock of an account, and what each step comes to. */
  const STEPS = {
    close: {
      text: 'from ledger_balances where account_id = any',
      run: (account: NewAccount) => closeAccount(database.db, because(account)).then(String, () => 'refused'),
    },
    suspend: {
      text: 'from ledger_balances where account_id = any',
      run: (account: NewAccount) =>
        suspendAccount(database.db, because(account)).then(String, () => 'refused'),
    },
    grant: {
      text: 'from ledger_balances where account_id = any',
      run: ({ accountId }: NewAccount) =>
        grantCredits(database.db, {
          accountId,
          amountPence: 5,
          key: randomUUID(),
          description: 'a gift',
        }).then(String, () => 'refused'),
    },
    admit: {
      text: 'ledger_reserve',
      run: async (account: NewAccount) =>
        (await admitJob(database.db, await admissionFor(account), 'run')).kind as string,
    },
  } as const;
  /** Runs two steps at the same time, so that the first one waits for the lock of the account before the second one does. */
  const inOrder = async (
    account: NewAccount,
    [first, second]: readonly [keyof typeof STEPS, keyof typeof STEPS],
  ): Promise<string[]> => {
    const outcomes: Promise<string>[] = [];
    await inTransaction(database.db, async (tx) => {
      await lockAccounts(tx, [account.accountId]);
      outcomes.push(STEPS[first].run(account));
      await waitsForLock(database.db, STEPS[first].text);
      outcomes.push(STEPS[second].run(account));
      await waitsForLock(database.db, STEPS[second].text, STEPS[first].text === STEPS[second].text ? 2 : 1);
    });
    return Promise.all(outcomes);
  };

  describe('closed', () => {
    it('ends its keys everywhere and notes its files for the sweep, as often as asked', async () => {
      const account = await newAccount();
      const other = await identity();
      expect((await other.authenticate(account.liveKey)).accountId).to.equal(account.accountId);
      expect(await closeAccount(database.db, because(account, 'by wish'))).to.include({ keysRevoked: 2 });
      expect(await closeAccount(database.db, because(account))).to.include({ keysRevoked: 0 });
      await until(
        'the key is refused',
        async () => (await codeOf(other.authenticate(account.liveKey))) === 'UNAUTHORIZED',
      );
      expect(await rowsOf(account)).to.deep.equal({
        ...{ state: 'CLOSED', jobs: 0, holds: 0, keys: 0, removals: 1, pence: 10_000 },
      });
      expect(await eventsOf(account)).to.deep.equal([
        { state: 'CLOSED', former: 'ACTIVE', reason: 'by wish' },
      ]);
    });

    it('is refused while it has open jobs, and leaves it as it was', async () => {
      const account = await newAccount();
      const admission = await admissionFor(account);
      expect(await admitJob(database.db, admission, 'run')).to.include({ kind: 'admitted' });
      const before = await rowsOf(account);
      const refusal = await closeAccount(database.db, because(account)).catch((error: unknown) => error);
      expect(String(refusal)).to.include(admission.jobId);
      expect(await rowsOf(account)).to.deep.equal(before);
      expect(await eventsOf(account)).to.deep.equal([]);
    });

    it('gets no hold, no job and no credits any more, and never comes back', async () => {
      const account = await newAccount();
      await closeAccount(database.db, because(account));
      expect(await placeHold(database.db, holdFor(account, 1))).to.deep.equal({
        held: false,
        accountState: 'CLOSED',
      });
      expect(await placeHold(database.db, holdFor(account, 0))).to.deep.equal({
        held: false,
        accountState: 'CLOSED',
      });
      const decision = await admitJob(database.db, await admissionFor(account), 'run');
      expect(decision).to.include({ kind: 'refused', code: 'ACCOUNT_CLOSED' });
      const grant = { accountId: account.accountId, amountPence: 5, key: randomUUID(), description: 'late' };
      expect(await codeOf(grantCredits(database.db, grant))).to.equal('ACCOUNT_CLOSED');
      for (const again of [suspendAccount, reactivateAccount])
        expect(await codeOf(again(database.db, because(account)))).to.equal('VALIDATION_ERROR');
      expect(await rowsOf(account)).to.deep.equal({
        ...{ state: 'CLOSED', jobs: 0, holds: 0, keys: 0, removals: 1, pence: 10_000 },
      });
    });

    it('is decided together with admissions: whichever takes the lock first is seen by the other', async () => {
      for (const first of ['close', 'admit'] as const) {
        const account = await newAccount();
        const second = first === 'close' ? 'admit' : 'close';
        const [one, other] = await inOrder(account, [first, second]);
        expect(one, first).not.to.equal('refused');
        expect(other, second).to.equal('refused');
        expect(await rowsOf(account)).to.include(
          first === 'close' ? { state: 'CLOSED', jobs: 0, holds: 0 } : { state: 'ACTIVE', jobs: 1, keys: 2 },
        );
      }
    });

    it('is decided together with grants: a grant that comes first is kept, one that comes second is refused', async () => {
      for (const first of ['close', 'grant'] as const) {
        const account = await newAccount();
        const second = first === 'close' ? 'grant' : 'close';
        const [one, other] = await inOrder(account, [first, second]);
        expect(one, first).not.to.equal('refused');
        // A grant leaves nothing open, so the account is closed after it.
        expect(other === 'refused', second).to.equal(second === 'grant');
        expect(await rowsOf(account)).to.include({
          state: 'CLOSED',
          pence: first === 'grant' ? 10_005 : 10_000,
        });
      }
    });
  });

  describe('suspended', () => {
    it('refuses its keys in every process within seconds, says why, and takes them again afterwards', async () => {
      const account = await newAccount();
      const other = await identity();
      await other.authenticate(account.liveKey);
      expect(await suspendAccount(database.db, because(account, 'a stolen card'))).to.deep.equal({
        ...{ accountId: account.accountId, former: 'ACTIVE', state: 'SUSPENDED', openJobs: 0 },
      });
      await until(
        'the key is refused',
        async () => (await codeOf(other.authenticate(account.liveKey))) === 'ACCOUNT_SUSPENDED',
      );
      expect(await codeOf(other.authenticate(account.testKey))).to.equal('ACCOUNT_SUSPENDED');
      expect(other.recall(account.liveKey)).to.equal(null);
      expect(await suspendAccount(database.db, because(account))).to.include({ former: 'SUSPENDED' });
      expect(await reactivateAccount(database.db, because(account))).to.include({ former: 'SUSPENDED' });
      await until(
        'the key is taken',
        async () => (await codeOf(other.authenticate(account.liveKey))) === 'accepted',
      );
      expect(await eventsOf(account)).to.deep.equal([
        { state: 'SUSPENDED', former: 'ACTIVE', reason: 'a stolen card' },
        { state: 'ACTIVE', former: 'SUSPENDED', reason: null },
      ]);
    });

    it('gets no hold, no job and no credits until it is active again', async () => {
      const account = await newAccount();
      const { accountId } = account;
      const known = { accountId, amountPence: 7, key: randomUUID(), description: 'before' };
      await grantCredits(database.db, known);
      await suspendAccount(database.db, because(account));
      const before = await rowsOf(account);
      const hold = holdFor(account, 5);
      const refused = { held: false, accountState: 'SUSPENDED' };
      expect(await placeHold(database.db, hold)).to.deep.equal(refused);
      expect(await placeHold(database.db, holdFor(account, 0))).to.deep.equal(refused);
      const admission = await admissionFor(account);
      expect(await admitJob(database.db, admission, 'run')).to.include({
        ...{ kind: 'refused', code: 'ACCOUNT_SUSPENDED', fingerprint: admission.fingerprint },
      });
      const grant = { accountId, amountPence: 5, key: randomUUID(), description: 'a gift' };
      expect(await codeOf(grantCredits(database.db, grant))).to.equal('ACCOUNT_SUSPENDED');
      expect(await rowsOf(account)).to.deep.equal(before);
      expect((await grantCredits(database.db, known)).replayed, 'what was granted before').to.equal(true);

      await reactivateAccount(database.db, because(account));
      expect(await admitJob(database.db, admission, 'run')).to.include({ kind: 'admitted' });
      expect((await grantCredits(database.db, grant)).replayed).to.equal(false);
    });

    it('is decided together with admissions: a job that comes first is kept, one that comes second is refused', async () => {
      for (const first of ['suspend', 'admit'] as const) {
        const account = await newAccount();
        const second = first === 'suspend' ? 'admit' : 'suspend';
        const [one, other] = await inOrder(account, [first, second]);
        expect(one, first).not.to.equal('refused');
        expect(other === 'refused', second).to.equal(second === 'admit');
        const jobs = first === 'admit' ? 1 : 0;
        expect(await rowsOf(account)).to.include({ state: 'SUSPENDED', jobs, holds: jobs, keys: 2 });
      }
    });

    it('keeps the jobs that were admitted: they hold, and are settled, as if nothing had been', async () => {
      const account = await newAccount();
      const admission = await admissionFor(account);
      await admitJob(database.db, admission, 'run');
      const hold = holdFor(account, 100);
      expect(await placeHold(database.db, hold)).to.deep.equal({ held: true });
      expect(await suspendAccount(database.db, because(account))).to.include({ openJobs: 1 });
      expect(await admitJob(database.db, admission, 'run'), 'a repeated admission').to.include({
        kind: 'admitted',
      });
      expect(await placeHold(database.db, hold), 'a repeated hold').to.deep.equal({ held: true });
      expect(await settleHold(database.db, { holdId: hold.holdId, chargePence: 30 })).to.deep.equal({
        ...{ chargedPence: 30, releasedPence: 70 },
      });
      expect(await rowsOf(account)).to.include({ state: 'SUSPENDED', jobs: 1, pence: 9_970 });
    });
  });

  describe('and whatever else a key stands for', () => {
    const epoch = async (): Promise<number> => {
      const [row] = await database.db.query<{ epoch: number }[]>('select epoch from revocation_epoch');
      return row?.epoch ?? 0;
    };

    it('is forgotten by every process when it changes, whoever changes it', async () => {
      const account = await newAccount();
      const other = await identity();
      const seen = async (): Promise<Actor> => other.authenticate(account.liveKey);
      expect(await seen()).to.deep.include({ plan: 'free' });
      await database.db.query(`update accounts set plan = 'pro' where id = $1`, [account.accountId]);
      await until('the plan is known', async () => (await seen()).plan === 'pro', 2_000);
      await database.db.query(`update api_keys set scopes = '{convert}' where account_id = $1`, [
        account.accountId,
      ]);
      await until(
        'the scopes are known',
        async () => JSON.stringify(await seen()).includes('"scopes":["convert"]'),
        2_000,
      );
    });

    const moved = async (sql: string, values: readonly unknown[]): Promise<number> => {
      const before = await epoch();
      await database.db.query(sql, [...values]);
      return (await epoch()) - before;
    };

    it('moves the epoch once for each change, and for nothing else', async () => {
      const account = await newAccount();
      const moves = (sql: string): Promise<number> => moved(sql, [account.accountId]);
      expect(await moves(`update accounts set plan = 'pro' where id = $1`)).to.equal(1);
      expect(await moves(`update accounts set plan = 'pro' where id = $1`)).to.equal(0);
      expect(await moves(`update accounts set state = 'SUSPENDED' where id = $1`)).to.equal(1);
      expect(await moves(`update api_keys set last_used_at = now() where account_id = $1`)).to.equal(0);
      expect(await moves(`update api_keys set name = 'x' where account_id = $1`)).to.equal(0);
      const oneKey = 'id = (select id from api_keys where account_id = $1 limit 1)';
      expect(await moves(`update api_keys set expires_at = now() where ${oneKey}`)).to.equal(1);
      expect(await moves(`update api_keys set revoked_at = now() where ${oneKey}`)).to.equal(1);
    });

    it('moves the epoch once for a statement, however many keys it changes or removes', async () => {
      const accounts = await Promise.all([newAccount(), newAccount()]);
      const ids = accounts.map(({ accountId }) => accountId);
      expect(
        await moved('update api_keys set revoked_at = now() where account_id = any($1)', [ids]),
      ).to.equal(1);
      expect(
        await moved('update api_keys set revoked_at = revoked_at where account_id = any($1)', [ids]),
      ).to.equal(0);
      expect(await moved('delete from api_keys where account_id = any($1)', [ids])).to.equal(1);
      expect(await moved('delete from api_keys where account_id = any($1)', [ids])).to.equal(0);
    });

    it('moves the epoch for every column that authentication may read', async () => {
      const account = await newAccount();
      const other = await newAccount();
      const [user] = await database.db.query<{ id: string }[]>('select id from users where account_id = $1', [
        other.accountId,
      ]);
      const unread: Readonly<Record<string, readonly string[]>> = {
        accounts: ['id', 'created_at'],
        api_keys: ['id', 'name', 'prefix', 'last4', 'created_at', 'last_used_at'],
      };
      /** A value that every row gets anew; the column of a new kind needs one here. */
      const fresh: Readonly<Record<string, string>> = {
        ...{ plan: `'pro'`, state: `'SUSPENDED'`, environment: `'test'`, scopes: `'{convert}'` },
        ...{
          account_id: `'${other.accountId}'`,
          user_id: `'${user?.id ?? ''}'`,
          secret_sha256: `repeat('0', 64)`,
        },
        ...{ expires_at: 'now()', revoked_at: 'now()' },
        ...{ allowed_cidrs: `'{192.0.2.0/24}'`, request_sha256: `'c'`, first_key_id: 'id' },
      };
      const columns = await database.db.query<{ table: string; name: string }[]>(
        `select table_name as table, column_name as name from information_schema.columns
         where table_schema = 'public' and table_name = any($1)`,
        [Object.keys(unread)],
      );
      const [key] = await database.db.query<{ id: string }[]>(
        `select id from api_keys where account_id = $1 and environment = 'live'`,
        [account.accountId],
      );
      for (const { table, name } of columns.filter(
        (each) => unread[each.table]?.includes(each.name) !== true,
      )) {
        const id = table === 'accounts' ? account.accountId : key?.id;
        const value = fresh[name] ?? expect.fail(`${table}.${name} is a column that nobody has decided on`);
        expect(await moved(`update ${table} set ${name} = ${value} where id = $1`, [id]), name).to.equal(1);
      }
      expect(
        await moved(`update api_keys set name = 'n', prefix = 'p', last4 = 'l' where id = $1`, [key?.id]),
      ).to.equal(0);
    });
  });
});
