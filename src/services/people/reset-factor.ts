/**
 * An operator takes the second factor from a person who has lost it, after having made sure who asks. All sessions of the person
 * end in the same transaction, because one may be a stranger's, and a sign-in at a provider that waits for a code ends as well.
 * The password stays.
 */
import type { DataSource } from 'typeorm';

import { UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import { RecoveryCodeEntity } from '../../../entities/people.ts';
import { AppError } from '../../domain/errors.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import { endSessionsOf } from './sessions.ts';

/** Person whose second factor goes, the reason, and the operator. */
export interface FactorReset {
  readonly email: string;
  /** The owners of the account may read the reason. */
  readonly reason: string;
  readonly by: Author;
}

/** Result of a reset. */
export interface FactorResetResult {
  readonly userId: string;
  /** Whether the person had a second factor. */
  readonly hadFactor: boolean;
  readonly endedSessions: number;
}

/** Takes the second factor of a person away; nothing changes for a person without one. @throws NOT_FOUND. */
export function resetSecondFactor(
  db: DataSource,
  { email, reason, by }: FactorReset,
): Promise<FactorResetResult> {
  return inTransaction(db, async (tx) => {
    const [user] = await tx.query<Row<User, 'id' | 'accountId' | 'totpEnabledAt'>[]>(
      'select id, account_id, totp_enabled_at from users where lower(email) = lower($1) for no key update',
      [email],
    );
    if (user === undefined) throw new AppError('NOT_FOUND', 'Nobody has this e-mail address.');
    const { id, account_id: accountId } = user;
    if (user.totp_enabled_at === null) return { userId: id, hadFactor: false, endedSessions: 0 };
    await tx
      .getRepository(UserEntity)
      .update({ id }, { totpSecret: null, totpEnabledAt: null, totpLastStep: null });
    await tx.getRepository(RecoveryCodeEntity).delete({ userId: id });
    await tx.query('update oidc_attempts set ended_at = now() where user_id = $1 and ended_at is null', [id]);
    await recordChange(tx, by, { accountId, action: 'totp.reset', subject: id, after: { reason } });
    const endedSessions = await endSessionsOf(tx, { userId: id, accountId }, by);
    return { userId: id, hadFactor: true, endedSessions };
  });
}
