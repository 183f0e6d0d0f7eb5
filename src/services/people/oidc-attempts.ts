/**
 * Sign-ins at a provider that are under way. The browser has a random secret with a MAC in a cookie, for ten minutes; state,
 * nonce and the secret of the code exchange are digests of the secret, so whoever sees one digest knows nothing of the others, and no
 * other browser can bring the sign-in back. A sign-in is brought back once, and the database remembers that the sign-in was.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';

import type { User } from '../../../entities/accounts.ts';
import { OidcAttemptEntity } from '../../../entities/people.ts';
import type { OidcAttempt } from '../../../entities/people.ts';
import type { Binding } from '../../adapters/identity/identity-provider.ts';
import { AppError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import { LONGEST_ATTEMPT_COOKIE, OIDC_ATTEMPT_SECONDS } from '../../domain/people.ts';
import type { Row } from '../row.ts';
import { createSigner } from '../signed-claims.ts';
import type { Queryable, Tx } from '../transaction.ts';
import type { FoundUser } from './users.ts';

/** A sign-in that a browser has begun. */
export interface Attempt extends Binding {
  readonly sha256: string;
  /** Path of the page of this service that the browser is sent on to in the end; null for a program, which reads the answer. */
  readonly returnTo: string | null;
}

/** Makes and reads the cookies of sign-ins that are under way. */
export interface AttemptCookies {
  draw(returnTo: string | null): { readonly value: string; readonly attempt: Attempt };
  /** @throws OIDC_EXPIRED without a cookie, and for a cookie that this service has not made or that is too old. */
  read(value: string | null): Attempt;
}

const SECRET_BYTES = 32;
const KIND = { prefix: 'oidc1', purpose: 'dockyard sign-ins at a provider', longest: LONGEST_ATTEMPT_COOKIE };

/** Makes the reader of one installation. */
export function createAttemptCookies(secretHex: string): AttemptCookies {
  const signer = createSigner(secretHex, KIND);
  return {
    draw(returnTo) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const until = Date.now() + OIDC_ATTEMPT_SECONDS * 1000;
      const value = signer.sign({ secret, until, ...(returnTo === null ? {} : { returnTo }) });
      return { value, attempt: attemptOf(secret, returnTo) };
    },
    read(value) {
      const claims = value === null ? null : signer.read(value);
      if (!isRecord(claims)) throw attemptExpired();
      const { secret, until, returnTo } = claims;
      if (typeof secret !== 'string' || typeof until !== 'number' || until < Date.now())
        throw attemptExpired();
      return attemptOf(secret, typeof returnTo === 'string' ? returnTo : null);
    },
  };
}

function attemptOf(secret: string, returnTo: string | null): Attempt {
  const part = (name: string): string =>
    createHash('sha256').update(`${name}\n${secret}`).digest('base64url');
  return {
    state: part('state'),
    nonce: part('nonce'),
    verifier: part('verifier'),
    sha256: createHash('sha256').update(secret).digest('hex'),
    returnTo,
  };
}

/** Notes that a sign-in was brought back. @throws OIDC_EXPIRED when the sign-in was brought back before. */
export async function useAttempt(db: DataSource, { sha256 }: Attempt): Promise<void> {
  const [used] = await db.query<unknown[]>(
    `with used as (insert into oidc_attempts (secret_sha256) values ($1) on conflict do nothing returning secret_sha256)
     select secret_sha256 from used`,
    [sha256],
  );
  if (used === undefined) throw attemptExpired();
}

/** Notes whom the provider has proved. */
export async function provePerson(tx: Tx, { sha256 }: Attempt, userId: string): Promise<void> {
  await tx.getRepository(OidcAttemptEntity).update({ secretSha256: sha256 }, { userId });
}

/** The address of the person whom the provider has proved, while the session has not begun. @throws OIDC_EXPIRED. */
export async function emailOfAttempt(db: Queryable, { sha256 }: Attempt): Promise<string> {
  const [found] = await db.query<Row<User, 'email'>[]>(
    `select u.email from oidc_attempts a join users u on u.id = a.user_id
     where a.secret_sha256 = $1 and a.ended_at is null`,
    [sha256],
  );
  if (found === undefined) throw attemptExpired();
  return found.email;
}

/** Ends a sign-in in the transaction of its session, and answers whose sign-in it is. @throws OIDC_EXPIRED. */
export async function endAttempt(tx: Tx, { sha256 }: Attempt): Promise<FoundUser> {
  const [ended] = await tx.query<Row<OidcAttempt, 'userId'>[]>(
    `with ended as (update oidc_attempts set ended_at = now()
       where secret_sha256 = $1 and user_id is not null and ended_at is null returning user_id)
     select user_id from ended`,
    [sha256],
  );
  const [user] =
    ended === undefined
      ? []
      : await tx.query<FoundUser[]>(
          'select id, email, account_id, role, password_hash from users where id = $1 for no key update',
          [ended.user_id],
        );
  if (user === undefined) throw attemptExpired();
  return user;
}

/** The refusal of a sign-in that this browser has not begun, or not in time, or has brought back before. */
export function attemptExpired(): AppError {
  return new AppError(
    'OIDC_EXPIRED',
    'This browser has begun no such sign-in, or it was used, or is too old. Begin again with GET /auth/oidc/start.',
  );
}
