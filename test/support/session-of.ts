/** A signed-in owner of an account of a running stack, without mail and passwords. */
import { createSessionCookies } from '../../src/services/people/index.ts';
import { startSession } from '../../src/services/people/sessions.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { TestApi } from './api.ts';

/** The session's id, and the headers that a browser on a page of the service would send. */
export interface OwnSession {
  readonly sessionId: string;
  readonly headers: { readonly cookie: string; readonly origin: string };
}

/** Begins a session of the first user of an account. */
export async function sessionOf(
  { db, stack }: Pick<TestApi, 'db' | 'stack'>,
  accountId: string,
): Promise<OwnSession> {
  const cookie = createSessionCookies(stack.env['DOCKYARD_SECRET'] ?? '').draw();
  const [user] = await db.query<{ id: string }[]>(
    'select id from users where account_id = $1 order by created_at, id',
    [accountId],
  );
  if (user === undefined) throw new Error('The account has no user.');
  const visit = { address: '127.0.0.1', network: '127.0.0.1', userAgent: null };
  const { id } = await inTransaction(db, (tx) =>
    startSession(tx, { userId: user.id, accountId, sha256: cookie.sha256, visit }),
  );
  const { origin } = new URL(stack.env['DOCKYARD_PUBLIC_URL'] ?? '');
  return { sessionId: id, headers: { cookie: `__Host-dockyard-session=${cookie.value}`, origin } };
}
