/** Keys as people and operators manage them: made once, shown once, ended for ever, and each change in the audit log. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { KeyActor, SessionActor } from '../../src/domain/access.ts';
import type { CreateApiKeyRequest } from '../../src/domain/keys.ts';
import { operator } from '../../src/services/audit/index.ts';
import {
  closeAccount,
  createAccount,
  createIdentity,
  issueKey,
  listAccountKeys,
  listKeys,
  revokeKey,
  revokeNamedKey,
  revokeOwnKey,
  revokeThisKey,
  rotateKey,
  suspendAccount,
} from '../../src/services/identity/index.ts';
import type { Identity } from '../../src/services/identity/index.ts';
import { setLimits } from '../../src/services/ledger/index.ts';
import { adjustAsOperator, grantAsOperator, setLimitsAsOperator } from '../../src/services/operator-money.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';
import type { IssuedApiKey, RevokedApiKey, RotatedApiKey } from '../../src/domain/answers.ts';

const ADDRESS = '192.0.2.7';
const CI: CreateApiKeyRequest = { name: 'CI', environment: 'live', scopes: ['jobs:read', 'jobs:write'] };

interface Entry {
  readonly action: string;
  readonly author_kind: string;
  readonly author_id: string | null;
  readonly address: string | null;
  readonly subject: string;
}

describe('keys', () => {
  let test: TestDatabase;
  let identity: Identity;
  before(async () => {
    test = await openTestDatabase();
    identity = createIdentity(test.db);
  });
  after(async () => {
    identity.close();
    await test.close();
  });

  /** The owner of a new account as a session gives the owner. */
  const owner = async (): Promise<SessionActor> => {
    const { accountId } = await createAccount(test.db, {
      email: `${randomUUID()}@example.com`,
      creditsPence: 0,
    });
    const [user] = await test.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const userId = user?.id ?? expect.fail('no user');
    return {
      accountId,
      userId,
      plan: 'free',
      kind: 'session',
      sessionId: randomUUID(),
      role: 'owner',
      isRecent: true,
    };
  };
  const member = async (of: SessionActor): Promise<SessionActor> => {
    const userId = randomUUID();
    await test.db.query(`insert into users (id, account_id, email, role) values ($1, $2, $3, 'member')`, [
      userId,
      of.accountId,
      `${userId}@example.com`,
    ]);
    return { ...of, userId, sessionId: randomUUID(), role: 'member' };
  };
  const issue = (
    who: SessionActor,
    body = CI,
    key: string | null = null,
    fingerprint = 'f',
  ): Promise<IssuedApiKey> =>
    issueKey(test.db, who, { body, fingerprint, idempotencyKey: key, address: ADDRESS });
  const rotate = (
    who: SessionActor,
    id: string,
    overlapSeconds = 0,
    key: string | null = null,
  ): Promise<RotatedApiKey> =>
    rotateKey(test.db, who, id, {
      ...{ body: { overlapSeconds }, fingerprint: 'r', idempotencyKey: key, address: ADDRESS },
    });
  const log = (accountId: string): Promise<Entry[]> =>
    test.db.query(
      `select action, author_kind, author_id, address, subject from audit_log where account_id = $1 order by created_at, id`,
      [accountId],
    );

  it('are made with a prefix that tells them apart, and work at once with what was asked for', async () => {
    const who = await owner();
    const made = await issue(who, { ...CI, scopes: ['convert', 'convert'], allowedCidrs: ['192.0.2.0/24'] });
    expect(made.key).to.match(/^svc_live_[0-9A-Za-z]{49}$/);
    expect(made.prefix).to.equal(made.key.slice(0, 13));
    expect(made).to.include({ name: 'CI', status: 'ACTIVE', createdBy: who.userId, monthlyLimitCents: null });
    const actor: KeyActor = await identity.authenticate(made.key);
    expect(actor).to.deep.include({ keyId: made.id, scopes: ['convert'], allowedCidrs: ['192.0.2.0/24'] });
    const { keys } = await listKeys(test.db, who, { limit: 10 });
    expect(keys.map(({ id }) => id)).to.include(made.id);
    expect(JSON.stringify(keys)).to.not.contain(made.key.slice(13, 40));
    const [stored] = await test.db.query<{ whole: string }[]>(
      `select concat((select string_agg(k::text, '') from api_keys k), (select string_agg(a::text, '') from audit_log a)) as whole`,
    );
    expect(stored?.whole).to.not.contain(made.key.slice(13, 40));
  });

  it('are made once per idempotency key, also by requests at the same time, and a repeat names the key', async () => {
    const who = await owner();
    const key = randomUUID();
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => issue(who, CI, key)));
    const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(made).to.have.length(1);
    const repeat = await refusalOf(issue(who, CI, key));
    expect(repeat).to.include({ code: 'KEY_ALREADY_ISSUED' });
    expect(String(repeat)).to.contain(made[0]?.id);
    expect(await codeOf(issue(who, { ...CI, name: 'other' }, key, 'other'))).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect((await log(who.accountId)).filter(({ action }) => action === 'key.created')).to.have.length(1);
    // The same key of another account is another request.
    expect(await codeOf(issue(await owner(), CI, key))).to.equal('accepted');
  });

  it('are at most 100 that can be used, however many are asked for at once', async () => {
    const who = await owner();
    await test.db.query(
      `insert into api_keys (id, account_id, user_id, name, environment, scopes, secret_sha256, prefix, last4, revoked_at)
       select gen_random_uuid(), $1, $2, 'n', 'live', '{convert}', gen_random_uuid()::text, '', '', case when n > 95 then now() end
       from generate_series(1, 200) n`,
      [who.accountId, who.userId],
    );
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(issue(who))));
    expect(codes.filter((code) => code === 'accepted')).to.have.length(3);
    expect(codes.filter((code) => code === 'KEY_LIMIT_REACHED')).to.have.length(3);
    const [first] = (await listKeys(test.db, who, { limit: 1 })).keys;
    await revokeOwnKey(test.db, who, first?.id ?? '', ADDRESS);
    expect(await codeOf(issue(who))).to.equal('accepted');
  });

  it('are rotated: both work for a while, then the old one ends by itself', async () => {
    const who = await owner();
    const old = await issue(who, { ...CI, allowedCidrs: ['192.0.2.0/24'] });
    const next = await rotate(who, old.id, 1);
    expect(next).to.deep.include({ name: 'CI', scopes: CI.scopes, allowedCidrs: ['192.0.2.0/24'] });
    expect(next.replaces.id).to.equal(old.id);
    expect((await identity.authenticate(next.key)).keyId).to.equal(next.id);
    await until(
      'the old key has ended',
      async () => (await codeOf(identity.authenticate(old.key))) === 'UNAUTHORIZED',
    );
    expect(new Date(next.replaces.expiresAt).getTime()).to.be.at.most(Date.now() + 50);
    expect(await codeOf(rotate(who, old.id))).to.equal('KEY_ENDED');
    expect((await identity.authenticate(next.key)).keyId).to.equal(next.id);
  });

  it('keep the limit of their month when they are rotated', async () => {
    const who = await owner();
    const old = await issue(who);
    await setLimits(test.db, who.accountId, { key: { keyId: old.id, monthLimitPence: 500 } });
    const next = await rotate(who, old.id, 60);
    expect(next.monthlyLimitCents).to.equal(500);
    const { keys } = await listKeys(test.db, who, { limit: 10 });
    const limits = new Map(keys.map(({ id, monthlyLimitCents }) => [id, monthlyLimitCents]));
    expect([limits.get(old.id), limits.get(next.id)]).to.deep.equal([500, 500]);
  });

  it('that are rotated never end later than they would have, and a repeat makes no other', async () => {
    const who = await owner();
    const old = await issue(who);
    await test.db.query(`update api_keys set expires_at = now() + interval '1 minute' where id = $1`, [
      old.id,
    ]);
    const key = randomUUID();
    const next = await rotate(who, old.id, 3600, key);
    expect(new Date(next.replaces.expiresAt).getTime()).to.be.below(Date.now() + 61_000);
    expect(await codeOf(rotate(who, old.id, 3600, key))).to.equal('KEY_ALREADY_ISSUED');
    const entries = (await log(who.accountId)).filter(({ action }) => action === 'key.rotated');
    expect(entries.map(({ subject }) => subject)).to.deep.equal([old.id]);
  });

  it('are ended by whoever holds them, once', async () => {
    const who = await owner();
    const made = await issue(who);
    const actor = await identity.authenticate(made.key);
    const revoked = await revokeThisKey(test.db, actor, ADDRESS);
    expect(revoked).to.include({ id: made.id, status: 'REVOKED' });
    await until(
      'it is refused',
      async () => (await codeOf(identity.authenticate(made.key))) === 'UNAUTHORIZED',
    );
    expect(await revokeOwnKey(test.db, who, made.id, ADDRESS)).to.deep.equal(revoked);
    const ends = (await log(who.accountId)).filter(({ action }) => action === 'key.revoked');
    expect(ends).to.deep.equal([
      {
        ...{ action: 'key.revoked', author_kind: 'key', author_id: made.id },
        address: ADDRESS,
        subject: made.id,
      },
    ]);
  });

  it('of others are unknown to a member and to other accounts', async () => {
    const who = await owner();
    const other = await member(who);
    const [theirs, own] = [await issue(who), await issue(other)];
    for (const stranger of [other, await owner()]) {
      expect(await codeOf(revokeOwnKey(test.db, stranger, theirs.id, ADDRESS))).to.equal('NOT_FOUND');
      expect(await codeOf(rotate(stranger, theirs.id))).to.equal('NOT_FOUND');
      const { keys } = await listKeys(test.db, stranger, { limit: 10 });
      expect(keys.map(({ id }) => id)).to.not.include(theirs.id);
    }
    expect((await listKeys(test.db, other, { limit: 10 })).keys.map(({ id }) => id)).to.deep.equal([own.id]);
    expect((await revokeOwnKey(test.db, who, own.id, ADDRESS)).status).to.equal('REVOKED');
  });

  it('are listed in pages, newest first, each once', async () => {
    const who = await owner();
    const made = [await issue(who), await issue(who), await issue(who)].map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listKeys>> = await listKeys(test.db, who, {
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.keys.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).to.have.length(5);
    expect(seen.slice(0, 3)).to.deep.equal(made.toReversed());
  });

  it('are not made in an account that is not active', async () => {
    const who = await owner();
    await suspendAccount(test.db, { accountId: who.accountId, reason: null });
    expect(await codeOf(issue(who))).to.equal('ACCOUNT_SUSPENDED');
    await closeAccount(test.db, { accountId: who.accountId, reason: null });
    expect(await codeOf(issue(who))).to.equal('ACCOUNT_CLOSED');
  });

  it('end once, however many end them at the same time', async () => {
    const who = await owner();
    const { id } = await issue(who);
    const ends = await Promise.all(Array.from({ length: 10 }, () => revokeOwnKey(test.db, who, id, ADDRESS)));
    const byOperators = Array.from({ length: 10 }, () => revokeNamedKey(test.db, id, operator('ada')));
    for (const { revokedAt } of await Promise.all(byOperators))
      expect(revokedAt).to.equal(ends[0]?.revokedAt);
    const { id: other } = await issue(who);
    const [{ revokedAt }, ...rest] = (await Promise.all(
      Array.from({ length: 10 }, () => revokeNamedKey(test.db, other, operator('ada'))),
    )) as [RevokedApiKey, ...RevokedApiKey[]];
    expect(revokedAt).to.match(/Z$/);
    for (const end of rest) expect(end.revokedAt).to.equal(revokedAt);
    const entries = (await log(who.accountId)).filter(({ action }) => action === 'key.revoked');
    expect(entries.map(({ subject }) => subject)).to.have.members([id, other]);
  });

  it('are listed and revoked by operators, by id and by a leaked key', async () => {
    const who = await owner();
    const [leaked, other] = [await issue(who), await issue(who)];
    const by = operator('ada');
    expect((await revokeNamedKey(test.db, leaked.key, by)).id).to.equal(leaked.id);
    expect((await revokeNamedKey(test.db, other.id, by)).id).to.equal(other.id);
    for (const nothing of [randomUUID(), 'nonsense', `${leaked.key}x`])
      expect(await codeOf(revokeNamedKey(test.db, nothing, by)), nothing).to.equal('NOT_FOUND');
    expect(await revokeKey(test.db, randomUUID())).to.equal(null);
    const open = await listAccountKeys(test.db, who.accountId, { all: false });
    const all = await listAccountKeys(test.db, who.accountId, { all: true });
    expect([open.length, all.length]).to.deep.equal([2, 4]);
    const authors = (await log(who.accountId)).filter(({ action }) => action === 'key.revoked');
    expect(authors.map(({ author_kind, author_id }) => [author_kind, author_id])).to.deep.equal(
      Array(2).fill(['operator', 'ada']),
    );
  });

  describe('and the audit log', () => {
    it('has each change of an operator, in the transaction of the change', async () => {
      const by = operator('ada');
      const made = await createAccount(
        test.db,
        { email: `${randomUUID()}@example.com`, creditsPence: 5 },
        by,
      );
      const { accountId } = made;
      const grant = { accountId, amountPence: 7, key: randomUUID(), description: 'Sorry' };
      for (const replayed of [false, true])
        expect(await grantAsOperator(test.db, grant, by)).to.include({ replayed });
      const adjustment = { ...grant, key: randomUUID(), amountPence: -3, mayOwe: false };
      for (const replayed of [false, true])
        expect(await adjustAsOperator(test.db, adjustment, by)).to.include({ replayed });
      await setLimitsAsOperator(test.db, accountId, { monthLimitPence: 900 }, by);
      expect(await codeOf(setLimitsAsOperator(test.db, randomUUID(), { jobLimitPence: 1 }, by))).to.equal(
        'NOT_FOUND',
      );
      await suspendAccount(test.db, { accountId, reason: 'a stolen card', by });
      await suspendAccount(test.db, { accountId, reason: 'again', by });
      const entries = await log(accountId);
      expect(entries.map(({ action }) => action)).to.deep.equal([
        'account.created',
        'credits.granted',
        'credits.adjusted',
        'limits.changed',
        'account.state',
      ]);
      for (const entry of entries) expect(entry).to.include({ author_kind: 'operator', author_id: 'ada' });
    });

    it('takes the change back with itself, and is never changed', async () => {
      const who = await owner();
      const made = await issue(who);
      await test.db.query('alter table audit_log add constraint refused check (false) not valid');
      try {
        expect(String(await refusalOf(revokeOwnKey(test.db, who, made.id, ADDRESS)))).to.contain('refused');
        expect(String(await refusalOf(issue(who)))).to.contain('refused');
      } finally {
        await test.db.query('alter table audit_log drop constraint refused');
      }
      const open = await listAccountKeys(test.db, who.accountId, { all: false });
      expect(open.map(({ id }) => id))
        .to.include(made.id)
        .and.have.length(3);
      for (const sql of [
        'update audit_log set subject = subject',
        'delete from audit_log',
        'truncate audit_log',
      ])
        expect(String(await refusalOf(test.db.query(sql))), sql).to.contain('append-only');
    });
  });
});
