/** The second factor at the sign-in: codes of an authenticator, each taken once, and recovery codes. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';

import { cookieOf, openPeople, PASSWORD } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import type { Reply } from '../unit/api/test-app.ts';

const STEP_MS = 30_000;

describe('the second factor', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  before(async () => {
    world = await openPeople();
  });
  after(() => world.close());

  interface Somebody {
    readonly email: string;
    readonly cookie: string;
    readonly userId: string;
    readonly accountId: string;
  }
  interface Protected extends Somebody {
    readonly secret: string;
    readonly recoveryCodes: readonly string[];
  }
  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const person = async (): Promise<Somebody> => {
    const { email, cookie, reply } = await world.person();
    return { email, cookie, userId: reply.body.user.id, accountId: reply.body.account.id };
  };
  const call = ({ cookie }: Somebody, method: string, path: string, body?: unknown): Promise<Reply> =>
    world.call(method, `/auth/totp${path}`, { cookie, ...(body === undefined ? {} : { body }) });
  const codeAt = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
  /** Lets the codes of the present step be taken again, as after half a minute. */
  const nextStep = ({ userId }: Somebody): Promise<unknown> =>
    rows('update users set totp_last_step = totp_last_step - 3 where id = $1', userId);
  const protectedPerson = async (): Promise<Protected> => {
    const who = await person();
    const { secret } = (await call(who, 'POST', '')).body;
    const confirmed = await call(who, 'POST', '/confirm', { code: codeAt(secret) });
    expect(confirmed.status, confirmed.text).to.equal(200);
    await nextStep(who);
    return { ...who, secret, recoveryCodes: confirmed.body.recoveryCodes };
  };
  const signIn = ({ email }: Somebody, totp?: string, password = PASSWORD): Promise<Reply> =>
    world.call('POST', '/auth/sign-in', {
      body: { email, password, ...(totp === undefined ? {} : { totp }) },
    });
  const codesOf = (replies: readonly Reply[]): (string | number)[] =>
    replies.map(({ status, body }) => (status < 400 ? status : body.code)).sort();
  const actions = async ({ accountId }: Somebody): Promise<string[]> =>
    (
      await rows<{ action: string }>(
        `select action from audit_log where account_id = $1 and action ~ 'totp|recovery' order by created_at, id`,
        accountId,
      )
    ).map(({ action }) => action);

  it('counts once it is confirmed, and the sign-in asks for it after the right password', async () => {
    const who = await person();
    expect((await call(who, 'GET', '')).body).to.deep.equal({ enabled: false, recoveryCodesLeft: 0 });
    const begun = await call(who, 'POST', '');
    expect(begun.status, begun.text).to.equal(201);
    expect(begun.body.uri)
      .to.contain(`secret=${begun.body.secret}`)
      .and.match(/^otpauth:\/\/totp\//);
    expect((await signIn(who)).status, 'not confirmed yet').to.equal(200);
    expect((await call(who, 'POST', '/confirm', { code: '000000' })).body.code).to.equal('TOTP_REFUSED');
    const confirmed = await call(who, 'POST', '/confirm', { code: codeAt(begun.body.secret) });
    expect(new Set(confirmed.body.recoveryCodes).size).to.equal(10);
    for (const refused of [
      await call(who, 'POST', ''),
      await call(who, 'POST', '/confirm', { code: codeAt(begun.body.secret, 1) }),
    ])
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'TOTP_ENABLED']);
    expect((await call(who, 'GET', '')).body).to.deep.equal({ enabled: true, recoveryCodesLeft: 10 });
    await nextStep(who);

    expect((await signIn(who)).body.code).to.equal('TOTP_REQUIRED');
    expect((await signIn(who, codeAt(begun.body.secret), 'a wrong password')).body.code).to.equal(
      'SIGN_IN_REFUSED',
    );
    expect((await signIn(who, '000000')).body.code).to.equal('TOTP_REFUSED');
    const signedIn = await signIn(who, codeAt(begun.body.secret));
    expect(signedIn.status, signedIn.text).to.equal(200);
    expect((await world.call('GET', '/auth/totp', { cookie: cookieOf(signedIn) ?? '' })).status).to.equal(
      200,
    );
    expect(await actions(who)).to.deep.equal(['totp.enabled']);
    const refused = await rows<{ after: unknown }>(
      `select after from audit_log where account_id = $1 and action = 'session.refused'`,
      who.accountId,
    );
    expect(refused.map(({ after }) => after)).to.deep.include({ code: 'TOTP_REFUSED' });
  });

  it('takes each code once, also when it comes many times at once, and those of neighbouring steps', async () => {
    const who = await protectedPerson();
    const code = codeAt(who.secret);
    expect(codesOf(await Promise.all(Array.from({ length: 4 }, () => signIn(who, code))))).to.deep.equal([
      ...[200, 'TOTP_REFUSED', 'TOTP_REFUSED', 'TOTP_REFUSED'],
    ]);
    expect((await signIn(who, codeAt(who.secret, -1))).body.code, 'an earlier step').to.equal('TOTP_REFUSED');
    expect((await signIn(who, codeAt(who.secret, 1))).status, 'a clock that is ahead').to.equal(200);
    await nextStep(who);
    expect((await signIn(who, codeAt(who.secret, 4))).body.code).to.equal('TOTP_REFUSED');
  });

  it('takes each recovery code once in the place of a code, however it is typed', async () => {
    const who = await protectedPerson();
    const [first = '', second = ''] = who.recoveryCodes;
    expect(codesOf(await Promise.all([signIn(who, first), signIn(who, first)]))).to.deep.equal([
      ...[200, 'TOTP_REFUSED'],
    ]);
    expect((await signIn(who, second.toUpperCase().replaceAll('-', ''))).status).to.equal(200);
    expect((await call(who, 'GET', '')).body.recoveryCodesLeft).to.equal(8);
    expect(await actions(who)).to.deep.equal(['totp.enabled', 'recovery-code.used', 'recovery-code.used']);
  });

  it('is taken away with a code or a recovery code, and a repeat answers the same', async () => {
    const who = await protectedPerson();
    expect((await call(who, 'POST', '/disable', { code: '000000' })).body.code).to.equal('TOTP_REFUSED');
    const away = await call(who, 'POST', '/disable', { code: who.recoveryCodes[0] });
    expect(away.body).to.deep.equal({ enabled: false, recoveryCodesLeft: 0 });
    expect((await call(who, 'POST', '/disable', { code: '000000' })).body).to.deep.equal(away.body);
    expect((await signIn(who)).status).to.equal(200);
    expect((await call(who, 'POST', '')).status, 'it may begin anew').to.equal(201);
  });

  it('is guessed ten times a quarter of an hour, from wherever it is', async () => {
    const who = await protectedPerson();
    const replies = await Promise.all(Array.from({ length: 15 }, () => signIn(who, '000000')));
    expect(replies.filter(({ body }) => body.code === 'TOTP_REFUSED').length).to.be.at.most(10);
    expect(replies.filter(({ body }) => body.code === 'RATE_LIMITED').length).to.be.at.least(5);
    expect((await signIn(who, codeAt(who.secret))).body.code).to.equal('RATE_LIMITED');
  });

  it('is stored sealed, and recovery codes by digest', async () => {
    const who = await protectedPerson();
    const [stored] = await rows<{ whole: string }>(
      `select concat((select string_agg(u::text, '') from users u), (select string_agg(r::text, '') from recovery_codes r),
         (select string_agg(a::text, '') from audit_log a)) as whole`,
    );
    for (const secret of [who.secret, ...who.recoveryCodes]) expect(stored?.whole).to.not.contain(secret);
  });

  it('stays when the password is set anew', async () => {
    const who = await protectedPerson();
    const before = performance.now();
    await world.call('POST', '/auth/password/forgot', { body: { email: who.email } });
    const body = { code: await world.codeTo(who.email, before), password: randomUUID() };
    expect((await world.call('POST', '/auth/password/reset', { body })).status).to.equal(204);
    expect((await signIn(who, undefined, body.password)).body.code).to.equal('TOTP_REQUIRED');
    expect((await signIn(who, codeAt(who.secret), body.password)).status).to.equal(200);
  });
});
