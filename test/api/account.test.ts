/** Your own account: what a page reads of it, its welcome credits, and its end. */
import { expect } from 'chai';

import { createCredits } from '../../src/services/credits.ts';
import { grantCredits, verifyLedger } from '../../src/services/ledger/index.ts';
import { openPeople } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import type { Reply } from '../unit/api/test-app.ts';

const WELCOME = 100;
const TWELVE_HOURS_MS = 43_200_000;

describe('your own account', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  before(async () => {
    world = await openPeople(null, { welcomePence: WELCOME });
  });
  after(() => world.close());

  interface Somebody {
    readonly email: string;
    readonly cookie: string;
    readonly userId: string;
    readonly accountId: string;
  }
  const somebody = async (): Promise<Somebody> => {
    const { email, cookie, reply } = await world.person();
    return { email, cookie, userId: reply.body.user.id, accountId: reply.body.account.id };
  };
  const read = ({ cookie }: Somebody): Promise<Reply> => world.call('GET', '/account', { cookie });
  const close = ({ cookie }: Somebody, body?: object): Promise<Reply> =>
    world.call('POST', '/account/close', { cookie, ...(body === undefined ? {} : { body }) });
  const gifts = async ({ userId }: Somebody): Promise<unknown[]> =>
    world.test.db.query(
      `select account_id, kind, amounts_pence[array_position(accounts, 'wallet')] as pence from ledger_transfers
       where idempotency_key = $1`,
      [`promo/welcome/person/${userId}`],
    );

  it('says who has signed in, as what, until when that is recent, and what the installation has', async () => {
    const who = await somebody();
    const { body } = await read(who);
    expect(body.user).to.deep.equal({ id: who.userId, email: who.email });
    expect(body.account).to.include({ id: who.accountId, plan: 'free', role: 'owner' });
    const age = Date.parse(body.session.recentUntil) - TWELVE_HOURS_MS - Date.now();
    expect(Math.abs(age)).to.be.below(120_000);
    expect(body.installation).to.deep.equal({
      ...{ signInProvider: false, payments: false, welcomeCents: WELCOME },
      uploadOrigin: 'https://store.example',
    });
    const open = await world.call('GET', '/public/installation');
    expect(open.body, 'whoever has not signed in reads the same').to.deep.equal(body.installation);
    await world.test.db.query(`update sessions set created_at = now() - interval '13 hours' where id = $1`, [
      body.session.id,
    ]);
    const later = await read(who);
    expect(later.status, 'reading needs no recent sign-in').to.equal(200);
    expect(Date.parse(later.body.session.recentUntil)).to.be.below(Date.now());
    expect((await close(who)).body.code).to.equal('SIGN_IN_AGAIN');
  });

  it('begins with welcome credits, once per person: not at a second sign-in, and not with another account', async () => {
    const who = await somebody();
    const once = [{ account_id: who.accountId, kind: 'promo', pence: WELCOME }];
    expect(await gifts(who)).to.deep.equal(once);
    await Promise.all([world.signIn(who.email), world.signIn(who.email)]);
    expect(await gifts(who)).to.deep.equal(once);
    // The person leaves the account behind, and the next sign-in opens another one.
    await world.test.db.query('update users set account_id = null where id = $1', [who.userId]);
    const again = await world.signIn(who.email);
    const accountId: string = again.body.account.id;
    expect(accountId).to.not.equal(who.accountId);
    expect(await gifts(who)).to.deep.equal(once);
    const balance = await createCredits(world.test.db).balance({
      ...{ kind: 'session', sessionId: again.body.sessionId, accountId, userId: who.userId },
      ...{ plan: 'free', role: 'owner', isRecent: true },
    });
    expect(balance.available_cents).to.equal(0);
    expect(await verifyLedger(world.test.db.manager)).to.deep.equal([]);
  });

  it('is closed by an owner, for ever and for everybody in it', async () => {
    const who = await somebody();
    const key = await world.call('POST', '/keys', {
      ...{ cookie: who.cookie, headers: { 'idempotency-key': `key of ${who.userId}` } },
      body: { name: 'a', environment: 'live', scopes: ['jobs:read'] },
    });
    expect(key.status).to.equal(201);
    const closed = await close(who, { reason: 'done' });
    expect(closed.body).to.deep.equal({ accountId: who.accountId, keysRevoked: 1 });
    expect(closed.headers.get('set-cookie')).to.match(/Max-Age=0/i);
    expect((await read(who)).status).to.equal(401);
    expect((await close(who)).status, 'a repeat').to.equal(401);
    expect((await world.signIn(who.email)).body.code).to.equal('ACCOUNT_CLOSED');
    const [entry] = await world.test.db.query<{ after: unknown; user_id: string }[]>(
      `select after, user_id from audit_log where account_id = $1 and action = 'account.state'`,
      [who.accountId],
    );
    expect(entry).to.deep.include({ after: { state: 'CLOSED', reason: 'done' }, user_id: who.userId });
  });

  it('stays open while something goes on, which the refusal names, and for a member', async () => {
    const who = await somebody();
    const { db } = world.test;
    await db.query(
      `insert into subscriptions (id, account_id, status, version) values ($1, $2, 'active', 1)`,
      [`sub_${who.userId}`, who.accountId],
    );
    const refused = await close(who);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'ACCOUNT_IN_USE']);
    expect(refused.body.error).to.contain('a subscription').and.not.contain('open jobs');
    await db.query(`update subscriptions set status = 'canceled' where account_id = $1`, [who.accountId]);
    await db.query(`update users set role = 'member' where id = $1`, [who.userId]);
    expect((await close(who)).body.code).to.equal('OWNER_REQUIRED');
    await db.query(`update users set role = 'owner' where id = $1`, [who.userId]);
    await grantCredits(db, {
      ...{ accountId: who.accountId, amountPence: 5, key: who.userId, description: 'lost with it' },
    });
    expect((await close(who)).status, 'credits are no hindrance').to.equal(200);
  });
});
