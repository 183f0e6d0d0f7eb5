/**
 * Letting a command line in. The command line draws a secret and sends the browser to a page of the service with the digest of
 * it. There the person, who has signed in lately, says yes, and gets a code that the browser hands to the command line on the
 * same machine. The code and the secret together, once and within two minutes, begin a session. An onlooker who sees the code
 * lacks the secret. A stranger who has sent a person to the page gets no code, because the browser hands the code to the person's
 * own machine.
 *
 * The session ends twelve hours after the sign-in of the person at the latest, and so does the session of a further command line
 * that is let in from the session.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { CliCodeEntity } from '../../../entities/people.ts';
import type { CliCode, Session } from '../../../entities/people.ts';
import type { Account, User } from '../../../entities/accounts.ts';
import type { SessionActor } from '../../domain/access.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { CLI_CODE_SECONDS } from '../../domain/people.ts';
import type { CliSessionRequest, Visit } from '../../domain/people.ts';
import { exactTime } from '../exact-time.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { codeExpired } from './codes.ts';
import type { SessionCookies } from './cookies.ts';
import { startSession } from './sessions.ts';
import type { SignedIn } from './sign-in.ts';
import type { CliApproval } from '../../domain/answers.ts';

const SECRET_BYTES = 32;

/** Draws a code with which the command line that knows the secret of the challenge becomes the person. */
export async function approveCli(
  db: DataSource,
  { sessionId }: SessionActor,
  challenge: string,
): Promise<CliApproval> {
  const code = randomBytes(SECRET_BYTES).toString('base64url');
  await db.getRepository(CliCodeEntity).insert({ secretSha256: hex(code), sessionId, challenge });
  return { code, expiresInSeconds: CLI_CODE_SECONDS };
}

/**
 * Begins the session of a command line. A code that comes with another secret is used up, too.
 * @throws CODE_EXPIRED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function beginCliSession(
  { db, cookies }: { readonly db: DataSource; readonly cookies: SessionCookies },
  visit: Visit,
  { code, verifier }: CliSessionRequest,
): Promise<SignedIn> {
  // The code is used up in a transaction of its own, so that a refusal does not give it back.
  const [used] = await db.query<Row<CliCode, 'sessionId' | 'challenge'>[]>(
    `with used as (update cli_codes set used_at = now()
       where secret_sha256 = $1 and used_at is null and created_at > now() - $2 * interval '1 second' returning session_id, challenge)
     select session_id, challenge from used`,
    [hex(code), CLI_CODE_SECONDS],
  );
  if (used === undefined || !proves(verifier, used.challenge)) throw codeExpired();
  return inTransaction(db, async (tx) => {
    const person = await personOf(tx, used.session_id);
    const cookie = cookies.draw();
    const { user_id: userId, account_id: accountId, plan, role, email, ends_at: endsAt } = person;
    const session = await startSession(tx, { userId, accountId, sha256: cookie.sha256, visit, endsAt });
    const { id: sessionId, expiresAt } = session;
    const response = { user: { id: userId, email }, account: { id: accountId, plan, role } };
    return { cookie: cookie.value, response: { sessionId, expiresAt, ...response } };
  });
}

interface PersonRow
  extends Row<Session, 'userId'>, Row<User, 'email' | 'role'>, Row<Account, 'plan' | 'state'> {
  readonly account_id: Account['id'];
  readonly ends_at: string;
}

/** The person of the session in which the code was drawn, while the session is open. @throws CODE_EXPIRED, ACCOUNT_SUSPENDED. */
async function personOf(tx: Tx, sessionId: string): Promise<PersonRow> {
  // The next statement begins after the wait for the lock, so it sees what has ended meanwhile, as with a new password.
  await tx.query(
    'select 1 from users where id = (select user_id from sessions where id = $1) for no key update',
    [sessionId],
  );
  const [person] = await tx.query<PersonRow[]>(
    `select s.user_id, u.email, u.role, u.account_id, a.plan, a.state,
       ${exactTime(`coalesce(s.ends_at, s.created_at + interval '12 hours')`)} as ends_at
     from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
     where s.id = $1 and s.ended_at is null and s.expires_at > now()
       and coalesce(s.ends_at, s.created_at + interval '12 hours') > now()`,
    [sessionId],
  );
  if (person === undefined) throw codeExpired();
  if (person.state !== 'ACTIVE') throw inactiveAccount(person.state);
  return person;
}

function hex(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

function proves(verifier: string, challenge: string): boolean {
  const [shown, asked] = [
    createHash('sha256').update(verifier).digest(),
    Buffer.from(challenge, 'base64url'),
  ];
  return shown.length === asked.length && timingSafeEqual(shown, asked);
}
