/** Sessions at the real doors: how they begin, how long they live, how they end, and from which pages they write. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { closeAccount, suspendAccount } from '../../src/services/identity/index.ts';
import { sweepPeople } from '../../src/services/people/index.ts';
import { until } from '../support/until.ts';
import { cookieOf, openPeople, PASSWORD, PUBLIC_ORIGIN } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';

describe('people who have signed in', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  before(async () => {
    world = await openPeople();
  });
  after(() => world.close());

  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const entries = (action: string, accountId: string): Promise<Record<string, unknown>[]> =>
    rows(
      'select subject, author_kind, author_id, user_id from audit_log where action = $1 and account_id = $2',
      action,
      accountId,
    );
  const me = async (cookie: string): Promise<number> =>
    (await world.call('GET', '/auth/sessions', { cookie })).status;

  describe('in their sessions', () => {
    it('get a new one with each sign-in, which ends the one that the browser had', async () => {
      const { email, cookie } = await world.person();
      const again = await world.signIn(email, PASSWORD, { cookie });
      const next = cookieOf(again) ?? '';
      expect(next).to.not.equal(cookie);
      expect([await me(cookie), await me(next)]).to.deep.equal([401, 200]);
      // A value that somebody has planted is no session, before the sign-in and after it.
      const planted = `${cookie.slice(0, -4)}AAAA`;
      const fresh = cookieOf(await world.signIn(email, PASSWORD, { cookie: planted }));
      expect(fresh).to.not.equal(planted);
      expect(await me(planted)).to.equal(401);
    });

    it('end that of whoever used the browser before, whose account is told', async () => {
      const former = await world.person();
      const next = await world.person();
      await world.signIn(next.email, PASSWORD, { cookie: former.cookie });
      expect([await me(former.cookie), await me(next.cookie)]).to.deep.equal([401, 200]);
      const { sessionId, account, user } = former.reply.body;
      expect(await entries('session.ended', account.id)).to.deep.equal([
        { subject: sessionId, author_kind: 'session', author_id: sessionId, user_id: user.id },
      ]);
    });

    it('have at most a hundred, and the oldest makes room', async () => {
      const { email, cookie, reply } = await world.person();
      await rows(
        `insert into sessions (id, user_id, secret_sha256, address, created_at, expires_at)
         select gen_random_uuid(), $1::uuid, gen_random_uuid()::text, '192.0.2.1', now() + make_interval(secs => n), now() + interval '1 day'
         from generate_series(1, 99) n`,
        reply.body.user.id,
      );
      expect(await me(cookie)).to.equal(200);
      const last = cookieOf(await world.signIn(email)) ?? '';
      expect([await me(cookie), await me(last)]).to.deep.equal([401, 200]);
      expect((await world.call('GET', '/auth/sessions', { cookie: last })).body.sessions).to.have.length(100);
      const ended = await entries('session.ended', reply.body.account.id);
      expect(ended.map(({ subject }) => subject)).to.deep.equal([reply.body.sessionId]);
    });

    it('sign out for good: a copy of the cookie is refused at once, and a repeat as well', async () => {
      const { cookie, reply } = await world.person();
      const headers = { 'idempotency-key': randomUUID() };
      const out = await world.call('POST', '/auth/sign-out', { cookie, headers });
      expect(out.status, out.text).to.equal(200);
      expect(out.headers.get('set-cookie')).to.match(/^__Host-dockyard-session=; Max-Age=0; /);
      expect(await me(cookie)).to.equal(401);
      expect((await world.call('POST', '/auth/sign-out', { cookie, headers })).status).to.equal(401);
      const { sessionId, account, user } = reply.body;
      expect(await entries('session.ended', account.id)).to.deep.equal([
        { subject: sessionId, author_kind: 'session', author_id: sessionId, user_id: user.id },
      ]);
    });

    it('end once when two end them at the same time', async () => {
      const { cookie, reply } = await world.person();
      const { sessionId, account } = reply.body;
      const replies = await Promise.all([
        world.call('DELETE', `/auth/sessions/${sessionId}`, { cookie }),
        world.call('DELETE', `/auth/sessions/${sessionId}`, { cookie }),
        world.call('DELETE', '/auth/sessions', { cookie }),
      ]);
      for (const { status } of replies) expect(status).to.be.oneOf([200, 401]);
      expect(await entries('session.ended', account.id)).to.have.length(1);
    });

    it('see them, end one, and end all; those of others are unknown', async () => {
      const { email, cookie } = await world.person();
      const other = cookieOf(await world.signIn(email)) ?? '';
      const { body } = await world.call('GET', '/auth/sessions', { cookie });
      expect(body.sessions).to.have.length(2);
      expect(body.sessions.map(({ current }: { current: boolean }) => current)).to.deep.equal([false, true]);
      const [{ id }] = body.sessions;
      const stranger = await world.person();
      const foreign = await world.call('DELETE', `/auth/sessions/${id}`, { cookie: stranger.cookie });
      expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'NOT_FOUND']);
      const ended = await world.call('DELETE', `/auth/sessions/${id}`, { cookie });
      expect((await world.call('DELETE', `/auth/sessions/${id}`, { cookie })).body).to.deep.equal(ended.body);
      expect([await me(other), await me(cookie)]).to.deep.equal([401, 200]);
      const all = await world.call('DELETE', '/auth/sessions', { cookie });
      expect(all.body).to.deep.equal({ ended: 1 });
      expect([await me(cookie), await me(stranger.cookie)]).to.deep.equal([401, 200]);
    });

    it('are signed out after seven days without use, and after thirty in any case', async () => {
      const { cookie, reply } = await world.person();
      const id = reply.body.sessionId;
      const age = (days: number): Promise<unknown> =>
        rows(
          `update sessions set created_at = now() - make_interval(days => $2), last_seen_at = now() - interval '2 minutes',
             expires_at = now() + interval '1 hour' where id = $1`,
          id,
          days,
        );
      const left = async (): Promise<number> => {
        const [row] = await rows<{ days: number }>(
          'select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where id = $1',
          id,
        );
        return row?.days ?? -1;
      };
      await age(20);
      expect(await me(cookie)).to.equal(200);
      expect(await left()).to.equal(7);
      await age(27);
      expect(await me(cookie)).to.equal(200);
      expect(await left()).to.equal(3);
      await rows('update sessions set expires_at = now() where id = $1', id);
      expect(await me(cookie)).to.equal(401);
    });

    it('leave nothing that counts no more to stay for ever', async () => {
      const { email, reply } = await world.person();
      const { user, sessionId } = reply.body;
      const left = async (): Promise<unknown> => {
        const [row] = await rows(
          `select (select count(*)::int from sessions where user_id = $1) as sessions,
             (select count(*)::int from mail_codes where email = $2) as codes, (select count(*)::int from sign_in_tries) as tries`,
          ...[user.id, email],
        );
        return row;
      };
      await rows('delete from sign_in_tries');
      await world.signIn(email, 'a wrong password');
      await sweepPeople(world.test.db);
      expect(await left()).to.deep.equal({ sessions: 1, codes: 1, tries: 1 });
      await rows(
        `update sessions set created_at = now() - interval '60 days', expires_at = now() - interval '31 days' where id = $1`,
        sessionId,
      );
      await rows(`update mail_codes set expires_at = now() - interval '25 hours' where email = $1`, email);
      await rows(`update sign_in_tries set last_tried_at = now() - interval '61 minutes'`);
      await sweepPeople(world.test.db);
      expect(await left()).to.deep.equal({ sessions: 0, codes: 0, tries: 0 });
    });

    it('are refused while their account is suspended, and for ever once it is closed', async () => {
      const { cookie, email, reply } = await world.person();
      const accountId = reply.body.account.id;
      await suspendAccount(world.test.db, { accountId, reason: null });
      expect((await world.call('GET', '/auth/sessions', { cookie })).body.code).to.equal('ACCOUNT_SUSPENDED');
      expect((await world.signIn(email)).body.code).to.equal('ACCOUNT_SUSPENDED');
      await closeAccount(world.test.db, { accountId, reason: null });
      await until('the session is over', async () => (await me(cookie)) === 401);
      expect((await world.signIn(email)).body.code).to.equal('ACCOUNT_CLOSED');
    });
  });

  describe('write only from pages of the service', () => {
    it('by their sessions, whatever the body', async () => {
      const { cookie } = await world.person();
      const out = async (headers: Record<string, string>): Promise<string | number> => {
        const { status, body } = await world.call('DELETE', '/auth/sessions', { cookie, headers });
        return status === 200 ? status : body.code;
      };
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: '' },
        { origin: `${PUBLIC_ORIGIN}.evil.example` },
        { origin: '', 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      ])
        expect(await out(headers), JSON.stringify(headers)).to.equal('CROSS_SITE_REQUEST');
      expect(await me(cookie)).to.equal(200);
      expect(await out({ origin: '', 'sec-fetch-site': 'same-origin' })).to.equal(200);
    });

    it('and sign in from no other page', async () => {
      const { email } = await world.person();
      const from = async (headers: Record<string, string>): Promise<number> =>
        (await world.signIn(email, PASSWORD, { headers })).status;
      expect(await from({ origin: 'https://evil.example' })).to.equal(403);
      expect(await from({ 'sec-fetch-site': 'cross-site' })).to.equal(403);
      expect(await from({ origin: PUBLIC_ORIGIN })).to.equal(200);
      expect(await from({})).to.equal(200);
    });

    it('while a key calls from any page', async () => {
      const reply = await world.app.call('POST', '/api/v1/jobs/estimate', {
        body: { jobType: 'simulation', simulator: 'autodock-vina', simulationParams: {} },
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      });
      expect(reply.status).to.not.equal(403);
      expect(reply.headers.get('access-control-allow-origin')).to.equal('*');
    });
  });
});
