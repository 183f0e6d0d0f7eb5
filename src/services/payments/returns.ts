/**
 * Money that goes back: refunds and disputes of top-ups. The present state of a refund or dispute is applied under the lock of its
 * top-up, as the difference to what the books have taken for the refund or dispute. All parts follow from the whole sum that has gone
 * back of the top-up, so events may come in any order, late and more than once.
 */
import { v7 as uuidv7, validate as isUuid } from 'uuid';

import { LedgerTransferEntity } from '../../../entities/ledger.ts';
import { PaymentReturnEntity, TopupEntity } from '../../../entities/payments.ts';
import type { PaymentReturn, Topup } from '../../../entities/payments.ts';
import type { ProviderReturn } from '../../adapters/payments/returns.ts';
import { returnPosting } from '../../domain/returns.ts';
import { postTransfers } from '../ledger/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { applyCheckout, followTopup } from './follow.ts';
import type { FollowDependencies } from './follow.ts';
import { applySubscriptionReturn } from './subscription-returns.ts';
import { findTopup, lockTopup, readTopupRow, requirePayments } from './topup-rows.ts';

/** State of a return in the provider's words, and the sum that is gone. */
export type ReturnState = Pick<PaymentReturn, 'status' | 'takenPence'> &
  Partial<Pick<PaymentReturn, 'providerId'>>;

const WORDS = { refund: 'Refund', dispute: 'Disputed payment' } as const;

/** Another process has applied the same refund or dispute meanwhile, perhaps in a newer state. */
const OVERTAKEN = Symbol('overtaken');
const ATTEMPTS = 10;

/**
 * Reads a refund or a dispute at the provider and applies its present state. An answer that was overtaken on its way may be older
 * than the state in the books, so the refund or dispute is read again.
 * @returns what a person has to look at: why nothing was applied, or that more is gone than was paid; null when the books follow.
 */
export async function applyReturn(
  deps: FollowDependencies,
  kind: PaymentReturn['kind'],
  providerId: string,
): Promise<string | null> {
  const payments = requirePayments(deps.payments);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const known = await knownReturn(deps.db, providerId);
    const found = await (kind === 'refund'
      ? payments.readRefund(providerId)
      : payments.readDispute(providerId));
    const applied = await applyFound(deps, found, known?.version ?? 0);
    if (applied !== OVERTAKEN) return applied;
  }
  throw new Error(`The ${kind} ${providerId} changes all the time`);
}

async function applyFound(
  deps: FollowDependencies,
  found: ProviderReturn,
  version: number,
): Promise<string | null | typeof OVERTAKEN> {
  const topup = await topupOf(deps, found);
  if (topup === null) return applySubscriptionReturn(deps, found);
  if (found.currency !== 'gbp') return 'currency';
  if (topup.state !== 'PAID') return 'top-up is not paid';
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockTopup(tx, topup.id);
    const known = await knownReturn(tx, found.id);
    if ((known?.version ?? 0) !== version) return OVERTAKEN;
    const { status, takenPence, id: providerId } = found;
    const more = takenPence - (known?.takenPence ?? 0);
    await bringTo(tx, locked, known ?? (await newReturn(tx, locked, found)), {
      status,
      takenPence,
      providerId,
    });
    const isBeyond = locked.returnedPence + more > locked.amountPence + locked.taxPence;
    return more > 0 && isBeyond ? 'more has gone back than was paid' : null;
  });
}

function knownReturn(db: Queryable, providerId: string): Promise<PaymentReturn | null> {
  return db.getRepository(PaymentReturnEntity).findOneBy({ providerId });
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

/** The row of a return that has no row under the provider's id: the row of the operator who asked for the refund, or a new row. */
async function newReturn(tx: Tx, topup: Topup, found: ProviderReturn): Promise<PaymentReturn> {
  const { kind, status, grossPence, returnId, id: providerId } = found;
  const asked = returnId !== null && isUuid(returnId) ? await findReturn(tx, returnId) : null;
  if (asked?.topupId === topup.id && asked.providerId === null) return asked;
  const returns = tx.getRepository(PaymentReturnEntity);
  const id = uuidv7();
  const { id: topupId, accountId } = topup;
  await returns.insert({ id, topupId, accountId, kind, providerId, status, grossPence });
  return returns.findOneByOrFail({ id });
}

/** The row of this id; null without one. */
export async function findReturn(db: Queryable, id: string): Promise<PaymentReturn | null> {
  return db.getRepository(PaymentReturnEntity).findOneBy({ id });
}

/**
 * Takes from the books what is gone, or gives back what has come back; to be called under the lock of the top-up. The part that
 * the wallet does not have becomes a debt.
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
        key: `${kind}/${id}/${String(turns)}`,
        accountId,
        tierId: topup.tierId,
        mayOwe: true,
        reversesId: await paymentTransferOf(tx, topup.id),
        description: `${WORDS[kind]} of top-up ${topup.tierId}${moved > 0 ? '' : ', given back'}`,
      },
    ]);
    await tx.getRepository(TopupEntity).update({ id: topup.id }, { returnedPence, updatedAt: new Date() });
  }
  await tx
    .getRepository(PaymentReturnEntity)
    .update({ id }, { ...now, turns, version: row.version + 1, updatedAt: new Date() });
}

async function paymentTransferOf(tx: Tx, topupId: string): Promise<string> {
  const posted = await tx
    .getRepository(LedgerTransferEntity)
    .findOne({ select: { id: true }, where: { idempotencyKey: `topup/${topupId}` } });
  if (posted === null) throw new Error(`The payment of top-up ${topupId} was not posted`);
  return posted.id;
}
