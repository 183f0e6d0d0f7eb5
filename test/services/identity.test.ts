import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { KeyActor } from '../../src/domain/access.ts';
import { SCOPES } from '../../src/domain/access.ts';
import { createAccount, createIdentity, revokeKey } from '../../src/services/identity/index.ts';
import type { Identity, NewAccount } from '../../src/services/identity/index.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { codeOf } from '../support/refusals.ts';

const NEVER_MS = 2_000_000;

describe('identity', () => {
  let test: TestDatabase;
  const identities: Identity[] = [];

  before(async () => {
    test = await openTestDatabase();
  });
  afterEach(() => {
    for (const identity of identities.splice(0)) identity.close();
  });
  after(() => test.close());

  /** Authentication as a process of its own would have it. */
  const identity = (pollMs?: number): Identity => {
    const made = createIdentity(test.db, pollMs === undefined ? {} : { pollMs });
    identities.push(made);
    return made;
  };
  const account = (creditsPence = 0): Promise<NewAccount> =>
    createAccount(test.db, { email: `${randomUUID()}@example.com`, creditsPence });
  const keyIdOf = async (key: string): Promise<string> => {
    const digest = createHash('sha256').update(key).digest('hex');
    const [row] = await test.db.query<{ id: string }[]>('select id from api_keys where secret_sha256 = $1', [
      digest,
    ]);
    return row?.id ?? '';
  };
  const listeners = async (): Promise<number[]> => {
    const rows = await test.db.query<{ pid: number }[]>(
      `select pid from pg_stat_activity
       where application_name = 'dockyard-revocations' and datname = current_database() and query ilike 'listen%' and state = 'idle'`,
    );
    return rows.map((row) => row.pid);
  };
  const isRefused = async (who: Identity, key: string): Promise<boolean> =>
    (await codeOf(who.authenticate(key))) === 'UNAUTHORIZED';
  /** An identity, and how many of its statements were answered. */
  const counting = (): { identity: Identity; queries: () => number } => {
    let queries = 0;
    const query: typeof test.db.query = async (...call) => {
      try {
        return await test.db.query(...call);
      } finally {
        queries += 1;
      }
    };
    const db = new Proxy(test.db, {
      get: (target, name) => {
        if (name === 'query') return query;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const made = createIdentity(db, { pollMs: NEVER_MS });
    identities.push(made);
    return { identity: made, queries: () => queries };
  };

  describe('keys', () => {
    it('are svc_live_ or svc_test_, 32 bytes and a checksum in base62, and stored by digest only', async () => {
      const made = await account();
      expect(made.liveKey).to.match(/^svc_live_[0-9A-Za-z]{49}$/);
      expect(made.testKey).to.match(/^svc_test_[0-9A-Za-z]{49}$/);
      const rows = await test.db.query<Record<string, unknown>[]>(
        'select k.*, k::text as whole from api_keys k where account_id = $1 order by environment',
        [made.accountId],
      );
      expect(rows).to.have.length(2);
      const prefix = made.liveKey.slice(0, 13);
      expect(rows[0]).to.include({ prefix, last4: made.liveKey.slice(-4), environment: 'live' });
      expect(rows[0]?.['scopes']).to.deep.equal([...SCOPES]);
      for (const row of rows) {
        expect(String(row['whole'])).not.to.contain(made.liveKey.slice(13, 30));
        expect(String(row['whole'])).not.to.contain(made.testKey.slice(13, 30));
      }
    });

    it('tell who calls, with which scopes, live or test', async () => {
      const made = await account();
      const live: KeyActor = await identity().authenticate(made.liveKey);
      expect(live).to.include({ kind: 'key', accountId: made.accountId, environment: 'live', plan: 'free' });
      expect(live.scopes).to.deep.equal([...SCOPES]);
      expect((await identity().authenticate(made.testKey)).environment).to.equal('test');
    });

    it('with a typo or of another form are refused without a look-up', async () => {
      const made = await account();
      const { identity: who, queries } = counting();
      await until('the watch has looked once', () => queries() > 0);
      await until('the watch listens', async () => (await listeners()).length === 1);
      const before = queries();
      const swapped = (key: string, at: number): string =>
        key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      const wrong = [
        ...Array.from({ length: 49 }, (_, index) => swapped(made.liveKey, 9 + index)),
        made.liveKey.replace('svc_live_', 'svc_test_'),
        made.liveKey.slice(0, -1),
        `${made.liveKey}x`,
        ` ${made.liveKey}`,
        `${made.liveKey}\n`,
        '',
        'svc_live_',
        made.accountId,
      ];
      for (const key of wrong) expect(await isRefused(who, key), key).to.equal(true);
      expect(queries()).to.equal(before);
    });

    it('that nobody was given are refused', async () => {
      const made = await account();
      await test.db.query('delete from api_keys where account_id = $1', [made.accountId]);
      expect(await isRefused(identity(), made.liveKey)).to.equal(true);
    });

    it('are looked up once a minute, and their use is noted', async () => {
      const made = await account();
      const { identity: who, queries } = counting();
      await who.authenticate(made.liveKey);
      await until('the watch listens', async () => (await listeners()).length === 1);
      await who.authenticate(made.liveKey);
      const before = queries();
      for (let call = 0; call < 20; call += 1) await who.authenticate(made.liveKey);
      expect(queries()).to.equal(before);
      const [row] = await test.db.query<{ used: boolean }[]>(
        'select last_used_at is not null as used from api_keys where id = $1',
        [await keyIdOf(made.liveKey)],
      );
      expect(row?.used).to.equal(true);
    });

    it('that come many times at once share one look-up, and are recalled from then on', async () => {
      const made = await account();
      const { identity: who, queries } = counting();
      await until('the watch listens', async () => (await listeners()).length === 1);
      await until('the watch has looked', () => queries() > 0);
      expect(who.recall(made.liveKey)).to.equal(null);
      const before = queries();
      const first = who.authenticate(made.liveKey);
      const joined = who.recall(made.liveKey);
      const actors = await Promise.all([first, joined, who.authenticate(made.liveKey)]);
      expect(queries()).to.equal(before + 1);
      expect(actors.map((actor) => actor?.accountId)).to.deep.equal(Array(3).fill(made.accountId));
      expect(who.recall(made.liveKey)).to.deep.equal(actors[0]);
      expect([who.wasGood(made.liveKey), who.wasGood(made.testKey)]).to.deep.equal([true, false]);
      expect(who.recall('svc_live_malformed')).to.equal(null);
    });

    it('end at their time, also where they are remembered', async () => {
      const made = await account();
      const who = identity(NEVER_MS);
      await test.db.query(
        `update api_keys set expires_at = now() + interval '700 milliseconds' where account_id = $1`,
        [made.accountId],
      );
      await who.authenticate(made.liveKey);
      await until('the key has ended', () => isRefused(who, made.liveKey), 3_000);
      const [row] = await test.db.query<{ over: boolean }[]>(
        'select expires_at <= now() as over from api_keys where id = $1',
        [await keyIdOf(made.liveKey)],
      );
      expect(row?.over).to.equal(true);
    });
  });

  describe('revocation', () => {
    it('is known to another process at once, by announcement alone', async () => {
      const made = await account();
      const other = identity(NEVER_MS);
      await until('it listens', async () => (await listeners()).length === 1);
      await other.authenticate(made.liveKey);
      await revokeKey(test.db, await keyIdOf(made.liveKey));
      await until('the other process refuses it', () => isRefused(other, made.liveKey));
      expect(await isRefused(other, made.testKey)).to.equal(false);
    });

    it('is known to the process that made it as soon as that process forgets what it knows', async () => {
      const made = await account();
      const who = identity();
      await until('it is remembered', async () => {
        await who.authenticate(made.liveKey);
        return who.recall(made.liveKey) !== null;
      });
      who.forget();
      expect(who.recall(made.liveKey)).to.equal(null);
    });

    it('is known within 2 s by polling alone', async () => {
      const made = await account();
      // Without a URL there is no connection on which revocations could be heard.
      const deaf = new Proxy(test.db, {
        get: (target, name) => {
          if (name === 'options') return { ...target.options, url: undefined };
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const other = createIdentity(deaf);
      identities.push(other);
      await other.authenticate(made.liveKey);
      await revokeKey(test.db, await keyIdOf(made.liveKey));
      await until('the other process refuses it', () => isRefused(other, made.liveKey), 2_500);
    });

    it('is known although the listening connection was killed meanwhile', async () => {
      const made = await account();
      const other = identity(NEVER_MS);
      await until('it listens', async () => (await listeners()).length === 1);
      await other.authenticate(made.liveKey);
      const [pid] = await listeners();
      await test.db.query('select pg_terminate_backend($1)', [pid]);
      await revokeKey(test.db, await keyIdOf(made.liveKey));
      await until('the other process refuses it', () => isRefused(other, made.liveKey));
      await until('it listens again', async () => (await listeners()).some((now) => now !== pid));
      const next = await account();
      await other.authenticate(next.liveKey);
      await revokeKey(test.db, await keyIdOf(next.liveKey));
      await until('it hears the next one', () => isRefused(other, next.liveKey));
    });

    it('is not forgotten by a look-up that began before it', async () => {
      const made = await account();
      const keyId = await keyIdOf(made.liveKey);
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const slow = new Proxy(test.db, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
          return async (sql: string, parameters?: unknown[]) => {
            const rows: unknown = await target.query(sql, parameters);
            if (sql.includes('api_keys')) await held;
            return rows;
          };
        },
      });
      const other = createIdentity(slow, { pollMs: NEVER_MS });
      identities.push(other);
      await until('it listens', async () => (await listeners()).length === 1);
      const early = other.authenticate(made.liveKey);
      await until('the look-up is done', async () => {
        const [row] = await test.db.query<{ used: boolean }[]>(
          'select last_used_at is not null as used from api_keys where id = $1',
          [keyId],
        );
        return row?.used === true;
      });
      await revokeKey(test.db, keyId);
      const fresh = await account();
      const witness = identity(NEVER_MS);
      await witness.authenticate(fresh.liveKey);
      await revokeKey(test.db, await keyIdOf(fresh.liveKey));
      await until('announcements came through', () => isRefused(witness, fresh.liveKey));
      await until('nobody joins that look-up', () => other.recall(made.liveKey) === null);
      release();
      await early;
      await until('the key is refused', () => isRefused(other, made.liveKey));
    });

    it('changes nothing a second time, nor for a key that does not exist', async () => {
      const made = await account();
      const keyId = await keyIdOf(made.liveKey);
      const state = async (): Promise<unknown> =>
        test.db.query(
          'select k.revoked_at::text, e.epoch from api_keys k, revocation_epoch e where k.id = $1',
          [keyId],
        );
      await revokeKey(test.db, keyId);
      const first = await state();
      await revokeKey(test.db, keyId);
      await revokeKey(test.db, randomUUID());
      expect(await state()).to.deep.equal(first);
    });

    it('stops the watch and its connection when closed', async () => {
      const who = identity();
      await until('it listens', async () => (await listeners()).length === 1);
      who.close();
      await until('its connection is gone', async () => (await listeners()).length === 0);
    });
  });

  describe('accounts', () => {
    it('start with their credits, booked in the ledger', async () => {
      const made = await account(1_234);
      const rows = await test.db.query<unknown[]>(
        'select wallet, wallet_held, monthly, monthly_held, debt from ledger_balances where account_id = $1',
        [made.accountId],
      );
      expect(rows).to.deep.equal([{ wallet: 1_234, wallet_held: 0, monthly: 0, monthly_held: 0, debt: 0 }]);
    });

    it('are one per e-mail address in any case, and a refused one leaves nothing', async () => {
      const email = `${randomUUID()}@example.com`;
      await createAccount(test.db, { email, creditsPence: 5 });
      const count = async (): Promise<unknown> =>
        test.db.query(
          'select (select count(*) from accounts) as accounts, (select count(*) from ledger_transfers) as transfers',
        );
      const before = await count();
      for (const again of [email, email.toUpperCase()])
        expect(await codeOf(createAccount(test.db, { email: again, creditsPence: 5 }))).to.equal(
          'VALIDATION_ERROR',
        );
      expect(await count()).to.deep.equal(before);
      const attempts = await Promise.all(
        Array.from({ length: 6 }, () =>
          codeOf(createAccount(test.db, { email: `race-${email}`, creditsPence: 5 })),
        ),
      );
      expect(attempts.filter((code) => code === 'accepted')).to.have.length(1);
    });

    it('need an e-mail address', async () => {
      for (const email of [
        '',
        'x',
        'a b@example.com',
        '@example.com',
        `${'a'.repeat(250)}@example.com`,
        'a@b\0.com',
      ])
        expect(await codeOf(createAccount(test.db, { email, creditsPence: 0 })), email).to.equal(
          'VALIDATION_ERROR',
        );
    });
  });
});
