/**
 * A person at the API: with the session that a browser has let this program have, instead of a key. Operations for people alone,
 * such as making keys, are here.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';

import { programCaller } from './caller.ts';
import { createTransport, parse } from './transport.ts';
import type { Answer, Transport, TransportOptions } from './transport.ts';
import type { components } from './api-types.ts';

type Schemas = components['schemas'];

type Reach = Omit<TransportOptions, 'credentials' | 'keyMark' | 'wayWords'>;

const SECRET_BYTES = 32;
const COOKIE = '__Host-dockyard-session';

/** Session and address with which a person calls the API. */
export interface PersonOptions extends Reach {
  /** The value of the session's cookie. */
  readonly session: string;
}

/** A session: its person, and the value of its cookie. */
export interface BegunSession {
  readonly session: string;
  readonly person: Schemas['SignInResponse'];
}

/** Makes the credentials of a session's calls. */
export function sessionCaller(session: string): ReturnType<typeof programCaller> {
  // A write of a session must come from a page of the service. A program that has the cookie says so for itself.
  return programCaller({ cookie: `${COOKIE}=${session}`, 'sec-fetch-site': 'same-origin' }, session);
}

/** Asks for an account; a mail brings a code to the address. */
export async function signUp(
  options: Reach,
  credentials: Schemas['SignUpRequest'],
): Promise<Schemas['MailSentResponse']> {
  return parse(await anonymous(options, '/auth/sign-up', credentials));
}

/** Confirms the address of a sign-up with the code of the mail and the password of the sign-up. */
export async function confirmAddress(
  options: Reach,
  proof: { readonly code: string; readonly password: string },
): Promise<void> {
  await anonymous(options, '/auth/verify', proof);
}

/**
 * Signs in with a password, and begins the session of a program, which ends within hours as one that a browser has allowed; the
 * session of the sign-in, which could be used for weeks, is ended.
 */
export async function signIn(options: Reach, credentials: Schemas['SignInRequest']): Promise<BegunSession> {
  const { session } = begunOf(await anonymous(options, '/auth/sign-in', credentials));
  const person = new Person({ ...options, session });
  const verifier = randomBytes(SECRET_BYTES).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const { code } = await person.approve(challenge);
  const begun = await beginSession(options, { code, verifier });
  await person.signOut();
  return begun;
}

/** Begins the session that a person has allowed in a browser. @throws ClientError when the code or its secret is none. */
export async function beginSession(
  options: Reach,
  proof: Schemas['CliSessionRequest'],
): Promise<BegunSession> {
  return begunOf(await anonymous(options, '/auth/cli/session', proof));
}

function anonymous(options: Reach, path: string, body: object): Promise<Answer> {
  const transport = createTransport({ ...programCaller({}, ''), ...options });
  return transport.send({ method: 'POST', path, body, repeatable: false });
}

function begunOf(answer: Answer): BegunSession {
  const [, session] = new RegExp(`^${COOKIE}=([^;]+)`).exec(answer.headers.get('set-cookie') ?? '') ?? [];
  if (session === undefined) throw new Error('The service has begun a session without a cookie.');
  return { session, person: parse(answer) };
}

/** Operations that people may do and keys may not. */
export class Person {
  readonly #transport: Transport;

  constructor({ session, ...options }: PersonOptions) {
    this.#transport = createTransport({ ...sessionCaller(session), ...options });
  }

  /** The person, the account and the session, and what the installation has. */
  account(): Promise<Schemas['AccountResponse']> {
    return this.#transport.json({ method: 'GET', path: '/account', repeatable: true });
  }

  /** The keys of the account for an owner, the person's own for a member; newest first. */
  async *keys(): AsyncGenerator<Schemas['ApiKey']> {
    let cursor: string | null = null;
    do {
      const query: Readonly<Record<string, string | number>> =
        cursor === null ? { limit: 100 } : { limit: 100, cursor };
      const page: Schemas['ApiKeyListResponse'] = await this.#transport.json({
        method: 'GET',
        path: '/keys',
        query,
        repeatable: true,
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

  /** The plan, the cost limits and what was spent of them; for owners. */
  billing(): Promise<Schemas['BillingSettings']> {
    return this.#transport.json({ method: 'GET', path: '/settings/billing', repeatable: true });
  }

  /** Changes the cost limits: what is left out stays, null takes a limit away, a list of keys is the whole list. */
  changeBilling(body: Schemas['BillingSettingsRequest']): Promise<Schemas['BillingSettings']> {
    return this.#transport.json({ method: 'PUT', path: '/settings/billing', body, repeatable: true });
  }

  /** Draws the code with which the program that knows the secret of the challenge begins a session. */
  approve(challenge: string): Promise<Schemas['CliApproval']> {
    return this.#make('/auth/cli/approve', { challenge });
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
