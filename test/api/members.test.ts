/** Who belongs to an account: invitations by mail, roles, and people who leave. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { createIdentity, issueKey, suspendAccount } from '../../src/services/identity/index.ts';
import type { Identity } from '../../src/services/identity/index.ts';
import { cookieOf, openPeople, PASSWORD } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import { codeOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';
import type { Reply } from '../unit/api/test-app.ts';

describe('members', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  let identity: Identity;
  before(async () => {
    world = await openPeople();
    identity = createIdentity(world.test.db);
  });
  after(async () => {
    identity.close();
    await world.close();
  });

  interface Somebody {
    readonly email: string;
    readonly cookie: string;
    readonly userId: string;
    readonly accountId: string;
  }
  const newAddress = (): string => `${randomUUID()}@example.org`;
  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const entries = async (accountId: string): Promise<string[]> =>
    (
      await rows<{ action: string }>(
        `select action from audit_log where account_id = $1 and action ~ '^(member|invitation)' order by created_at, id`,
        accountId,
      )
    ).map(({ action }) => action);
  const somebodyOf = (email: string, reply: Reply): Somebody => ({
    ...{ email, cookie: cookieOf(reply) ?? '' },
    ...{ userId: reply.body.user.id, accountId: reply.body.account.id },
  });
  const owner = async (): Promise<Somebody> => {
    const { email, reply } = await world.person();
    return somebodyOf(email, reply);
  };
  const invite = (
    { cookie }: Somebody,
    email: string,
    role = 'member',
    headers: Record<string, string> = {},
  ): Promise<Reply> => world.call('POST', '/invitations', { cookie, body: { email, role }, headers });
  const invited = async (by: Somebody, email: string, role = 'member'): Promise<string> => {
    const after = performance.now();
    const made = await invite(by, email, role);
    expect(made.status, made.text).to.equal(201);
    return world.codeTo(email, after);
  };
  const accept = (code: string, password = PASSWORD): Promise<Reply> =>
    world.call('POST', '/auth/invitations/accept', { body: { code, password } });
  /** Somebody new who joins an account and signs in. */
  const joined = async (by: Somebody, role = 'member'): Promise<Somebody> => {
    const email = newAddress();
    expect((await accept(await invited(by, email, role))).status).to.equal(200);
    return somebodyOf(email, await world.signIn(email));
  };
  const list = async ({ cookie }: Somebody): Promise<Record<string, unknown>[]> =>
    (await world.call('GET', '/members', { cookie })).body.members;
  const change = ({ cookie }: Somebody, userId: string, role: string): Promise<Reply> =>
    world.call('PUT', `/members/${userId}`, { cookie, body: { role } });
  const remove = ({ cookie }: Somebody, userId: string): Promise<Reply> =>
    world.call('DELETE', `/members/${userId}`, { cookie });
  const codes = (replies: readonly Reply[]): (string | number)[] =>
    replies.map(({ status, body }) => (status < 400 ? status : body.code)).sort();

  describe('who are invited', () => {
    it('join the account with the code of the mail, once, and work in it', async () => {
      const who = await owner();
      const email = newAddress();
      const code = await invited(who, email);
      const answer = await accept(code);
      expect(answer.body).to.deep.equal({ email, account: { id: who.accountId, role: 'member' } });
      expect((await accept(code)).body.code).to.equal('CODE_EXPIRED');
      const reply = await world.signIn(email);
      expect(reply.body.account).to.deep.equal({ id: who.accountId, plan: 'free', role: 'member' });
      const member = somebodyOf(email, reply);
      expect(await list(member)).to.deep.equal([
        { userId: who.userId, email: who.email, role: 'owner', current: false },
        { userId: member.userId, email, role: 'member', current: true },
      ]);
      expect(await entries(who.accountId)).to.deep.equal(['member.invited', 'member.joined']);
      const { entries: told } = (
        await world.call('GET', '/audit?limit=1&action=member.joined', { cookie: who.cookie })
      ).body;
      expect(told[0]).to.deep.include({ subject: member.userId });
      expect(JSON.stringify(told)).to.not.contain(code);
    });

    it('join once, also when they accept twice at once', async () => {
      const who = await owner();
      const email = newAddress();
      const code = await invited(who, email);
      expect(codes(await Promise.all([accept(code), accept(code), accept(code)]))).to.deep.equal([
        ...[200, 'CODE_EXPIRED', 'CODE_EXPIRED'],
      ]);
      expect(await list(who)).to.have.length(2);
    });

    it('prove that they are the person where there is one already', async () => {
      const who = await owner();
      const email = newAddress();
      await world.call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      const confirmed = { code: await world.codeTo(email), password: PASSWORD };
      await world.call('POST', '/auth/verify', { body: confirmed });
      const code = await invited(who, email);
      expect((await accept(code, 'some other password')).body.code).to.equal('SIGN_IN_REFUSED');
      expect((await accept(code)).status).to.equal(200);
      expect((await world.signIn(email)).body.account.id).to.equal(who.accountId);
    });

    it('belong to one account: a first sign-in and an acceptance at once leave one of them', async () => {
      const [who, other] = [await owner(), await owner()];
      expect((await accept(await invited(who, other.email))).body.code).to.equal('OTHER_ACCOUNT');
      const email = newAddress();
      await world.call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      const confirmed = { code: await world.codeTo(email), password: PASSWORD };
      await world.call('POST', '/auth/verify', { body: confirmed });
      const code = await invited(who, email);
      const [signedIn, accepted] = await Promise.all([world.signIn(email), accept(code)]);
      expect(signedIn.status).to.equal(200);
      const isMember = accepted.status === 200;
      if (!isMember) expect(accepted.body.code).to.equal('OTHER_ACCOUNT');
      expect(signedIn.body.account.id === who.accountId).to.equal(isMember);
    });

    it('leave an account of their own in which nothing is left, as the refusal says, and join the team; the account is closed', async () => {
      const [who, other] = [await owner(), await owner()];
      const code = await invited(who, other.email);
      const refused = await accept(code);
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'OTHER_ACCOUNT']);
      const [, method = '', path = ''] =
        /(DELETE) \/api\/v1(\/members\/[0-9a-f-]+)/.exec(refused.body.error) ?? expect.fail(refused.text);
      const left = await world.call(method, path, { cookie: other.cookie });
      expect(left.status, left.text).to.equal(200);
      expect((await world.call('GET', '/members', { cookie: other.cookie })).status).to.equal(401);
      expect((await accept(code)).status).to.equal(200);
      expect((await world.signIn(other.email)).body.account).to.include({
        id: who.accountId,
        role: 'member',
      });
      expect(await rows('select state from accounts where id = $1', other.accountId)).to.deep.equal([
        { state: 'CLOSED' },
      ]);
    });

    it('are told what keeps them in an account of their own: credits, debt, jobs, keys, a plan, a payment', async () => {
      const who = await owner();
      const { accountId, userId } = who;
      const balance = (column: string, pence: number) =>
        rows(`update ledger_balances set ${column} = $2 where account_id = $1`, accountId, pence);
      const topup = `insert into topups (id, account_id, tier_id, amount_pence, bonus_pence, fingerprint, success_url, cancel_url, expires_at)
        values ($1, $1, 'topup-10', 1000, 0, '', '', '', now())`;
      const job = `insert into jobs (id, account_id, user_id, job_type, tool_id, provider, status, request, fingerprint, submit_response,
          first_run_id, unit, task_total, finished_at)
        values ($1, $1, $2, 'simulation', 'noop', 'local', 'SUCCEEDED', '{}', '', '{}', 'run', 'task', 1, now())`;
      const things: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
        ['credits', () => balance('wallet', 1), () => balance('wallet', 0)],
        ['debt', () => balance('debt', -1), () => balance('debt', 0)],
        [
          'jobs',
          () => rows(job, accountId, userId),
          () => rows('delete from jobs where account_id = $1', accountId),
        ],
        [
          'API keys',
          () =>
            world.call('POST', '/keys', { cookie: who.cookie, body: { name: 'CI', scopes: ['jobs:read'] } }),
          () => rows('update api_keys set revoked_at = now() where account_id = $1', accountId),
        ],
        [
          'a paid plan',
          () => rows(`update accounts set plan = 'pro' where id = $1`, accountId),
          () => rows(`update accounts set plan = 'free' where id = $1`, accountId),
        ],
        [
          'a payment under way',
          () => rows(topup, accountId),
          () => rows(`update topups set state = 'EXPIRED' where account_id = $1`, accountId),
        ],
      ];
      const inviter = await owner();
      const code = await invited(inviter, who.email);
      for (const [name, put, take] of things) {
        await put();
        const refused = await remove(who, userId);
        expect([refused.status, refused.body.code], name).to.deep.equal([409, 'LAST_OWNER']);
        expect(refused.body.error).to.match(new RegExp(`none of these: ${name}\\.$`));
        expect((await accept(code)).body.error).to.contain(`none of these: ${name}.`);
        await take();
      }
      const once = await Promise.all([
        remove(who, userId),
        world.call('POST', '/keys', { cookie: who.cookie, body: { name: 'CI', scopes: ['jobs:read'] } }),
      ]);
      const [{ open, state } = { open: 0, state: '' }] = await rows<{ open: number; state: string }>(
        `select a.state, (select count(*)::int from api_keys where account_id = a.id and revoked_at is null) as open
         from accounts a where id = $1`,
        accountId,
      );
      expect([state, open], once.map(({ status }) => status).join()).to.be.deep.oneOf([
        ['CLOSED', 0],
        ['ACTIVE', 1],
      ]);
    });

    it('have one open invitation; another takes its place, and an owner can end it', async () => {
      const who = await owner();
      const email = newAddress();
      const first = await invited(who, email);
      // Addresses are compared without case.
      const second = await invited(
        who,
        email.replace(/^[^@]*/, (name) => name.toUpperCase()),
        'owner',
      );
      expect((await accept(first)).body.code).to.equal('CODE_EXPIRED');
      const open = (await world.call('GET', '/invitations', { cookie: who.cookie })).body.invitations;
      expect(open).to.have.length(1);
      expect(open[0]).to.include({ role: 'owner', status: 'OPEN', invitedBy: who.userId });
      const end = (as: Somebody): Promise<Reply> =>
        world.call('DELETE', `/invitations/${open[0].id}`, { cookie: as.cookie });
      expect((await end(await owner())).body.code).to.equal('NOT_FOUND');
      const ended = await end(who);
      expect(ended.body).to.include({ status: 'ENDED' });
      expect((await end(who)).body).to.deep.equal(ended.body);
      expect((await accept(second)).body.code).to.equal('CODE_EXPIRED');
      expect(await entries(who.accountId)).to.deep.equal([
        ...['member.invited', 'invitation.ended', 'member.invited', 'invitation.ended'],
      ]);
    });

    it('come too late after seven days', async () => {
      const who = await owner();
      const code = await invited(who, newAddress());
      const [made] = await rows<{ days: number }>(
        `select extract(epoch from expires_at - created_at)::int / 86400 as days from invitations where account_id = $1`,
        who.accountId,
      );
      expect(made?.days).to.equal(7);
      await rows(`update invitations set expires_at = now() where account_id = $1`, who.accountId);
      expect((await accept(code)).body.code).to.equal('CODE_EXPIRED');
    });

    it('do not join an account that is suspended', async () => {
      const who = await owner();
      const code = await invited(who, newAddress());
      await suspendAccount(world.test.db, { accountId: who.accountId, reason: null });
      expect((await accept(code)).body.code).to.equal('ACCOUNT_SUSPENDED');
    });

    it('are at most a hundred with the members, however many are invited at once', async () => {
      const who = await owner();
      await rows(
        `insert into invitations (id, account_id, email, role, secret_sha256, invited_by, created_at, expires_at)
         select gen_random_uuid(), $1::uuid, n || '@example.org', 'member', gen_random_uuid()::text, $2::uuid, now() - interval '2 hours', now() + interval '1 day'
         from generate_series(1, 96) n`,
        ...[who.accountId, who.userId],
      );
      const replies = await Promise.all(Array.from({ length: 6 }, () => invite(who, newAddress())));
      expect(codes(replies)).to.deep.equal([
        ...[201, 201, 201],
        ...['MEMBER_LIMIT_REACHED', 'MEMBER_LIMIT_REACHED', 'MEMBER_LIMIT_REACHED'],
      ]);
    });

    it('are at most fifty an hour, so that nobody sends mail through us', async () => {
      const who = await owner();
      await rows(
        `insert into invitations (id, account_id, email, role, secret_sha256, invited_by, expires_at, ended_at)
         select gen_random_uuid(), $1::uuid, n || '@example.org', 'member', gen_random_uuid()::text, $2::uuid, now() + interval '1 day', now()
         from generate_series(1, 49) n`,
        ...[who.accountId, who.userId],
      );
      const replies = await Promise.all([invite(who, newAddress()), invite(who, newAddress())]);
      expect(codes(replies)).to.deep.equal([201, 'RATE_LIMITED']);
      const [limited] = replies.filter(({ status }) => status === 429);
      expect(Number(limited?.headers.get('retry-after'))).to.be.within(1, 3600);
    });
  });

  describe('by their roles', () => {
    it('invite, change and remove only as owners, and only in their own account', async () => {
      const who = await owner();
      const member = await joined(who);
      for (const refused of [
        await invite(member, newAddress()),
        await world.call('GET', '/invitations', { cookie: member.cookie }),
        await change(member, who.userId, 'member'),
        await remove(member, who.userId),
      ])
        expect([refused.status, refused.body.code]).to.deep.equal([403, 'OWNER_REQUIRED']);
      const stranger = await owner();
      for (const refused of [
        await change(stranger, member.userId, 'owner'),
        await remove(stranger, member.userId),
        await remove(who, randomUUID()),
      ])
        expect([refused.status, refused.body.code]).to.deep.equal([404, 'NOT_FOUND']);
      expect((await invite(who, member.email)).body.code).to.equal('ALREADY_MEMBER');
      const changed = await change(who, member.userId, 'owner');
      expect(changed.body).to.deep.equal({
        ...{ userId: member.userId, email: member.email, role: 'owner', current: false },
      });
      expect((await change(who, member.userId, 'owner')).body).to.deep.equal(changed.body);
      // The session of the new owner is one at once.
      expect((await invite(member, newAddress())).status).to.equal(201);
      expect((await entries(who.accountId)).filter((action) => action === 'member.changed')).to.have.length(
        1,
      );
    });

    it('need a sign-in of the last twelve hours', async () => {
      const who = await owner();
      await rows(
        `update sessions set created_at = now() - interval '13 hours' where user_id = $1`,
        who.userId,
      );
      for (const late of [
        await world.call('GET', '/members', { cookie: who.cookie }),
        await invite(who, newAddress()),
        await change(who, who.userId, 'member'),
        await remove(who, who.userId),
      ])
        expect([late.status, late.body.code]).to.deep.equal([403, 'SIGN_IN_AGAIN']);
    });

    it('keep an owner in every account, also when two owners go at once', async () => {
      const who = await owner();
      expect((await change(who, who.userId, 'member')).body.code).to.equal('LAST_OWNER');
      await joined(who);
      const alone = await remove(who, who.userId);
      expect([alone.status, alone.body.code]).to.deep.equal([409, 'LAST_OWNER']);
      expect(alone.body.error).to.contain('other people');
      const other = await joined(who, 'owner');
      expect(codes(await Promise.all([remove(who, who.userId), remove(other, other.userId)]))).to.deep.equal([
        ...[200, 'LAST_OWNER'],
      ]);
      const third = await owner();
      const fourth = await joined(third, 'owner');
      expect(
        codes(
          await Promise.all([change(third, fourth.userId, 'member'), change(fourth, third.userId, 'member')]),
        ),
      ).to.deep.equal([200, 'OWNER_REQUIRED']);
    });
  });

  describe('who leave', () => {
    it('are signed out everywhere; their keys go on and are named to the owners', async () => {
      const who = await owner();
      const member = await joined(who);
      const made = await world.call('POST', '/keys', {
        ...{ cookie: member.cookie, body: { name: 'CI', scopes: ['jobs:read'] } },
      });
      expect(made.status, made.text).to.equal(201);
      const before = world.mails.length;
      const left = await remove(who, member.userId);
      expect(left.status, left.text).to.equal(200);
      expect(left.body).to.include({ userId: member.userId, email: member.email, endedSessions: 1 });
      expect(left.body.keys.map(({ id }: { id: string }) => id)).to.deep.equal([made.body.id]);
      expect(left.text).to.not.contain(made.body.key);
      expect((await world.call('GET', '/members', { cookie: member.cookie })).status).to.equal(401);
      expect((await identity.authenticate(made.body.key)).accountId).to.equal(who.accountId);
      await until('the mail', () => world.mails.length > before);
      const mail = world.mails.at(-1);
      expect(mail?.to).to.equal(who.email);
      expect(mail?.text).to.contain(member.email).and.contain(made.body.id).and.not.contain(made.body.key);
      expect((await remove(who, member.userId)).status).to.equal(404);
      // The owner can end the keys of whoever has left.
      expect((await world.call('DELETE', `/keys/${made.body.id}`, { cookie: who.cookie })).status).to.equal(
        200,
      );
      expect((await entries(who.accountId)).at(-1)).to.equal('member.left');
    });

    it('by themselves may come back by another invitation, or have an account of their own', async () => {
      const who = await owner();
      const [back, own] = [await joined(who), await joined(who)];
      for (const member of [back, own]) {
        expect((await remove(member, member.userId)).status).to.equal(200);
        expect((await world.call('GET', '/members', { cookie: member.cookie })).status).to.equal(401);
      }
      expect((await accept(await invited(who, back.email))).status).to.equal(200);
      expect((await world.signIn(back.email)).body.account.id).to.equal(who.accountId);
      const { body } = await world.signIn(own.email);
      expect(body.account).to.include({ role: 'owner' });
      expect(body.account.id).to.not.equal(who.accountId);
    });

    it('begin no session in the account while they are removed', async () => {
      const who = await owner();
      const member = await joined(who);
      const [, signedIn] = await Promise.all([remove(who, member.userId), world.signIn(member.email)]);
      const cookie = cookieOf(signedIn) ?? '';
      const seen = await world.call('GET', '/members', { cookie });
      if (seen.status === 200) expect(signedIn.body.account.id).to.not.equal(who.accountId);
      else expect(seen.status).to.equal(401);
    });

    it('make no key by a request that was let in before', async () => {
      const who = await owner();
      const member = await joined(who);
      const actor = await world.sessions.find(member.cookie);
      await remove(who, member.userId);
      const command = {
        body: { name: 'CI', environment: 'live' as const, scopes: ['jobs:read' as const] },
        ...{ fingerprint: 'f', idempotencyKey: null, address: '192.0.2.1' },
      };
      expect(await codeOf(issueKey(world.test.db, actor, command))).to.equal('UNAUTHORIZED');
    });
  });
});
