/** Signing in by a provider of identities: a real one, whose browser brings back what the provider has said. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';

import { AppError } from '../../src/domain/errors.ts';
import { adapterOf, openProvider } from '../support/identity-provider.ts';
import type { ProviderWorld } from '../support/identity-provider.ts';
import { cookieOf, openPeople, PASSWORD, PUBLIC_ORIGIN } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import type { Reply } from '../unit/api/test-app.ts';

const CALLBACK = '/auth/oidc/callback';
const REDIRECT = `${PUBLIC_ORIGIN}/api/v1${CALLBACK}`;
const STEP_MS = 30_000;

const codeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error);

/** A sign-in that a browser has begun: the cookie of the browser, and where the service has sent it. */
interface Begun {
  readonly cookie: string;
  readonly location: string;
}

describe('signing in by a provider', function () {
  this.timeout(240_000);
  let provider: ProviderWorld;
  let world: PeopleWorld;
  before(async () => {
    provider = await openProvider(() => REDIRECT);
    world = await openPeople(provider.adapter());
  });
  after(async () => {
    await world.close();
    await provider.close();
  });

  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const address = (): string => `${randomUUID()}@example.org`;
  const start = async (): Promise<Begun> => {
    const { status, headers, text } = await world.call('GET', '/auth/oidc/start');
    expect(status, text).to.equal(303);
    const set = headers.get('set-cookie') ?? '';
    expect(set).to.match(
      /^__Host-dockyard-oidc=[^;]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const [cookie = ''] = set.split(';');
    return { cookie, location: headers.get('location') ?? '' };
  };
  const bring = (back: URL, cookie: string | null): Promise<Reply> =>
    world.call('GET', CALLBACK + back.search, { headers: cookie === null ? {} : { cookie } });
  const signIn = async (name: string): Promise<Reply> => {
    const { cookie, location } = await start();
    return bring(await provider.browse(location, name), cookie);
  };
  const refuses = ({ status, body, headers }: Reply, ...expected: [number, string]): void => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal(expected);
    expect(Object.keys(body).sort()).to.deep.equal(['code', 'error']);
    expect(headers.get('set-cookie')).to.equal(null);
  };
  const usersOf = (email: string): Promise<unknown[]> =>
    rows('select 1 from users where lower(email) = lower($1)', email);

  it('opens the account with its balances and its owner at the first sign-in, and finds it again by the name', async () => {
    const email = address();
    const name = provider.know({ email, email_verified: true });
    const first = await signIn(name);
    expect(first.status, first.text).to.equal(200);
    expect(first.body.user.email).to.equal(email);
    expect(first.body.account).to.include({ plan: 'free', role: 'owner' });
    const cookie = cookieOf(first) ?? '';
    const sessions = await world.call('GET', '/auth/sessions', { cookie });
    expect(sessions.body.sessions).to.have.length(1);
    expect(
      await rows('select 1 from ledger_balances where account_id = $1', first.body.account.id),
    ).to.not.have.length(0);
    const actions = await rows<{ action: string }>(
      'select action from audit_log where user_id = $1 order by created_at, id',
      first.body.user.id,
    );
    expect(actions.map(({ action }) => action)).to.deep.equal([
      ...['user.verified', 'identity.joined', 'account.opened', 'session.started'],
    ]);

    // The name stands for the person, whatever becomes of the address at the provider.
    await rows('update users set email = $2 where id = $1', first.body.user.id, address());
    const again = await signIn(name);
    expect(again.body.user.id).to.equal(first.body.user.id);
    expect(again.body.account.id).to.equal(first.body.account.id);
  });

  describe('from a page', () => {
    const page = '/cli-login?challenge=x&state=y';
    const startAt = async (returnTo: string): Promise<Reply> =>
      world.call('GET', `/auth/oidc/start?${new URLSearchParams({ returnTo }).toString()}`);
    const bringTo = async (name: string, cookieToo = true): Promise<Reply> => {
      const begun = await startAt(page);
      const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
      const back = await provider.browse(begun.headers.get('location') ?? '', name);
      if (!cookieToo) back.searchParams.set('state', 'another');
      return bring(back, cookie);
    };

    it('goes on there with the session, and with the code of a refusal in the fragment', async () => {
      const name = provider.know({ email: address(), email_verified: true });
      const went = await bringTo(name);
      expect([went.status, went.headers.get('location'), went.text]).to.deep.equal([303, page, '']);
      const cookie = cookieOf(went) ?? '';
      expect((await world.call('GET', '/account', { cookie })).status).to.equal(200);

      const unproved = await bringTo(provider.know({ email: address(), email_verified: false }));
      expect(unproved.headers.get('location')).to.equal(`${page}#sign-in=OIDC_ADDRESS_UNVERIFIED`);
      expect(cookieOf(unproved)).to.equal(null);
      const another = await bringTo(name, false);
      expect(another.headers.get('location')).to.equal(`${page}#sign-in=OIDC_EXPIRED`);
    });

    it('goes nowhere else than to a path of this service', async () => {
      for (const returnTo of [
        ...['//evil.example', '/\\evil.example', 'https://evil.example', 'cli-login', '/a\r\nb', '/a#b', ''],
        `/${'x'.repeat(400)}`,
      ])
        refuses(await startAt(returnTo), 400, 'VALIDATION_ERROR');
    });
  });

  it('opens one account for ten first sign-ins at once', async () => {
    const email = address();
    const name = provider.know({ email, email_verified: true });
    const replies = await Promise.all(Array.from({ length: 10 }, () => signIn(name)));
    expect(replies.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    expect(new Set(replies.map(({ body }) => body.account.id)).size).to.equal(1);
    expect(await usersOf(email)).to.have.length(1);
  });

  it('joins a person who has confirmed the address here, and both ways of signing in are left', async () => {
    const { email, reply } = await world.person();
    const joined = await signIn(provider.know({ email: email.toUpperCase(), email_verified: true }));
    expect(joined.status, joined.text).to.equal(200);
    expect(joined.body.user).to.deep.equal(reply.body.user);
    expect(joined.body.account).to.deep.equal(reply.body.account);
    expect((await world.signIn(email)).status).to.equal(200);
  });

  it('joins nobody whose address is not proved at both, and makes nobody of it', async () => {
    const { email } = await world.person();
    refuses(
      await signIn(provider.know({ email, email_verified: false })),
      ...([403, 'OIDC_ADDRESS_UNVERIFIED'] as const),
    );
    const unknown = address();
    refuses(
      await signIn(provider.know({ email: unknown, email_verified: false })),
      ...([403, 'OIDC_ADDRESS_UNVERIFIED'] as const),
    );
    expect(await usersOf(unknown)).to.have.length(0);

    await rows('update users set email_verified_at = null where email = $1', email);
    refuses(
      await signIn(provider.know({ email, email_verified: true })),
      ...([403, 'OIDC_ADDRESS_UNVERIFIED'] as const),
    );
    expect(
      await rows('select 1 from identities i join users u on u.id = i.user_id where u.email = $1', email),
    ).to.have.length(0);
  });

  it('takes no address that this service would not take at a sign-up', async () => {
    const name = provider.know({ email: 'no address', email_verified: true });
    refuses(await signIn(name), 403, 'OIDC_ADDRESS_UNVERIFIED');
  });

  it('takes what is brought back once, and from the browser in which the sign-in began', async () => {
    const name = provider.know({ email: address(), email_verified: true });
    const [mine, other] = [await start(), await start()];
    const back = await provider.browse(mine.location, name);
    refuses(await bring(back, null), 410, 'OIDC_EXPIRED');
    refuses(await bring(back, `${mine.cookie}x`), 410, 'OIDC_EXPIRED');
    refuses(await bring(back, other.cookie), 410, 'OIDC_EXPIRED');
    expect((await bring(back, mine.cookie)).status, 'the others have used nothing up').to.equal(200);
    refuses(await bring(back, mine.cookie), 410, 'OIDC_EXPIRED');
  });

  it('takes one of ten that bring back the same', async () => {
    const { cookie, location } = await start();
    const name = provider.know({ email: address(), email_verified: true });
    const back = await provider.browse(location, name);
    const replies = await Promise.all(Array.from({ length: 10 }, () => bring(back, cookie)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(410)]);
  });

  it('refuses a code of another sign-in, another nonce, another issuer, and a refusal, without a word of the provider', async () => {
    const name = provider.know({ email: address(), email_verified: true });
    const changed = async (
      change: (back: URL, at: Begun) => void | Promise<void>,
      nonce?: string,
    ): Promise<Reply> => {
      const begun = await start();
      const location = new URL(begun.location);
      if (nonce !== undefined) location.searchParams.set('nonce', nonce);
      const back = await provider.browse(location.href, name);
      await change(back, begun);
      return bring(back, begun.cookie);
    };
    const stolen = await provider.browse((await start()).location, name);
    const replies = [
      await changed((back) => back.searchParams.set('code', stolen.searchParams.get('code') ?? '')),
      await changed(() => undefined, 'another'),
      await changed((back) => back.searchParams.set('iss', 'https://evil.example')),
      await changed((back) => back.searchParams.delete('iss')),
      await changed((back) => {
        back.searchParams.delete('code');
        back.searchParams.set('error', 'access_denied');
        back.searchParams.set('error_description', 'a word of the provider');
      }),
    ];
    for (const reply of replies) refuses(reply, 403, 'OIDC_REFUSED');
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    expect((await changed(() => undefined)).status, 'nothing changed').to.equal(200);
  });

  it('takes no sign-in that is older than its cookie', async () => {
    const { cookie, location } = await start();
    const name = provider.know({ email: address(), email_verified: true });
    const back = await provider.browse(location, name);
    const now = Date.now;
    Date.now = () => now() + 601_000;
    try {
      refuses(await bring(back, cookie), 410, 'OIDC_EXPIRED');
    } finally {
      Date.now = now;
    }
  });

  it('asks for the second factor, and waits for it in the same browser', async () => {
    const { email, cookie, reply } = await world.person();
    const begun = await world.call('POST', '/auth/totp', { cookie });
    const code = (steps: number): string =>
      new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate({
        timestamp: Date.now() + steps * STEP_MS,
      });
    await world.call('POST', '/auth/totp/confirm', { cookie, body: { code: code(0) } });
    await rows('update users set totp_last_step = totp_last_step - 3 where email = $1', email);

    const mine = await start();
    const back = await provider.browse(mine.location, provider.know({ email, email_verified: true }));
    const finish = (totp: string, from = mine): Promise<Reply> =>
      world.call('POST', '/auth/oidc/finish', { body: { totp }, headers: { cookie: from.cookie } });
    refuses(await finish(code(0)), 410, 'OIDC_EXPIRED');
    refuses(await bring(back, mine.cookie), 401, 'TOTP_REQUIRED');
    refuses(await finish(code(0), await start()), 410, 'OIDC_EXPIRED');
    refuses(await finish('000000'), 403, 'TOTP_REFUSED');
    const signedIn = await finish(code(0));
    expect(signedIn.status, signedIn.text).to.equal(200);
    expect(signedIn.body.account).to.deep.equal(reply.body.account);
    refuses(await finish(code(1)), 410, 'OIDC_EXPIRED');
  });

  it('counts the codes of the second factor, wherever they come from', async () => {
    const { email, cookie } = await world.person();
    const begun = await world.call('POST', '/auth/totp', { cookie });
    const code = new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate();
    await world.call('POST', '/auth/totp/confirm', { cookie, body: { code } });
    const mine = await start();
    const back = await provider.browse(mine.location, provider.know({ email, email_verified: true }));
    refuses(await bring(back, mine.cookie), 401, 'TOTP_REQUIRED');
    const codes: string[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      const call = { body: { totp: '000000' }, headers: { cookie: mine.cookie } };
      codes.push((await world.call('POST', '/auth/oidc/finish', call)).body.code);
    }
    expect(codes).to.deep.equal([...Array(10).fill('TOTP_REFUSED'), 'RATE_LIMITED']);
  });

  it('gives a new cookie and ends the session that the browser had', async () => {
    const former = await world.person();
    const { cookie, location } = await start();
    const name = provider.know({ email: address(), email_verified: true });
    const back = await provider.browse(location, name);
    const both = `${cookie}; __Host-dockyard-session=${former.cookie}`;
    const signedIn = await bring(back, both);
    expect(signedIn.status, signedIn.text).to.equal(200);
    expect(cookieOf(signedIn)).to.not.equal(former.cookie);
    expect((await world.call('GET', '/auth/sessions', { cookie: former.cookie })).status).to.equal(401);
  });

  it('refuses a person whose account is suspended', async () => {
    const { email, reply } = await world.person();
    await rows(`update accounts set state = 'SUSPENDED' where id = $1`, reply.body.account.id);
    refuses(await signIn(provider.know({ email, email_verified: true })), 403, 'ACCOUNT_SUSPENDED');
    expect((await world.signIn(email, PASSWORD)).status).to.equal(403);
  });

  it('answers 503 within seconds where the provider is silent, and goes on when it speaks again', async () => {
    const silent = http.createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const away = adapterOf(issuer, REDIRECT);
    const binding = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const begun = performance.now();
    const code = await away.startUrl(binding).then(() => 'answered', codeOf);
    expect(code).to.equal('SERVICE_UNAVAILABLE');
    expect(performance.now() - begun).to.be.within(4_000, 30_000);
    const failing = (_request: http.IncomingMessage, response: http.ServerResponse): void => {
      response.writeHead(502).end();
    };
    silent.removeAllListeners('request').on('request', failing);
    expect(await away.startUrl(binding).catch(codeOf)).to.equal('SERVICE_UNAVAILABLE');
    silent.removeListener('request', failing).on('request', (_request, response) => {
      const known = {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ response_types_supported: ['code'], jwks_uri: `${issuer}/jwks` },
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(known));
    });
    expect(await away.startUrl(binding)).to.contain(`${issuer}/auth?`);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('without a provider', () => {
  let world: PeopleWorld;
  before(async () => {
    world = await openPeople();
  });
  after(() => world.close());

  it('every step answers that there is none', async () => {
    for (const [method, path, body] of [
      ['GET', '/auth/oidc/start'],
      ['GET', `${CALLBACK}?state=s&code=c`],
      ['POST', '/auth/oidc/finish', { totp: '000000' }],
    ] as const) {
      const { status, body: told } = await world.call(method, path, body === undefined ? {} : { body });
      expect([status, told.code]).to.deep.equal([404, 'OIDC_NOT_CONFIGURED']);
    }
  });
});
