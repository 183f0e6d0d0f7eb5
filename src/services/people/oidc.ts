/**
 * Signing in by a provider of identities. A name at the provider stands for one person for ever. A name that is new joins the
 * person of its address only if both the provider and this service have proved the address: otherwise whoever gets an account
 * at the provider with the address of another, or has signed up here with that address first, would have what belongs to the other.
 * Without such a person a person is made, and the account is opened at the first sign-in, as for a sign-in with a password. The second
 * factor is asked for as well: the sign-in then waits, bound to the browser, for a code.
 */
import { v7 as uuidv7 } from 'uuid';

import { UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import { IdentityEntity } from '../../../entities/people.ts';
import type { IdentityProvider, ProvedPerson } from '../../adapters/identity/identity-provider.ts';
import { AppError } from '../../domain/errors.ts';
import { EMAIL, LONGEST_EMAIL } from '../../domain/people.ts';
import type { OidcCallbackQuery, OidcFinishRequest, Visit } from '../../domain/people.ts';
import { recordChange, visitor } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { inTransaction, isUniqueViolation } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { attemptExpired, emailOfAttempt, endAttempt, provePerson, useAttempt } from './oidc-attempts.ts';
import type { Attempt, AttemptCookies } from './oidc-attempts.ts';
import { tellRefusals } from './refused-sign-ins.ts';
import { enter } from './sign-in.ts';
import type { Entrance, SignedIn, SignInDependencies } from './sign-in.ts';
import { countFactorTry, forgetFactorTries } from './totp.ts';

/** The cookies that a browser sends with a step of a sign-in. */
export interface OidcCookies {
  /** The cookie of the sign-in that is under way. */
  readonly attempt: string | null;
  /** The cookie of the session that the browser had. */
  readonly session: string | null;
}

/** Sign-ins by a provider. */
export interface Oidc {
  /** @throws OIDC_NOT_CONFIGURED, OIDC_REFUSED, SERVICE_UNAVAILABLE. */
  start(returnTo: string | null): Promise<{ readonly location: string; readonly cookie: string }>;
  /** Path of the page that a sign-in goes on to; null for a program, and for a cookie that is none. */
  returnTo(cookies: Pick<OidcCookies, 'attempt'>): string | null;
  /**
   * Begins the session, or keeps the sign-in waiting for a code of the second factor.
   * @throws OIDC_NOT_CONFIGURED, OIDC_EXPIRED, OIDC_REFUSED, OIDC_ADDRESS_UNVERIFIED, TOTP_REQUIRED, SERVICE_UNAVAILABLE,
   * ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
   */
  callback(visit: Visit, query: OidcCallbackQuery, cookies: OidcCookies): Promise<SignedIn>;
  /** @throws OIDC_EXPIRED, TOTP_REFUSED, RATE_LIMITED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED. */
  finish(visit: Visit, body: OidcFinishRequest, cookies: OidcCookies): Promise<SignedIn>;
}

export interface OidcDependencies extends Omit<SignInDependencies, 'passwords'> {
  /** Null where the operator has named no provider. */
  readonly provider: IdentityProvider | null;
  readonly attempts: AttemptCookies;
}

/** Makes the service. */
export function createOidc(deps: OidcDependencies): Oidc {
  const { db, attempts } = deps;
  const asked = (): IdentityProvider => {
    if (deps.provider === null) throw notConfigured();
    return deps.provider;
  };
  return {
    async start(returnTo) {
      const provider = asked();
      const { value, attempt } = attempts.draw(returnTo);
      return { location: await provider.startUrl(attempt), cookie: value };
    },
    returnTo({ attempt }) {
      try {
        return attempts.read(attempt).returnTo;
      } catch {
        return null;
      }
    },
    async callback(visit, query, cookies) {
      const provider = asked();
      const attempt = attempts.read(cookies.attempt);
      // A page of somebody else can send the browser here with another state, and such a visit must not use up the sign-in.
      if (query.state !== attempt.state) throw attemptExpired();
      await useAttempt(db, attempt);
      const person = await provider.prove(readOf(query), attempt);
      await joinOnce(deps, attempt, person, visit);
      return begin(deps, attempt, { visit, code: null, formerCookie: cookies.session });
    },
    async finish(visit, { totp }, cookies) {
      asked();
      const attempt = attempts.read(cookies.attempt);
      const email = await emailOfAttempt(db, attempt);
      await countFactorTry(db, email);
      return tellRefusals(db, { email, visit }, () =>
        begin(deps, attempt, { visit, code: totp, formerCookie: cookies.session }),
      );
    },
  };
}

/** The part of a provider's answer that is read. */
function readOf({ state, code, iss, error }: OidcCallbackQuery): Readonly<Record<string, string>> {
  return {
    state,
    ...(code === undefined ? {} : { code }),
    ...(iss === undefined ? {} : { iss }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Begins the session; a refusal leaves the sign-in as it was. */
function begin(
  deps: OidcDependencies,
  attempt: Attempt,
  entrance: Omit<Entrance, 'user'>,
): Promise<SignedIn> {
  return inTransaction(deps.db, async (tx) => {
    const user = await endAttempt(tx, attempt);
    const signedIn = await enter(tx, deps, { ...entrance, user });
    if (entrance.code !== null) await forgetFactorTries(tx, user.email);
    return signedIn;
  });
}

/** Finds or makes the person; where another call has made the same person meanwhile, the second look finds that person. */
async function joinOnce(
  { db }: OidcDependencies,
  attempt: Attempt,
  person: ProvedPerson,
  visit: Visit,
): Promise<void> {
  const joining = (): Promise<void> =>
    inTransaction(db, async (tx) => provePerson(tx, attempt, await userOf(tx, person, visit)));
  try {
    await joining();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await joining();
  }
}

async function userOf(tx: Tx, person: ProvedPerson, { address }: Visit): Promise<string> {
  const { issuer, subject, email } = person;
  const known = await tx.getRepository(IdentityEntity).findOneBy({ issuer, subject });
  if (known !== null) return known.userId;
  if (email === null || !person.isEmailVerified || !isAddress(email)) throw unverified();
  const { id, accountId } = await userOfAddress(tx, email, address);
  await tx.getRepository(IdentityEntity).insert({ issuer, subject, userId: id });
  const joined = { accountId, action: 'identity.joined', subject: id, after: { issuer } } as const;
  await recordChange(tx, visitor(address, id), joined);
  return id;
}

interface AddressRow extends Row<User, 'id' | 'accountId'> {
  readonly is_verified: boolean;
}

/** The person of an address that the provider has proved, who is made where there is none. */
async function userOfAddress(
  tx: Tx,
  email: string,
  address: string,
): Promise<Pick<User, 'id' | 'accountId'>> {
  const [user] = await tx.query<AddressRow[]>(
    `select id, account_id, email_verified_at is not null as is_verified from users
     where lower(email) = lower($1) for no key update`,
    [email],
  );
  if (user !== undefined) {
    if (!user.is_verified) throw unverified();
    return { id: user.id, accountId: user.account_id };
  }
  const id = uuidv7();
  await tx.getRepository(UserEntity).insert({ id, email, emailVerifiedAt: () => 'now()' });
  await recordChange(tx, visitor(address, id), { accountId: null, action: 'user.verified', subject: id });
  return { id, accountId: null };
}

function isAddress(email: string): boolean {
  return email.length <= LONGEST_EMAIL && EMAIL.test(email);
}

function unverified(): AppError {
  return new AppError(
    'OIDC_ADDRESS_UNVERIFIED',
    'Your e-mail address is proved at the provider or here, but not at both. Confirm it there, or set a password here with the code of a mail, and begin again.',
  );
}

function notConfigured(): AppError {
  return new AppError(
    'OIDC_NOT_CONFIGURED',
    'This service has no provider of sign-ins. Sign in with address and password.',
  );
}
