/** Keys as people make, rotate and end them over HTTP, and the audit log that tells of it. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import ipaddr from 'ipaddr.js';

import { createIdentity } from '../../src/services/identity/index.ts';
import type { Identity } from '../../src/services/identity/index.ts';
import { openPeople } from '../support/people.ts';
import type { PeopleWorld, PersonCall } from '../support/people.ts';
import { codeOf } from '../support/refusals.ts';
import type { Reply } from '../unit/api/test-app.ts';
import { until } from '../support/until.ts';

const CI = { name: 'CI', environment: 'live', scopes: ['jobs:read'] };

describe('keys of people', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  let identity: Identity;
  let cookie: string;
  let stranger: string;
  let accountId: string;
  before(async () => {
    world = await openPeople();
    identity = createIdentity(world.test.db);
    const [mine, theirs] = await Promise.all([world.person(), world.person()]);
    ({ cookie } = mine);
    accountId = mine.reply.body.account.id;
    stranger = theirs.cookie;
  });
  after(async () => {
    identity.close();
    await world.close();
  });

  const call = (method: string, path: string, body?: unknown, more: PersonCall = {}): Promise<Reply> =>
    world.call(method, path, { cookie, ...(body === undefined ? {} : { body }), ...more });
  const make = async (): Promise<Reply['body']> => {
    const made = await call('POST', '/keys', CI);
    expect(made.status, made.text).to.equal(201);
    return made.body;
  };
  const role = (to: 'owner' | 'member'): Promise<unknown> =>
    world.test.db.query('update users set role = $2 where account_id = $1', [accountId, to]);

  it('are shown once, work at once, and are listed without the key', async () => {
    const made = await call('POST', '/keys', CI);
    expect(made.headers.get('cache-control')).to.equal('no-store');
    const { key, id } = made.body;
    expect(key.startsWith(made.body.prefix) && key.endsWith(made.body.last4)).to.equal(true);
    expect((await identity.authenticate(key)).keyId).to.equal(id);
    const list = await call('GET', '/keys');
    expect(list.body.keys.map((one: { id: string }) => one.id)).to.include(id);
    expect(list.text).to.not.contain(key.slice(13, 40));
  });

  it('are made once for an Idempotency-Key, whose repeat names the key and shows nothing', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { body } = await call('POST', '/keys', CI, { headers });
    const repeat = await call('POST', '/keys', CI, { headers });
    expect([repeat.status, repeat.body.code]).to.deep.equal([409, 'KEY_ALREADY_ISSUED']);
    expect(repeat.body.error).to.contain(body.id);
    const other = await call('POST', '/keys', { ...CI, name: 'other' }, { headers });
    expect([other.status, other.body.code]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
    const [stored] = await world.test.db.query<{ whole: string }[]>(
      `select coalesce(string_agg(i::text, ''), '') as whole from idempotency_keys i`,
    );
    expect(stored?.whole).to.not.contain(body.key.slice(13, 40));
  });

  it('are made once when fifty equal requests come at once, and none of the others shows anything', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { id } = await make();
    const requests = [
      ['/keys', CI],
      [`/keys/${id}/rotate`, { overlapSeconds: 60 }],
    ] as const;
    for (const [path, body] of requests) {
      const count = async (): Promise<number> =>
        (await world.test.db.query('select 1 from api_keys where account_id = $1', [accountId])).length;
      const before = await count();
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => call('POST', path, body, { headers })),
      );
      const made = replies.filter(({ status }) => status === 201);
      expect(made, path).to.have.length(1);
      for (const reply of replies)
        if (reply !== made[0]) {
          expect([reply.status, reply.body.code]).to.deep.equal([409, 'KEY_ALREADY_ISSUED']);
          expect(reply.text).to.contain(made[0]?.body.id).and.not.contain(made[0]?.body.key);
        }
      expect((await count()) - before, path).to.equal(1);
    }
  });

  it('may have a monthly limit from the beginning, and keep it when they are rotated', async () => {
    const made = await call('POST', '/keys', { ...CI, monthlyLimitCents: 500 });
    expect([made.status, made.body.monthlyLimitCents]).to.deep.equal([201, 500]);
    const next = await call('POST', `/keys/${made.body.id}/rotate`, { overlapSeconds: 0 });
    expect(next.body.monthlyLimitCents).to.equal(500);
    const [limit] = await world.test.db.query<Record<string, unknown>[]>(
      `select k.month_limit_pence, b.key_limits from key_limits k join ledger_balances b on b.account_id = k.account_id
       where k.key_id = $1`,
      [made.body.id],
    );
    expect(limit).to.deep.equal({ month_limit_pence: 500, key_limits: true });
    const { entries } = (await call('GET', '/audit?limit=1&action=key.created')).body;
    expect(entries[0]).to.deep.include({ subject: made.body.id });
    expect(entries[0].after.monthlyLimitCents).to.equal(500);
  });

  it('take nothing but their fields', async () => {
    for (const more of [
      ...[{ id: randomUUID() }, { createdBy: randomUUID() }, { expiresAt: null }, { scopes: [] }],
      ...[{ monthlyLimitCents: -1 }, { monthlyLimitCents: 1.5 }, { monthlyLimitCents: '1' }],
      ...[{ scopes: ['admin'] }, { name: '' }, { environment: 'both' }, { allowedCidrs: ['192.0.2.0/33'] }],
      ...[{ allowedCidrs: [] }, { allowedCidrs: ['localhost'] }, { allowedCidrs: ['192.0.2.1'] }],
      ...[
        { allowedCidrs: ['1:2:3:4:5:6:7:8:9/64'] },
        { allowedCidrs: ['1::2::3/64'] },
        { allowedCidrs: ['::/129'] },
      ],
    ]) {
      const refused = await call('POST', '/keys', { ...CI, ...more });
      expect([refused.status, refused.body.code], JSON.stringify(more)).to.deep.equal([
        400,
        'VALIDATION_ERROR',
      ]);
    }
    const allowedCidrs = [
      ...['192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::/0', '1:2:3:4:5:6:7:8/128', '::1/128'],
      ...['2001:db8::1/128', 'fe80:1::2:3/64', '1:2:3:4:5:6::8/127'],
    ];
    for (const cidr of allowedCidrs) expect(ipaddr.isValidCIDR(cidr), cidr).to.equal(true);
    const made = await call('POST', '/keys', { ...CI, allowedCidrs });
    expect(made.body.allowedCidrs).to.deep.equal(allowedCidrs);
  });

  it('are rotated, and ended once, with a repeat that answers the same', async () => {
    const old = await make();
    const next = await call('POST', `/keys/${old.id}/rotate`, { overlapSeconds: 3600 });
    expect(next.status, next.text).to.equal(201);
    expect(next.body).to.deep.include({ name: 'CI', scopes: CI.scopes });
    expect(next.body.replaces.id).to.equal(old.id);
    for (const { key } of [old, next.body])
      expect(await codeOf(identity.authenticate(key))).to.equal('accepted');
    const ended = await call('DELETE', `/keys/${old.id}`);
    expect(ended.body).to.include({ id: old.id, status: 'REVOKED' });
    expect((await call('DELETE', `/keys/${old.id}`)).body).to.deep.equal(ended.body);
    await until(
      'it is refused',
      async () => (await codeOf(identity.authenticate(old.key))) === 'UNAUTHORIZED',
    );
    expect(await codeOf(identity.authenticate(next.body.key))).to.equal('accepted');
    for (const overlapSeconds of [-1, 604_801, 0.5, '1'])
      expect((await call('POST', `/keys/${next.body.id}/rotate`, { overlapSeconds })).status).to.equal(400);
    expect((await call('POST', `/keys/${old.id}/rotate`, { overlapSeconds: 0 })).body.code).to.equal(
      'KEY_ENDED',
    );
  });

  it('of another account are unknown, and no key manages keys', async () => {
    const { id, key } = await make();
    for (const [method, path, body] of [
      ['DELETE', `/keys/${id}`, undefined],
      ['POST', `/keys/${id}/rotate`, { overlapSeconds: 0 }],
      ['DELETE', `/keys/${randomUUID()}`, undefined],
    ] as const) {
      const foreign = await call(method, path, body, { cookie: stranger });
      expect([foreign.status, foreign.body.code], path).to.deep.equal([404, 'NOT_FOUND']);
    }
    const bearer = await world.app.call('GET', '/api/v1/keys', {});
    expect([bearer.status, bearer.body.code]).to.deep.equal([403, 'SESSION_REQUIRED']);
    expect(await codeOf(identity.authenticate(key))).to.equal('accepted');
  });

  it('need a sign-in of the last twelve hours, and a page of the service', async () => {
    const { id } = await make();
    const { cookie: aged, reply } = await world.person();
    await world.test.db.query(`update sessions set created_at = now() - interval '13 hours' where id = $1`, [
      reply.body.sessionId,
    ]);
    for (const [method, path, body] of [
      ['GET', '/keys', undefined],
      ['POST', '/keys', CI],
      ['DELETE', `/keys/${id}`, undefined],
      ['POST', `/keys/${id}/rotate`, { overlapSeconds: 0 }],
    ] as const) {
      const late = await call(method, path, body, { cookie: aged });
      expect([late.status, late.body.code], path).to.deep.equal([403, 'SIGN_IN_AGAIN']);
      const crossSite = await call(method, path, body, { headers: { origin: 'https://evil.example' } });
      expect(crossSite.status, path).to.equal(method === 'GET' ? 200 : 403);
    }
  });

  describe('and the audit log', () => {
    it('tells the owners who did what, page by page, without secrets', async () => {
      const { id, key } = await make();
      await call('DELETE', `/keys/${id}`);
      const first = await call('GET', '/audit?limit=2');
      expect(first.status, first.text).to.equal(200);
      const [revoked, created] = first.body.entries;
      expect([revoked.action, created.action]).to.deep.equal(['key.revoked', 'key.created']);
      expect([revoked.subject, created.subject]).to.deep.equal([id, id]);
      expect(created.author).to.include({ kind: 'session' });
      expect(created.author.email).to.contain('@example.org');
      expect(created.after).to.deep.include({ name: 'CI', scopes: ['jobs:read'] });
      const all = [...first.body.entries];
      for (let next = first.body.nextCursor; next !== null;) {
        const page: Reply = await call('GET', `/audit?limit=2&cursor=${next}`);
        all.push(...page.body.entries);
        next = page.body.nextCursor;
      }
      expect(new Set(all.map((entry) => entry.id)).size).to.equal(all.length);
      expect(all.map((entry) => entry.action)).to.include.members([
        'account.opened',
        'session.started',
        'key.rotated',
      ]);
      expect(JSON.stringify(all)).to.not.contain(key.slice(13, 40));
      const only = await call('GET', '/audit?action=account.opened');
      expect(only.body.entries).to.have.length(1);
    });

    it('is for owners, of their own account', async () => {
      const theirs = await call('GET', '/audit?limit=200', undefined, { cookie: stranger });
      expect(theirs.body.entries.map(({ action }: { action: string }) => action)).to.have.members([
        'account.opened',
        'session.started',
      ]);
      const { nextCursor } = (await call('GET', '/audit?limit=1')).body;
      const foreign = await call('GET', `/audit?limit=1&cursor=${nextCursor}`, undefined, {
        cookie: stranger,
      });
      expect(foreign.body.code).to.equal('VALIDATION_ERROR');
      await role('member');
      try {
        expect((await call('GET', '/audit')).body.code).to.equal('OWNER_REQUIRED');
        // A member makes and manages keys of the member's own; here all of them are.
        expect((await call('GET', '/keys')).status).to.equal(200);
      } finally {
        await role('owner');
      }
    });
  });
});
