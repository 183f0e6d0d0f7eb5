/** Changes of a customer's money by operators. Each change and its entry of the audit log are one transaction. */
import type { DataSource } from 'typeorm';

import { recordChange } from './audit/index.ts';
import type { Author } from './audit/index.ts';
import { adjustmentTransfer, changeLimits, grantTransfer, postTransfers } from './ledger/index.ts';
import type {
  CreditAdjustment,
  CreditGrant,
  LimitChange,
  PostedTransfer,
  SpendingLimits,
} from './ledger/index.ts';
import { inTransaction } from './transaction.ts';

/**
 * Gives an account promotional credits in the name of an operator; a repeated key gives nothing and is no change.
 * @throws IDEMPOTENCY_KEY_REUSED when the key stands for another grant; ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export function grantAsOperator(db: DataSource, grant: CreditGrant, by: Author): Promise<PostedTransfer> {
  const { accountId, amountPence, key, description } = grant;
  return inTransaction(db, async (tx) => {
    const [posted] = await postTransfers(tx, [grantTransfer(grant)]);
    if (posted === undefined) throw new Error('A grant was not posted');
    if (!posted.replayed)
      await recordChange(tx, by, {
        accountId,
        action: 'credits.granted',
        subject: posted.id,
        after: { amountPence, key, description },
      });
    return posted;
  });
}

/**
 * Corrects the wallet of an account in the name of an operator; a repeated key corrects nothing and is no change.
 * @throws IDEMPOTENCY_KEY_REUSED when the key stands for another adjustment; INSUFFICIENT_CREDITS.
 */
export function adjustAsOperator(
  db: DataSource,
  adjustment: CreditAdjustment,
  by: Author,
): Promise<PostedTransfer> {
  const { accountId, amountPence, key, description, mayOwe } = adjustment;
  return inTransaction(db, async (tx) => {
    const [posted] = await postTransfers(tx, [adjustmentTransfer(adjustment)]);
    if (posted === undefined) throw new Error('An adjustment was not posted');
    if (!posted.replayed)
      await recordChange(tx, by, {
        accountId,
        action: 'credits.adjusted',
        subject: posted.id,
        after: { amountPence, key, description, mayOwe },
      });
    return posted;
  });
}

/**
 * Changes the cost limits of an account in the name of an operator, as a whole or not at all.
 * @throws NOT_FOUND when there is no such account, or no such key of the account.
 */
export function setLimitsAsOperator(
  db: DataSource,
  accountId: string,
  change: LimitChange,
  by: Author,
): Promise<SpendingLimits> {
  return inTransaction(db, async (tx) => {
    const { before, after } = await changeLimits(tx, accountId, change);
    await recordChange(tx, by, {
      accountId,
      action: 'limits.changed',
      subject: accountId,
      before: { ...before },
      after: { ...after },
    });
    return after;
  });
}
