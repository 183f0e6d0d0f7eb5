/**
 * Allowance periods: monthly credits that are granted for a time and expire with it. The credits of one period never join
 * those of another: what is left when the next period begins expires, and a hold gives its monthly credits back to the
 * period that they came from and to no other. A period is started once, however often the call is repeated.
 */
import { AllowancePeriodEntity, LedgerBalanceEntity } from '../../../entities/ledger.ts';
import type { AllowancePeriod } from '../../../entities/ledger.ts';
import { allowancePosting, expiryPosting } from '../../domain/ledger.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { Tx } from '../transaction.ts';
import { lockAccounts } from './accounts.ts';
import type { TransferInput } from './batch.ts';
import { keyReused, postTransfers } from './post.ts';

/** A period with the credits that are granted for it; its id is the key of the grant. */
export type AllowanceGrant = Readonly<Omit<AllowancePeriod, 'createdAt'>>;

/**
 * Starts a period: what is left of the period before expires, and the allowance is granted. Answers false when the period
 * was started before.
 * @throws IDEMPOTENCY_KEY_REUSED when the id stands for another period; ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function startAllowance(tx: Tx, grant: AllowanceGrant): Promise<boolean> {
  const { id, accountId, startsAt, endsAt, grantedPence } = grant;
  await lockAccounts(tx, [accountId]);
  const periods = tx.getRepository(AllowancePeriodEntity);
  const known = await periods.findOneBy({ id });
  if (known !== null) {
    if (isSame(known, grant)) return false;
    throw keyReused(`allowance/${id}`);
  }
  await periods.insert({ id, accountId, startsAt, endsAt, grantedPence });
  await postTransfers(tx, [
    ...(await expiryOf(tx, accountId)),
    {
      ...allowancePosting(grantedPence),
      key: `allowance/${id}/grant`,
      accountId,
      description: 'Monthly allowance',
    },
  ]);
  await tx
    .getRepository(LedgerBalanceEntity)
    .update({ accountId }, { monthlyPeriod: id, monthlyEndsAt: endsAt });
  return true;
}

const UNUSED = 'Monthly credits that were not used';

/**
 * Ends a period: what is left of it expires, and holds give nothing back to it any more. Does nothing when the period is
 * not the present one.
 */
export async function endAllowance(
  tx: Tx,
  accountId: string,
  periodId: string,
  description = UNUSED,
): Promise<void> {
  await lockAccounts(tx, [accountId]);
  const balances = tx.getRepository(LedgerBalanceEntity);
  if (!(await balances.existsBy({ accountId, monthlyPeriod: periodId }))) return;
  await postTransfers(tx, await expiryOf(tx, accountId, description));
  await balances.update({ accountId }, { monthlyPeriod: null, monthlyEndsAt: null });
}

/** The expiry of what is left of the present period; to be called under the lock of the balances. */
async function expiryOf(tx: Tx, accountId: string, description = UNUSED): Promise<readonly TransferInput[]> {
  const row = await tx.getRepository(LedgerBalanceEntity).findOneBy({ accountId });
  if (row === null || row.monthly === 0) return [];
  if (row.monthlyPeriod === null) throw invariantBroken(`monthly credits of ${accountId} have no period`);
  const key = `allowance/${row.monthlyPeriod}/expiry`;
  return [{ ...expiryPosting(row.monthly), key, accountId, description }];
}

function isSame(known: AllowancePeriod, grant: AllowanceGrant): boolean {
  return (
    known.accountId === grant.accountId &&
    known.grantedPence === grant.grantedPence &&
    known.startsAt.getTime() === grant.startsAt.getTime() &&
    known.endsAt.getTime() === grant.endsAt.getTime()
  );
}
