/** The rows of people, as signing up and in finds them. */
import type { User } from '../../../entities/accounts.ts';
import type { Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';

/** A person with what signing in needs to know. */
export type FoundUser = Row<User, 'id' | 'email' | 'accountId' | 'role' | 'passwordHash'>;

/** The user of an address, which is compared without case, as the unique index compares it. */
export async function findUser(db: Queryable, email: string): Promise<FoundUser | null> {
  const [user] = await db.query<FoundUser[]>(
    'select id, email, account_id, role, password_hash from users where lower(email) = lower($1)',
    [email],
  );
  return user ?? null;
}
