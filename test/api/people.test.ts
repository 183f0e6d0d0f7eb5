/** Signing up and in at the real doors: HTTP, PostgreSQL and a server for mail. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { createAccount } from '../../src/services/identity/index.ts';
import { openPeople, PASSWORD, someNetwork } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import type { Reply } from '../unit/api/test-app.ts';
import { until } from '../support/until.ts';

const EARLIEST_MS = 400;

describe('people', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  before(async () => {
    world = await openPeople();
  });
  after(() => world.close());

  const address = (): string => `${randomUUID()}@example.org`;
  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const me = async (cookie: string): Promise<number> =>
    (await world.call('GET', '/auth/sessions', { cookie })).status;
  const forgot = (email: string, from?: string): Promise<Reply> =>
    world.call('POST', '/auth/password/forgot', { body: { email }, ...(from === undefined ? {} : { from }) });
  const verify = (code: string, password = PASSWORD): Promise<Reply> =>
    world.call('POST', '/auth/verify', { body: { code, password } });
  const reset = (code: string, password: string): Promise<Reply> =>
    world.call('POST', '/auth/password/reset', { body: { code, password } });
  /** A call with how long it took and how many argon2 it computed. */
  const measured = async (
    work: () => Promise<Reply>,
  ): Promise<{ reply: Reply; ms: number; argon2: number }> => {
    const [begun, before] = [performance.now(), world.computed()];
    const reply = await work();
    return { reply, ms: performance.now() - begun, argon2: world.computed() - before };
  };

  describe('who sign up', () => {
    it('confirm their address, sign in, and have an account with balances, once', async () => {
      const email = address();
      const up = await world.call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      expect(up.status, up.text).to.equal(202);
      expect((await world.signIn(email)).status, 'before the proof of the address').to.equal(401);
      const code = await world.codeTo(email);
      expect((await verify(code)).body).to.deep.equal({ email });
      expect((await verify(code)).body.code).to.equal('CODE_EXPIRED');
      expect(
        await rows('select 1 from users where email = $1 and account_id is not null', email),
      ).to.have.length(0);

      const signed = await Promise.all(Array.from({ length: 6 }, () => world.signIn(email.toUpperCase())));
      for (const reply of signed) expect(reply.status, reply.text).to.equal(200);
      const accounts = new Set(signed.map(({ body }) => body.account.id));
      expect(accounts.size).to.equal(1);
      const [accountId] = accounts;
      expect(signed[0]?.body.account).to.deep.equal({ id: accountId, plan: 'free', role: 'owner' });
      expect(await rows('select wallet from ledger_balances where account_id = $1', accountId)).to.deep.equal(
        [{ wallet: 0 }],
      );
      const opened = await rows(
        'select 1 from audit_log where account_id = $1 and action = $2',
        accountId,
        'account.opened',
      );
      expect(opened).to.have.length(1);
      const started = await rows(
        'select 1 from audit_log where account_id = $1 and action = $2',
        accountId,
        'session.started',
      );
      expect(started).to.have.length(6);
    });

    it('get a cookie that is for this host alone, over HTTPS and not for scripts; only its digest is stored', async () => {
      const { reply, cookie } = await world.person();
      expect(reply.headers.get('set-cookie')).to.match(
        /^__Host-dockyard-session=[^;]+; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
      );
      expect(reply.headers.get('access-control-allow-credentials')).to.equal(null);
      const secret = JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString()).secret;
      const [stored] = await rows<{ whole: string }>(
        `select string_agg(s::text, '') as whole from sessions s`,
      );
      expect(stored?.whole).to.not.contain(secret);
      const [user] = await rows<{ hash: string }>(
        'select password_hash as hash from users where id = $1',
        reply.body.user.id,
      );
      expect(user?.hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it('with a password that is too short, or with no address, are refused', async () => {
      for (const body of [
        { email: address(), password: 'short' },
        { email: 'nobody', password: PASSWORD },
        { email: 'a@b\r\nBcc: c@example.org', password: PASSWORD },
      ])
        expect((await world.call('POST', '/auth/sign-up', { body })).status).to.equal(400);
    });

    it('with one of the commonest passwords or their own address are told so, also with a new password, which the code outlives', async () => {
      const email = `ada.lovelace-${randomUUID().slice(0, 8)}@example.org`;
      const [name = ''] = email.split('@');
      const weak = ['1234567890', 'Password123', 'qwertyuiop', 'q1w2e3r4t5', email.toUpperCase(), name];
      for (const password of weak) {
        const { status, body } = await world.call('POST', '/auth/sign-up', { body: { email, password } });
        expect([status, body.code], password).to.deep.equal([400, 'VALIDATION_ERROR']);
        expect(body.error).to.match(/^body\.password: is (one of the commonest passwords|your own address)/);
      }
      const { email: known } = await world.person();
      const later = performance.now();
      await forgot(known);
      const code = await world.codeTo(known, later);
      const reset = (password: string): Promise<Reply> =>
        world.call('POST', '/auth/password/reset', { body: { code, password } });
      for (const password of ['1qaz2wsx3edc', known])
        expect((await reset(password)).body.code, password).to.equal('VALIDATION_ERROR');
      expect((await reset('1qaz2wsx3edc and more')).status).to.equal(204);
    });

    it('do not get the password of whoever signed up with their address before', async () => {
      const email = address();
      const first = { email, password: 'the password of a stranger' };
      await world.call('POST', '/auth/sign-up', { body: first });
      const ofStranger = await world.codeTo(email);
      const later = performance.now();
      await world.call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      const followed = await verify(ofStranger);
      expect([followed.status, followed.body.code]).to.deep.equal([401, 'SIGN_IN_REFUSED']);
      expect((await verify(await world.codeTo(email, later))).status).to.equal(200);
      expect((await verify(ofStranger, first.password)).body.code).to.equal('CODE_EXPIRED');
      expect((await world.signIn(email, first.password)).status).to.equal(401);
      expect((await world.signIn(email)).status).to.equal(200);
    });

    it('and confirm twice at once become one person', async () => {
      const email = address();
      await world.call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      const codes = [await world.codeTo(email)];
      const later = performance.now();
      await world.call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      codes.push(await world.codeTo(email, later));
      const replies = await Promise.all([...codes, ...codes].map((code) => verify(code)));
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 410, 410, 410]);
      expect(await rows('select 1 from users where email = $1', email)).to.have.length(1);
    });
  });

  describe('whose sign-in fails', () => {
    it('see it in the audit log of their account, a hundred times an hour at most, and nobody sees the password', async () => {
      const { email, cookie, reply } = await world.person();
      const refusals = async (): Promise<{ subject: string; address: string; after: unknown }[]> =>
        (await world.call('GET', '/audit?action=session.refused&limit=101', { cookie })).body.entries;
      expect(await refusals()).to.deep.equal([]);
      await world.signIn(email.toUpperCase(), 'a wrong password', { from: '10.1.2.3' });
      await world.signIn(address(), 'a wrong password');
      const [entry, ...others] = await refusals();
      expect(others).to.deep.equal([]);
      expect(entry).to.deep.include({
        ...{ subject: reply.body.user.id, address: '10.1.2.3', after: { code: 'SIGN_IN_REFUSED' } },
        author: { kind: 'visitor', id: null, userId: null, email: null },
      });
      await world.test.db.query(
        `insert into audit_log (id, account_id, author_kind, action, subject)
         select gen_random_uuid(), $1, 'visitor', 'session.refused', 'somebody' from generate_series(1, 99)`,
        [reply.body.account.id],
      );
      await world.signIn(email, 'a wrong password');
      expect(await refusals()).to.have.length(100);
      expect((await world.signIn(email)).status).to.equal(200);
    });
  });

  describe('are answered alike, whether their address is known or not', () => {
    const alike = async (known: () => Promise<Reply>, unknown: () => Promise<Reply>): Promise<number> => {
      const [one, other] = [await measured(known), await measured(unknown)];
      expect(one.reply.status).to.equal(other.reply.status);
      expect(one.reply.text).to.equal(other.reply.text);
      const names = ({ headers }: Reply): string[] => [...headers.keys()].sort();
      expect(names(one.reply)).to.deep.equal(names(other.reply));
      expect(one.argon2, 'argon2').to.equal(other.argon2);
      for (const { ms } of [one, other]) expect(ms).to.be.at.least(EARLIEST_MS - 5);
      return one.argon2;
    };

    it('at sign-in with a wrong password, also before the address is confirmed', async () => {
      const { email } = await world.person();
      const unconfirmed = address();
      await world.call('POST', '/auth/sign-up', { body: { email: unconfirmed, password: PASSWORD } });
      const wrong = (of: string) => (): Promise<Reply> => world.signIn(of, 'a wrong password');
      expect(await alike(wrong(email), wrong(address()))).to.equal(1);
      expect(await alike(() => world.signIn(unconfirmed), wrong(address()))).to.equal(1);
      // An account that an operator has made has no password yet.
      const made = address();
      await createAccount(world.test.db, { email: made, creditsPence: 0 });
      expect(await alike(wrong(made), wrong(address()))).to.equal(1);
    });

    it('at a forgotten password and at sign-up, and the mail leaves after the answer', async () => {
      const { email } = await world.person();
      expect(
        await alike(
          () => forgot(email),
          () => forgot(address()),
        ),
      ).to.equal(0);
      const up = (of: string) => (): Promise<Reply> =>
        world.call('POST', '/auth/sign-up', { body: { email: of, password: PASSWORD } });
      expect(await alike(up(email), up(address()))).to.equal(1);
      const mailsTo = (of: string): typeof world.mails => world.mails.filter(({ to }) => to === of);
      // The mails of the sign-up, of the forgotten password and of the second sign-up are under way before.
      await until('the mails from before', () => mailsTo(email).length === 3);
      const fresh = address();
      const cases = [
        [email, () => forgot(email)],
        [email, up(email)],
        [fresh, up(fresh)],
      ] as const;
      for (const [to, work] of cases) {
        const before = mailsTo(to).length;
        await work();
        const answeredAt = performance.now();
        await until('the mail', () => mailsTo(to).length > before);
        expect(mailsTo(to).at(-1)?.at).to.be.greaterThan(answeredAt);
      }
    });

    it('and get their mail also when they did not wait for the answer', async () => {
      const { email } = await world.person();
      const before = world.mails.length;
      const gone = fetch(`${world.app.base}/api/v1/auth/password/forgot`, {
        ...{ method: 'POST', body: JSON.stringify({ email }), signal: AbortSignal.timeout(EARLIEST_MS / 2) },
        headers: { 'content-type': 'application/json', 'x-forwarded-for': someNetwork() },
      });
      expect(
        await gone.then(String, (error: unknown) => (error instanceof Error ? error.name : error)),
      ).to.equal('TimeoutError');
      await until('the mail', () => world.mails.length > before);
    });
  });

  describe('who try', () => {
    it('are answered ten times a quarter of an hour from a network, also all at once, and are not locked out elsewhere', async () => {
      const { email } = await world.person();
      const from = someNetwork();
      const replies = await Promise.all(
        Array.from({ length: 25 }, () => world.signIn(email, 'a wrong password', { from })),
      );
      expect(replies.filter(({ status }) => status === 401)).to.have.length(10);
      const limited = replies.filter(({ status }) => status === 429);
      expect(limited).to.have.length(15);
      expect(Number(limited[0]?.headers.get('retry-after'))).to.be.within(880, 900);
      expect((await world.signIn(email, PASSWORD, { from })).status).to.equal(429);
      expect((await world.signIn(email)).status, 'the person, from another network').to.equal(200);
      expect((await world.signIn(address(), PASSWORD, { from })).status, 'another address').to.equal(401);
      expect((await forgot(email, from)).status).to.equal(202);
      await rows(
        `update sign_in_tries set tried_at = array(select at - interval '14 minutes 59 seconds' from unnest(tried_at) at)`,
      );
      await until(
        'the quarter is over',
        async () => (await world.signIn(email, PASSWORD, { from })).status === 200,
      );
    });

    it('get at most ten codes an hour by mail, wherever they ask', async () => {
      const { email } = await world.person();
      const before = world.mails.filter(({ to }) => to === email).length;
      const replies = await Promise.all(Array.from({ length: 14 }, () => forgot(email)));
      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([202]));
      const got = (): number => world.mails.filter(({ to }) => to === email).length - before;
      await until('the mails', () => got() >= 10);
      const [codes] = await rows<{ n: number }>(
        `select count(*)::int as n from mail_codes where email = $1 and purpose = 'reset'`,
        email,
      );
      expect([codes?.n, got()]).to.deep.equal([10, 10]);
    });

    it('with nothing but an address keep its owner from no mail with a new password', async () => {
      const { email } = await world.person();
      await rows(
        `insert into mail_codes (secret_sha256, purpose, email, password_hash, expires_at)
         select 'other ' || $1 || n, 'sign-up', $1, 'p', now() + interval '1 day' from generate_series(1, 10) n`,
        email,
      );
      const later = performance.now();
      await forgot(email);
      expect(await world.codeTo(email, later)).to.have.length(43);
    });
  });

  describe('who lost their password', () => {
    it('set another with the code, once; it ends every session and the old password', async () => {
      const { email, cookie } = await world.person();
      const before = performance.now();
      await forgot(email);
      const code = await world.codeTo(email, before);
      const both = await Promise.all([reset(code, 'another password'), reset(code, 'a third password')]);
      expect(both.map(({ status }) => status).sort()).to.deep.equal([204, 410]);
      const chosen = both[0]?.status === 204 ? 'another password' : 'a third password';
      expect((await reset(code, 'a replayed password')).body.code).to.equal('CODE_EXPIRED');
      expect(await me(cookie)).to.equal(401);
      expect((await world.signIn(email)).status).to.equal(401);
      expect((await world.signIn(email, chosen)).status).to.equal(200);
    });

    it('use one code of several: the others end with it, also when both come at once', async () => {
      const { email } = await world.person();
      const codes: string[] = [];
      for (let at = 0; at < 2; at += 1) {
        const before = performance.now();
        await forgot(email);
        codes.push(await world.codeTo(email, before));
      }
      expect(new Set(codes).size).to.equal(2);
      const replies = await Promise.all(codes.map((code, at) => reset(code, `the password number ${at}`)));
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([204, 410]);
    });

    it('cannot use a code that is too old, nor one of another kind', async () => {
      const { email } = await world.person();
      const before = performance.now();
      await forgot(email);
      const code = await world.codeTo(email, before);
      expect((await verify(code)).body.code).to.equal('CODE_EXPIRED');
      await rows(`update mail_codes set expires_at = now() where email = $1`, email);
      expect((await reset(code, 'another password')).body.code).to.equal('CODE_EXPIRED');
      expect((await world.signIn(email)).status).to.equal(200);
    });

    it('own the account that an operator has made for their address', async () => {
      const email = address();
      const { accountId } = await createAccount(world.test.db, { email, creditsPence: 7 });
      await forgot(email);
      expect((await reset(await world.codeTo(email), PASSWORD)).status).to.equal(204);
      const { body } = await world.signIn(email);
      expect(body.account).to.deep.equal({ id: accountId, plan: 'free', role: 'owner' });
    });
  });
});
