/**
 * A person at the API: with the session that a browser has let this program have, instead of a key. What only people may do,
 * such as making keys, is done here.
 */
import { randomUUID } from 'node:crypto';

import { createTransport, parse } from './transport.ts';
import type { Transport, TransportOptions } from './transport.ts';
import type { components } from './api-types.ts';

type Schemas = components['schemas'];

type Reach = Omit<TransportOptions, 'credentials' | 'secret'>;

const COOKIE = '__Host-dockyard-session';

/** How a person reaches the API. */
export interface PersonOptions extends Reach {
  /** The value of the session's cookie. */
  readonly session: string;
}

/** Whom a session stands for, and the value of its cookie. */
export interface BegunSession {
  readonly session: string;
  readonly person: Schemas['SignInResponse'];
}

/** Begins the session that a person has allowed in a browser. @throws ClientError when the code or its secret is none. */
export async function beginSession(
  options: Reach,
  proof: Schemas['CliSessionRequest'],
): Promise<BegunSession> {
  const transport = createTransport({ ...options, credentials: {}, secret: '' });
  const answer = await transport.send({
    ...{ method: 'POST', path: '/auth/cli/session', body: proof, repeatable: false },
  });
  const [, session] = new RegExp(`^${COOKIE}=([^;]+)`).exec(answer.headers.get('set-cookie') ?? '') ?? [];
  if (session === undefined) throw new Error('The service has begun a session without a cookie.');
  return { session, person: parse(answer) };
}

/** What people may do and keys may not. */
export class Person {
  readonly #transport: Transport;

  constructor({ session, ...options }: PersonOptions) {
    // A write of a session must come from a page of the service. A program that has the cookie says so for itself.
    const credentials = { cookie: `${COOKIE}=${session}`, 'sec-fetch-site': 'same-origin' };
    this.#transport = createTransport({ ...options, credentials, secret: session });
  }

  /** The keys of the account for an owner, the person's own for a member; newest first. */
  async *keys(): AsyncGenerator<Schemas['ApiKey']> {
    let cursor: string | null = null;
    do {
      const query: Readonly<Record<string, string | number>> =
        cursor === null ? { limit: 100 } : { limit: 100, cursor };
      const page: Schemas['ApiKeyListResponse'] = await this.#transport.json({
        ...{ method: 'GET', path: '/keys', query, repeatable: true },
      });
      yield* page.keys;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** Makes a key; the answer alone has the key itself. */
  createKey(body: Schemas['CreateApiKeyRequest']): Promise<Schemas['IssuedApiKey']> {
    return this.#make('/keys', body);
  }

  /** Makes a key in the place of another one, which goes on for a while. */
  rotateKey(keyId: string, body: { readonly overlapSeconds: number }): Promise<Schemas['RotatedApiKey']> {
    return this.#make(`/keys/${encodeURIComponent(keyId)}/rotate`, body);
  }

  /** Ends a key for ever. */
  revokeKey(keyId: string): Promise<Schemas['RevokedApiKey']> {
    const path = `/keys/${encodeURIComponent(keyId)}`;
    return this.#transport.json({ method: 'DELETE', path, repeatable: true });
  }

  /** Ends the session of this program. */
  async signOut(): Promise<void> {
    await this.#transport.send({ method: 'POST', path: '/auth/sign-out', repeatable: false });
  }

  #make<T extends object>(path: string, body: object): Promise<T> {
    const headers = { 'idempotency-key': randomUUID() };
    return this.#transport.json({ method: 'POST', path, body, headers, repeatable: false });
  }
}
