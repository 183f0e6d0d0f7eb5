/**
 * Sign-ins that were refused for a wrong password or second factor, in the audit log of the account whose person was tried. The entry
 * is written after the sign-in has failed, in a transaction of its own. An account gets a bounded number of entries an hour, because
 * entries live for ever and whoever tries needs no account; an address that nobody has leaves none.
 */
import type { DataSource } from 'typeorm';

import { AppError } from '../../domain/errors.ts';
import type { Visit } from '../../domain/people.ts';
import { recordChange, visitor } from '../audit/index.ts';
import { inTransaction } from '../transaction.ts';
import { findUser } from './users.ts';

const TOLD_CODES = new Set(['SIGN_IN_REFUSED', 'TOTP_REFUSED']);
const MOST_AN_HOUR = 100;

/** Does the work of a sign-in with this address; a refusal is told to the owners of the account, and thrown on. */
export async function tellRefusals<T>(
  db: DataSource,
  { email, visit }: { readonly email: string; readonly visit: Visit },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && TOLD_CODES.has(error.code)) await record(db, email, visit, error.code);
    throw error;
  }
}

function record(db: DataSource, email: string, { address }: Visit, code: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const user = await findUser(tx, email);
    if (user?.account_id === null || user === null) return;
    const accountId = user.account_id;
    const [told] = await tx.query<{ readonly count: number }[]>(
      `select count(*)::int as count from audit_log
       where account_id = $1 and created_at > now() - interval '1 hour' and action = 'session.refused'`,
      [accountId],
    );
    if (told !== undefined && told.count >= MOST_AN_HOUR) return;
    await recordChange(tx, visitor(address), {
      accountId,
      action: 'session.refused',
      subject: user.id,
      after: { code },
    });
  });
}
