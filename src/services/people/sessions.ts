/**
 * Sessions: server-side rows behind signed cookies. A session lives for seven days after its last use and for thirty in all.
 * A session is looked up with every request and cached nowhere, so a session that has ended is refused everywhere at once, and so is
 * a stolen copy of its cookie. Each sign-in makes a session with a secret of its own and ends the session that the browser had.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import type { Account, User } from '../../../entities/accounts.ts';
import type { Session } from '../../../entities/people.ts';
import type { SessionActor } from '../../domain/access.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { AppError } from '../../domain/errors.ts';
import { MOST_SESSIONS } from '../../domain/people.ts';
import type { Visit } from '../../domain/people.ts';
import { authorOf, recordChange, visitor } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import type { Answers, EndedSession } from '../../domain/answers.ts';

type EndedSessions = Answers['endSessions'];
type SessionListResponse = Pick<Answers['listSessions'], 'sessions'>;

/** A session that has just begun. */
export interface StartedSession {
  readonly id: string;
  readonly expiresAt: string;
}

interface FoundRow extends Row<Session, 'id' | 'userId'>, Row<User, 'role'>, Row<Account, 'plan' | 'state'> {
  readonly account_id: string;
  readonly is_recent: boolean;
}

interface ListedRow
  extends
    Row<Session, 'id' | 'address' | 'userAgent'>,
    ExactTimes<Session, 'createdAt' | 'lastSeenAt' | 'expiresAt'> {}

interface EndedRow extends Row<Session, 'id'> {
  readonly is_new: boolean;
  readonly ended_at: NonNullable<ExactTimes<Session, 'endedAt'>['ended_at']>;
}

const LONGEST_AGENT = 300;

/** SQL of the time for which a sign-in counts as recent. */
export const RECENT = `interval '12 hours'`;

/** A session that begins. */
export interface SessionDraft {
  readonly userId: string;
  readonly accountId: string;
  readonly sha256: string;
  readonly visit: Visit;
  /** When the session ends whatever its use; left out, thirty days after it has begun. */
  readonly endsAt?: string;
}

