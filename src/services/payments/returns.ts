/**
 * Money that goes back: refunds and disputes of top-ups. What the provider says of one is applied under the lock of its top-up, as
 * the difference to what the books have taken for it. All parts follow from the sum of what has gone back of the top-up, so events
 * may come in any order, late and more than once.
 */
import { v7 as uuidv7, validate as isUuid } from 'uuid';

import { PaymentReturnEntity, TopupEntity } from '../../../entities/payments.ts';
import type { PaymentReturn, Topup } from '../../../entities/payments.ts';
import type { ProviderReturn } from '../../adapters/payments/returns.ts';
import { returnPosting } from '../../domain/returns.ts';
import { postTransfers } from '../ledger/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { applyCheckout, followTopup } from './follow.ts';
import type { FollowDependencies } from './follow.ts';
import { findTopup, readTopupRow, requirePayments } from './topup-rows.ts';

/** What the provider calls a return, and how much of it is gone. */
export type ReturnState = Pick<PaymentReturn, 'status' | 'takenPence'> &
  Partial<Pick<PaymentReturn, 'providerId'>>;

const WORDS = { refund: 'Refund', dispute: 'Disputed payment' } as const;

/** Applies a refund or a dispute as the provider shows it now. @returns why nothing was applied; null when the books follow. */
export async function applyReturn(deps: FollowDependencies, found: ProviderReturn): Promise<string | null> {
  const topup = await topupOf(deps, found);
  if (topup === null) return 'unknown top-up';
  if (found.currency !== 'gbp') return 'currency';
  if (topup.state !== 'PAID') return 'top-up is not paid';
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockTopup(tx, topup.id);
    const { status, takenPence, id: providerId } = found;
    await bringTo(tx, locked, await rowOf(tx, locked, found), { status, takenPence, providerId });
  });
  return null;
}

/** The top-up of a payment, brought to what its checkout is; a refund may be heard of before its payment. */
async function topupOf(deps: FollowDependencies, found: ProviderReturn): Promise<Topup | null> {
  const { db } = deps;
  const id = found.topupId ?? '';
  const topup = isUuid(id)
    ? await findTopup(db, id)
    : await db.getRepository(TopupEntity).findOneBy({ paymentId: found.paymentId ?? '' });
  if (topup === null || topup.state === 'PAID') return topup;
  if (topup.checkoutId === null) await followTopup(deps, topup.id);
  else
    await applyCheckout(deps, topup.id, await requirePayments(deps.payments).readCheckout(topup.checkoutId));
  return readTopupRow(db, topup.id);
}

/** Locks the row of a top-up until the transaction ends. */
export async function lockTopup(tx: Tx, id: string): Promise<Topup> {
  await tx.query('select id from topups where id = $1 for update', [id]);
  return readTopupRow(tx, id);
}

/** The row that stands for a refund or dispute: the one that asked for it, or one that is made now. */
async function rowOf(tx: Tx, topup: Topup, found: ProviderReturn): Promise<PaymentReturn> {
  const returns = tx.getRepository(PaymentReturnEntity);
  const known = await returns.findOneBy({ providerId: found.id });
  if (known !== null) return known;
  const { returnId } = found;
  const asked = returnId !== null && isUuid(returnId) ? await findReturn(tx, returnId) : null;
  if (asked?.topupId === topup.id && asked.providerId === null) return asked;
  const id = uuidv7();
  const { kind, status, grossPence } = found;
  await returns.insert({ id, topupId: topup.id, accountId: topup.accountId, kind, status, grossPence });
  return returns.findOneByOrFail({ id });
}

/** The row of this id; null without one. */
export async function findReturn(db: Queryable, id: string): Promise<PaymentReturn | null> {
  return db.getRepository(PaymentReturnEntity).findOneBy({ id });
}

/**
 * Takes from the books what is gone, or gives back what has come back; to be called under the lock of the top-up. What the wallet
 * does not have becomes a debt.
 */
export async function bringTo(tx: Tx, topup: Topup, row: PaymentReturn, now: ReturnState): Promise<void> {
  const { id, kind, accountId } = row;
  const moved = now.takenPence - row.takenPence;
  const turns = moved === 0 ? row.turns : row.turns + 1;
  if (moved !== 0) {
    const returnedPence = topup.returnedPence + moved;
    await postTransfers(tx, [
      {
        ...returnPosting(kind, topup, topup.returnedPence, returnedPence),
        ...{ key: `${kind}/${id}/${String(turns)}`, accountId, tierId: topup.tierId, mayOwe: true },
        reversesId: await paymentTransferOf(tx, topup.id),
        description: `${WORDS[kind]} of top-up ${topup.tierId}${moved > 0 ? '' : ', given back'}`,
      },
    ]);
    await tx.getRepository(TopupEntity).update({ id: topup.id }, { returnedPence, updatedAt: new Date() });
  }
  await tx.getRepository(PaymentReturnEntity).update({ id }, { ...now, turns, updatedAt: new Date() });
}

async function paymentTransferOf(tx: Tx, topupId: string): Promise<string> {
  const [posted] = await tx.query<{ readonly id: string }[]>(
    'select id from ledger_transfers where idempotency_key = $1',
    [`topup/${topupId}`],
  );
  if (posted === undefined) throw new Error(`The payment of top-up ${topupId} was not posted`);
  return posted.id;
}
