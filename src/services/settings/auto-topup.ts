/** Whether and when an account buys credits by itself, as owners set. */
import { AutoTopupEntity } from '../../../entities/payments.ts';
import type { AutoTopUp, AutoTopUpRequest } from '../../domain/auto-topups.ts';
import type { Queryable, Tx } from '../transaction.ts';

/** The auto top-up of the account; null while there is none. */
export async function readAutoTopUp(db: Queryable, accountId: string): Promise<AutoTopUp | null> {
  const row = await db.getRepository(AutoTopupEntity).findOneBy({ accountId });
  if (row === null) return null;
  const { tierId, belowPence: belowCents, monthLimitPence: monthLimitCents, paused: pausedFor } = row;
  return { tierId, belowCents, monthLimitCents, state: pausedFor === null ? 'on' : 'paused', pausedFor };
}

/** Sets the auto top-up of the account, and ends a pause; null turns it off. */
export async function writeAutoTopUp(
  tx: Tx,
  accountId: string,
  wanted: AutoTopUpRequest | null,
): Promise<void> {
  const rows = tx.getRepository(AutoTopupEntity);
  if (wanted === null) {
    await rows.delete({ accountId });
    return;
  }
  const { tierId, belowCents: belowPence, monthLimitCents: monthLimitPence } = wanted;
  await rows.upsert({ accountId, tierId, belowPence, monthLimitPence, paused: null, updatedAt: new Date() }, [
    'accountId',
  ]);
}