/** Begins a session in the transaction of a sign-in, which holds the lock on the user; the oldest sessions make room. */
export async function startSession(
  tx: Tx,
  { userId, accountId, sha256, visit, endsAt }: SessionDraft,
): Promise<StartedSession> {
  const by = visitor(visit.address, userId);
  const crowded = await tx.query<Row<Session, 'id'>[]>(
    `with ended as (update sessions set ended_at = now() where id in (
         select id from sessions where user_id = $1 and ended_at is null and expires_at > now()
         order by created_at desc, id desc offset $2)
       returning id)
     select id from ended`,
    [userId, MOST_SESSIONS - 1],
  );
  const former = crowded.map(({ id }) => id);
  await recordEnds(tx, by, accountId, former);
  const id = uuidv7();
  await tx.query(
    `insert into sessions (id, user_id, secret_sha256, address, user_agent, expires_at, ends_at)
     values ($1, $2, $3, $4, $5, least(now() + interval '7 days', $6::timestamptz), $6)`,
    [id, userId, sha256, visit.address, visit.userAgent?.slice(0, LONGEST_AGENT) ?? null, endsAt ?? null],
  );
  await recordChange(tx, by, { accountId, action: 'session.started', subject: id });
  const [row] = await tx.query<ExactTimes<Session, 'expiresAt'>[]>(
    `select ${exactTime('expires_at')} as expires_at from sessions where id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('A session that has just begun is not there');
  return { id, expiresAt: row.expires_at };
}

/**
 * The person of a session. A use moves the end of the session, at most once a minute.
 * @throws UNAUTHORIZED when there is no such session or it has ended; ACCOUNT_SUSPENDED.
 */
export async function findSession(db: DataSource, sha256: string): Promise<SessionActor> {
  const [row] = await db.query<FoundRow[]>(
    `with used as (update sessions set last_seen_at = now(), expires_at = least(now() + interval '7 days', coalesce(ends_at, created_at + interval '30 days'))
       where secret_sha256 = $1 and ended_at is null and expires_at > now() and last_seen_at < now() - interval '1 minute')
     select s.id, s.user_id, u.account_id, u.role, a.plan, a.state, s.created_at > now() - ${RECENT} as is_recent
     from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
     where s.secret_sha256 = $1 and s.ended_at is null and s.expires_at > now()`,
    [sha256],
  );
  if (row === undefined || row.state === 'CLOSED') throw noSession();
  if (row.state === 'SUSPENDED') throw inactiveAccount(row.state);
  return {
    kind: 'session',
    sessionId: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    plan: row.plan,
    role: row.role,
    isRecent: row.is_recent,
  };
}

/** The refusal of a cookie whose session does not exist or has ended. */
export function noSession(): AppError {
  return new AppError('UNAUTHORIZED', 'You are not signed in, or not any more. Sign in again.');
}

/** The open sessions of the person, newest first. */
export async function listSessions(db: DataSource, actor: SessionActor): Promise<SessionListResponse> {
  const rows = await db.query<ListedRow[]>(
    `select id, address, user_agent, ${exactTime('created_at')} as created_at, ${exactTime('last_seen_at')} as last_seen_at,
       ${exactTime('expires_at')} as expires_at
     from sessions where user_id = $1 and ended_at is null and expires_at > now() order by sessions.created_at desc, id desc`,
    [actor.userId],
  );
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === actor.sessionId,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
    })),
  };
}

/** Ends a session of the person; a repeat answers the first end. @throws NOT_FOUND. */
export function endSession(
  db: DataSource,
  actor: SessionActor,
  sessionId: string,
  address: string,
): Promise<EndedSession> {
  return inTransaction(db, async (tx) => {
    // The next statement begins after the wait for the lock, so it sees the end that another call has made meanwhile.
    await tx.query('select 1 from sessions where id = $1 and user_id = $2 for no key update', [
      sessionId,
      actor.userId,
    ]);
    const [row] = await tx.query<EndedRow[]>(
      `with ended as (update sessions set ended_at = now() where id = $1 and user_id = $2 and ended_at is null returning id, ended_at)
       select s.id, e.id is not null as is_new, ${exactTime('coalesce(e.ended_at, s.ended_at)')} as ended_at
       from sessions s left join ended e on e.id = s.id where s.id = $1 and s.user_id = $2`,
      [sessionId, actor.userId],
    );
    if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such session of yours.');
    if (row.is_new) await recordEnds(tx, authorOf(actor, address), actor.accountId, [sessionId]);
    return { id: sessionId, endedAt: row.ended_at };
  });
}

/** Ends every session of the person, also the session of the call. */
export function endSessions(db: DataSource, actor: SessionActor, address: string): Promise<EndedSessions> {
  return inTransaction(db, async (tx) => ({
    ended: await endSessionsOf(tx, actor, authorOf(actor, address)),
  }));
}

/** Ends every open session of a user in a transaction, and answers how many. */
export async function endSessionsOf(
  tx: Tx,
  { userId, accountId }: { readonly userId: string; readonly accountId: string | null },
  by: Author,
): Promise<number> {
  const rows = await tx.query<Row<Session, 'id'>[]>(
    `with ended as (update sessions set ended_at = now() where user_id = $1 and ended_at is null and expires_at > now()
       returning id)
     select id from ended order by id`,
    [userId],
  );
  const ids = rows.map(({ id }) => id);
  await recordEnds(tx, by, accountId, ids);
  return ids.length;
}

interface FormerRow extends Row<Session, 'id' | 'userId'>, Row<User, 'accountId'> {}

/**
 * Ends the session that a browser had before it signed in again, whoever had signed in there. The cookie of a session suffices to
 * end it, so the session itself is the author.
 */
export async function endFormerSession(tx: Tx, sha256: string, address: string): Promise<void> {
  const [former] = await tx.query<FormerRow[]>(
    `with ended as (update sessions set ended_at = now() where secret_sha256 = $1 and ended_at is null and expires_at > now()
       returning id, user_id)
     select e.id, e.user_id, u.account_id from ended e join users u on u.id = e.user_id`,
    [sha256],
  );
  if (former === undefined) return;
  const by = { kind: 'session', id: former.id, userId: former.user_id, address } as const;
  await recordEnds(tx, by, former.account_id, [former.id]);
}

async function recordEnds(
  tx: Tx,
  by: Author,
  accountId: string | null,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await recordChange(tx, by, { accountId, action: 'session.ended', subject: id });
}
