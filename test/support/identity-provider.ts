/** A real provider of identities on a port of its own, and a browser that signs in there as somebody whom the test describes. */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import Provider from 'oidc-provider';

import { isRecord } from '../../src/domain/is-record.ts';
import { openIdentityProvider } from '../../src/adapters/identity/open.ts';
import type { IdentityProvider } from '../../src/adapters/identity/identity-provider.ts';

/** Somebody as the provider knows the person. */
export interface Known {
  readonly email: string;
  readonly email_verified: boolean;
}

/** Content of an identity token, and its signature. */
export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Signing key: the provider's own, one that it does not have, or none at all. */
  readonly key: 'own' | 'foreign' | 'none';
}

/** Changes the identity tokens that a provider hands out. */
export type Forgery = (parts: TokenParts) => TokenParts;

/** The provider, and what can be done there. */
export interface ProviderWorld {
  readonly issuer: string;
  /** The provider as the service uses it. */
  adapter(): IdentityProvider;
  /** Names somebody at the provider; answers the name. */
  know(person: Known): string;
  /** Changes every identity token from now on; null changes none. */
  forge(forgery: Forgery | null): void;
  /** Signs in as somebody, from where the service has sent the browser; answers where the browser is sent back to. */
  browse(location: string, name: string): Promise<URL>;
  close(): Promise<void>;
}

export const CLIENT = { id: 'dockyard', secret: 'a secret of the test' };

/** Opens a provider that sends browsers back to the address, which need not be known before it is asked for the first time. */
export async function openProvider(redirectUrl: () => string): Promise<ProviderWorld> {
  const people = new Map<string, Known>();
  let forgery: Forgery | null = null;
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let made: Provider | null = null;
  server.on('request', (request, response) => {
    const provider = (made ??= providerOf(issuer, redirectUrl(), people, () => forgery));
    const [, name] = /^\/interaction\/.*[?&]as=([^&]*)/.exec(request.url ?? '') ?? [];
    if (name === undefined) return void provider.callback()(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: name } });
  });
  return {
    issuer,
    adapter: () => adapterOf(issuer, redirectUrl()),
    know(person) {
      const name = randomUUID();
      people.set(name, person);
      return name;
    },
    forge: (next) => (forgery = next),
    browse: (location, name) => browse(location, name, new URL(redirectUrl()).origin),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The adapter of an issuer. */
export function adapterOf(oidcIssuer: string, redirectUrl: string): IdentityProvider {
  const adapter = openIdentityProvider({
    ...{ oidcIssuer, redirectUrl, oidcClientId: CLIENT.id, oidcClientSecret: CLIENT.secret },
  });
  if (adapter === null) throw new Error('no provider');
  return adapter;
}

function providerOf(
  issuer: string,
  redirectUrl: string,
  people: ReadonlyMap<string, Known>,
  forgery: () => Forgery | null,
): Provider {
  const [{ privateKey }, { privateKey: foreign }] = [keyPair(), keyPair()];
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUrl] },
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    // Nobody is asked for consent.
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        ...{ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' },
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const forge = forgery();
    const { body } = context;
    if (forge === null || context.path !== '/token' || !isRecord(body)) return;
    const token = body['id_token'];
    if (typeof token !== 'string') return;
    context.body = { ...body, id_token: signed(forge(partsOf(token)), { own: privateKey, foreign }) };
  });
  return provider;
}

function keyPair(): { readonly privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function partsOf(token: string): TokenParts {
  const [header, claims] = token
    .split('.', 2)
    .map((part): TokenParts['claims'] => JSON.parse(Buffer.from(part, 'base64url').toString()));
  return { header: header ?? {}, claims: claims ?? {}, key: 'own' };
}

function signed(
  { header, claims, key }: TokenParts,
  keys: Readonly<Record<'own' | 'foreign', KeyObject>>,
): string {
  const body = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = key === 'none' ? '' : createSign('RSA-SHA256').update(body).sign(keys[key], 'base64url');
  return `${body}.${signature}`;
}

/** Follows the provider's answers with its cookies until the provider sends the browser back. */
async function browse(location: string, name: string, home: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(location);
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(key, value);
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(next, url);
    if (url.origin === home) return url;
    if (url.pathname.startsWith('/interaction/')) url.searchParams.set('as', name);
  }
  throw new Error('The provider sends the browser round and round.');
}
