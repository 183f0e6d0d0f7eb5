/**
 * Payments of subscriptions that go back. Such a payment has bought a month of allowance and no credits, so the ledger owes
 * nothing for it: the allowance of its period ends, as far as it is unspent, and is not granted where it was not granted yet. A
 * spent part of it, a payment that went back in part, and one that came back wait for a person, because no rule of ours says what
 * is fair.
 */
import { AllowancePeriodEntity, LedgerBalanceEntity } from '../../../entities/ledger.ts';
import { SubscriptionPeriodEntity } from '../../../entities/subscriptions.ts';
import type { SubscriptionPeriod } from '../../../entities/subscriptions.ts';
import type { ProviderReturn } from '../../adapters/payments/returns.ts';
import { endAllowance, lockAccounts } from '../ledger/index.ts';
import { applyDueAllowance, databaseTime } from '../plans/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import type { FollowDependencies } from './follow.ts';
import { applyInvoice } from './subscriptions.ts';
import { requirePayments } from './topup-rows.ts';

/**
 * Applies a refund or a dispute of a payment that bought no top-up. The invoice is applied first, so that whichever event comes first,
 * the period is known.
 * @returns why a person has to look; null when all is done.
 */
export async function applySubscriptionReturn(
  deps: FollowDependencies,
  { paymentId, takenPence }: ProviderReturn,
): Promise<string | null> {
  const payments = requirePayments(deps.payments);
  const invoiceId = paymentId === null ? null : await payments.findInvoice(paymentId);
  if (invoiceId === null) return 'unknown top-up';
  const refusal = await applyInvoice(deps, invoiceId);
  const period = await deps.db.getRepository(SubscriptionPeriodEntity).findOneBy({ invoiceId });
  if (period === null) return refusal ?? 'a payment of no period went back';
  const { paidPence } = await payments.readInvoice(invoiceId);
  if (takenPence >= paidPence) return inTransaction(deps.db, (tx) => takeBack(tx, period));
  if (takenPence > 0) return 'a part of the payment of a subscription went back';
  return period.returnedAt === null ? null : 'the payment of a subscription came back';
}

async function takeBack(tx: Tx, { id, accountId }: SubscriptionPeriod): Promise<string | null> {
  await lockAccounts(tx, [accountId]);
  const periods = tx.getRepository(SubscriptionPeriodEntity);
  if ((await periods.findOneByOrFail({ id })).returnedAt !== null) return null;
  const granted = await tx.getRepository(AllowancePeriodEntity).findOneBy({ id });
  const balances = await tx.getRepository(LedgerBalanceEntity).findOneByOrFail({ accountId });
  const unspent = balances.monthlyPeriod === id ? balances.monthly : 0;
  await periods.update({ id }, { returnedAt: new Date() });
  await endAllowance(tx, accountId, id, 'Monthly credits whose payment went back');
  await applyDueAllowance(tx, accountId, await databaseTime(tx));
  return granted === null || unspent === granted.grantedPence
    ? null
    : 'what was spent or is held of an allowance did not go back with its payment';
}
