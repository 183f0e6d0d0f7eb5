/** A command line that a person lets in: what the page draws is worth nothing to anybody else, nor twice, nor later. */
import { createHash, randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { cookieOf, openPeople, PASSWORD } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import type { Reply } from '../unit/api/test-app.ts';

const HOUR_MS = 3_600_000;
const draw = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

describe('a command line that is let in', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  let cookie: string;
  let email: string;
  before(async () => {
    world = await openPeople();
    ({ cookie, email } = await world.person());
  });
  after(() => world.close());

  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const approve = (verifier: string, of = cookie, headers: Record<string, string> = {}): Promise<Reply> =>
    world.call('POST', '/auth/cli/approve', {
      cookie: of,
      body: { challenge: challengeOf(verifier) },
      headers,
    });
  const exchange = (code: string, verifier: string): Promise<Reply> =>
    world.call('POST', '/auth/cli/session', {
      body: { code, verifier },
      headers: { 'user-agent': 'dockyard-cli/1' },
    });
  const letIn = async (of = cookie): Promise<Reply> => {
    const verifier = draw();
    return exchange((await approve(verifier, of)).body.code, verifier);
  };
  const refuses = ({ status, body, headers }: Reply, ...expected: [number, string]): void => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal(expected);
    expect(headers.get('set-cookie')).to.equal(null);
  };
  const asProgram = (session: string, method: string, path: string): Promise<Reply> =>
    world.call(method, path, {
      headers: { cookie: `__Host-dockyard-session=${session}`, 'sec-fetch-site': 'same-origin' },
    });

  it('is the person, in the list of sessions, until twelve hours after the sign-in of the browser', async () => {
    await rows(`update sessions set created_at = now() - interval '2 hours' where ended_at is null`);
    const reply = await letIn();
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.body.user.email).to.equal(email);
    const session = cookieOf(reply) ?? '';
    expect(session).to.not.equal(cookie);
    const { body } = await asProgram(session, 'GET', '/auth/sessions');
    const [newest] = body.sessions;
    expect(newest).to.include({ current: true, userAgent: 'dockyard-cli/1', id: reply.body.sessionId });
    expect(Date.parse(newest.expiresAt) - Date.now()).to.be.within(9.9 * HOUR_MS, 10 * HOUR_MS);
    expect((await asProgram(session, 'GET', '/keys')).status).to.equal(200);

    // Neither a use nor another command line moves the end.
    await rows(
      `update sessions set last_seen_at = now() - interval '1 hour' where id = $1`,
      reply.body.sessionId,
    );
    await asProgram(session, 'GET', '/keys');
    const second = await letIn(session);
    expect(second.body.expiresAt).to.equal(newest.expiresAt);
    const [kept] = await rows<{ at: string }>(
      `select (expires_at = ends_at)::text as at from sessions where id = $1`,
      reply.body.sessionId,
    );
    expect(kept?.at).to.equal('true');
    expect((await asProgram(session, 'POST', '/auth/sign-out')).status).to.equal(200);
    expect((await asProgram(session, 'GET', '/keys')).status).to.equal(401);
    const actions = await rows<{ action: string }>(
      'select action from audit_log where subject = $1 order by created_at, id',
      reply.body.sessionId,
    );
    expect(actions.map(({ action }) => action)).to.deep.equal(['session.started', 'session.ended']);
  });

  it('takes a code once, also of ten that come at once', async () => {
    const verifier = draw();
    const { code } = (await approve(verifier)).body;
    const replies = await Promise.all(Array.from({ length: 10 }, () => exchange(code, verifier)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(410)]);
    refuses(await exchange(code, verifier), 410, 'CODE_EXPIRED');
  });

  it('gives whoever has seen the code nothing, and the code is used up by the attempt', async () => {
    const verifier = draw();
    const { code } = (await approve(verifier)).body;
    refuses(await exchange(code, draw()), 410, 'CODE_EXPIRED');
    refuses(await exchange(code, verifier), 410, 'CODE_EXPIRED');
    refuses(await exchange(draw(), verifier), 410, 'CODE_EXPIRED');
    expect(JSON.stringify(await rows('select * from cli_codes'))).to.not.contain(code);
  });

  it('becomes nobody else by a code that another person has drawn', async () => {
    const other = await world.person();
    const mine = draw();
    const { code } = (await approve(draw(), other.cookie)).body;
    refuses(await exchange(code, mine), 410, 'CODE_EXPIRED');
  });

  it('takes no code that is older than two minutes, nor one whose person has left the browser or has a new password', async () => {
    const [late, left, reset] = [draw(), draw(), draw()];
    const { code: lateCode } = (await approve(late)).body;
    await rows(`update cli_codes set created_at = created_at - interval '121 seconds' where used_at is null`);
    refuses(await exchange(lateCode, late), 410, 'CODE_EXPIRED');

    const other = await world.person();
    const { code: leftCode } = (await approve(left, other.cookie)).body;
    await world.call('POST', '/auth/sign-out', { cookie: other.cookie });
    refuses(await exchange(leftCode, left), 410, 'CODE_EXPIRED');

    const again = cookieOf(await world.signIn(other.email)) ?? '';
    const { code: resetCode } = (await approve(reset, again)).body;
    const program = cookieOf(await letIn(again)) ?? '';
    const asked = performance.now();
    await world.call('POST', '/auth/password/forgot', { body: { email: other.email } });
    const mailed = await world.codeTo(other.email, asked);
    await world.call('POST', '/auth/password/reset', { body: { code: mailed, password: `${PASSWORD}!` } });
    refuses(await exchange(resetCode, reset), 410, 'CODE_EXPIRED');
    expect((await asProgram(program, 'GET', '/auth/sessions')).status).to.equal(401);
  });

  it('is let in by nobody who is asked by another site, or who has signed in long ago, or who has not', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
      { origin: '', 'sec-fetch-site': 'same-site' },
    ])
      refuses(await approve(draw(), cookie, headers), 403, 'CROSS_SITE_REQUEST');
    const old = await world.person();
    await rows(
      `update sessions set created_at = now() - interval '13 hours' where id = $1`,
      old.reply.body.sessionId,
    );
    refuses(await approve(draw(), old.cookie), 403, 'SIGN_IN_AGAIN');
    refuses(await approve(draw(), `${cookie}x`), 401, 'UNAUTHORIZED');
    const challenge = draw().slice(1);
    refuses(
      await world.call('POST', '/auth/cli/approve', { cookie, body: { challenge } }),
      ...([400, 'VALIDATION_ERROR'] as const),
    );
  });

  it('is let into no account that is suspended', async () => {
    const other = await world.person();
    const verifier = draw();
    const { code } = (await approve(verifier, other.cookie)).body;
    await rows(`update accounts set state = 'SUSPENDED' where id = $1`, other.reply.body.account.id);
    refuses(await exchange(code, verifier), 403, 'ACCOUNT_SUSPENDED');
  });
});
