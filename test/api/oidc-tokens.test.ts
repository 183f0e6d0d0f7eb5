/**
 * Identity tokens that a provider, or somebody between, hands out wrongly: each is as the real provider has made it, but for what the
 * test changes, and is signed again with the provider's own key. So every check is shown apart from the signature, and the
 * signature apart from every check.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { openProvider } from '../support/identity-provider.ts';
import type { Forgery, ProviderWorld } from '../support/identity-provider.ts';
import { openPeople, PUBLIC_ORIGIN } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import type { Reply } from '../unit/api/test-app.ts';

const CALLBACK = '/auth/oidc/callback';
const claim =
  (changed: Readonly<Record<string, unknown>>): Forgery =>
  (parts) => ({ ...parts, claims: { ...parts.claims, ...changed } });
const without =
  (name: string): Forgery =>
  ({ claims, ...parts }) => ({
    ...parts,
    claims: Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name)),
  });
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'of another issuer': claim({ iss: 'https://evil.example' }),
  'of an issuer with another path': ({ claims, ...parts }) => ({
    ...{ ...parts, claims: { ...claims, iss: `${String(claims['iss'])}/other` } },
  }),
  'without an issuer': without('iss'),
  'for another audience': claim({ aud: 'another client' }),
  'for several audiences, made for another': claim({ aud: ['dockyard', 'other'], azp: 'other' }),
  'without an audience': without('aud'),
  'with another nonce': claim({ nonce: 'another' }),
  'without a nonce': without('nonce'),
  'of nobody': without('sub'),
  'that is over': claim({ exp: secondsFromNow(-3600), iat: secondsFromNow(-7200) }),
  'without an end': without('exp'),
  'that is not yet good': claim({ nbf: secondsFromNow(3600) }),
  'without a time': without('iat'),
  'with the signature of another key': (parts) => ({ ...parts, key: 'foreign' }),
  'without a signature': (parts) => ({ ...parts, key: 'none' }),
  'that says it needs no signature': ({ claims }) => ({ header: { alg: 'none' }, claims, key: 'none' }),
  'that says it is signed with the secret of the client': ({ claims }) => ({
    ...{ header: { alg: 'HS256' }, claims, key: 'own' },
  }),
};

describe('an identity token', function () {
  this.timeout(240_000);
  let provider: ProviderWorld;
  let world: PeopleWorld;
  before(async () => {
    provider = await openProvider(() => `${PUBLIC_ORIGIN}/api/v1${CALLBACK}`);
    world = await openPeople(provider.adapter());
  });
  after(async () => {
    await world.close();
    await provider.close();
  });
  afterEach(() => provider.forge(null));

  const start = async (): Promise<{ readonly cookie: string; readonly location: string }> => {
    const { headers } = await world.call('GET', '/auth/oidc/start');
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    return { cookie, location: headers.get('location') ?? '' };
  };
  const bring = (back: URL, cookie: string): Promise<Reply> =>
    world.call('GET', CALLBACK + back.search, { headers: { cookie } });
  const signIn = async (name: string): Promise<Reply> => {
    const { cookie, location } = await start();
    return bring(await provider.browse(location, name), cookie);
  };
  const usersOf = (email: string): Promise<unknown[]> =>
    world.test.db.query('select 1 from users where email = $1', [email]);
  const somebody = (): { readonly email: string; readonly name: string } => {
    const email = `${randomUUID()}@example.org`;
    return { email, name: provider.know({ email, email_verified: true }) };
  };
  const refuses = ({ status, body, headers }: Reply): void => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal([403, 'OIDC_REFUSED']);
    expect(headers.get('set-cookie')).to.equal(null);
  };

  it('is good as the provider has made it, also when the test has signed it again', async () => {
    provider.forge((parts) => parts);
    const { email, name } = somebody();
    expect((await signIn(name)).status).to.equal(200);
    expect(await usersOf(email)).to.have.length(1);
  });

  for (const [what, forgery] of Object.entries(FORGERIES))
    it(`signs nobody in: one ${what}`, async () => {
      const { email, name } = somebody();
      provider.forge(forgery);
      refuses(await signIn(name));
      expect(await usersOf(email)).to.have.length(0);
    });

  it('is not given for a code that was used, in the same browser or another one', async () => {
    const { name } = somebody();
    const [first, second] = [await start(), await start()];
    const back = await provider.browse(first.location, name);
    expect((await bring(back, first.cookie)).status).to.equal(200);
    const again = await provider.browse(second.location, name);
    again.searchParams.set('code', back.searchParams.get('code') ?? '');
    refuses(await bring(again, second.cookie));
  });

  it('of one person makes nobody of what another browser has begun', async () => {
    const { name } = somebody();
    const [mine, other] = [await start(), await start()];
    const back = await provider.browse(mine.location, name);
    const { status, body } = await bring(back, other.cookie);
    expect([status, body.code]).to.deep.equal([410, 'OIDC_EXPIRED']);
    // With the state of the other browser the code is that of another sign-in, whose proof key this browser does not have.
    const theirs = await provider.browse(other.location, name);
    theirs.searchParams.set('code', back.searchParams.get('code') ?? '');
    refuses(await bring(theirs, other.cookie));
  });
});
