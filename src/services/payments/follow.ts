/**
 * A top-up from its row to its end. Each step may be done again by anybody at any time: the provider opens one checkout for a
 * top-up, and the ledger takes the transfers of a top-up once, in the transaction that makes the row PAID. When a process dies between
 * two steps, the next process that follows the top-up goes on with the step that is missing.
 */
import type { DataSource } from 'typeorm';

import { TopupEntity } from '../../../entities/payments.ts';
import type { Topup } from '../../../entities/payments.ts';
import type { CardPayment } from '../../adapters/payments/cards.ts';
import { PaymentRefusal } from '../../adapters/payments/payments.ts';
import type { Checkout, Payments } from '../../adapters/payments/payments.ts';
import { isTopupOver, judgeCheckout, topupPostings } from '../../domain/topups.ts';
import type { TopupState } from '../../domain/topups.ts';
import { postTransfers } from '../ledger/index.ts';
import { recordEvent } from '../events/record.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { cardPaymentOf, pauseAutoTopUp } from './charge-card.ts';
import { customerOf } from './customers.ts';
import { lockTopup, readTopupRow, requirePayments } from './topup-rows.ts';
import type { Alarm } from './topup-rows.ts';

export interface FollowDependencies {
  readonly db: DataSource;
  readonly payments: Payments | null;
  readonly alarm: Alarm;
}

/** How far a top-up is, and whether nothing more is waited for. */
export interface FollowedTopup {
  readonly state: TopupState;
  readonly isOver: boolean;
}

/** The provider forgets after 24 hours that it has opened the checkout of a top-up; a top-up without one ends before. */
const GIVE_UP_MS = 23 * 3_600_000;

/** Asks the provider how far the top-up is, and applies the answer. @throws PAYMENTS_NOT_CONFIGURED. */
export async function followTopup(deps: FollowDependencies, id: string): Promise<FollowedTopup> {
  const payments = requirePayments(deps.payments);
  const topup = await readTopupRow(deps.db, id);
  if (isTopupOver(topup.state)) return { state: topup.state, isOver: true };
  if (topup.autoNumber !== null) return followCharge(deps, payments, topup);
  const opened = topup.checkoutId === null ? await openCheckout(deps, topup) : topup;
  if (opened.checkoutId === null) return { state: opened.state, isOver: true };
  return applyCheckout(deps, opened.id, await payments.readCheckout(opened.checkoutId));
}

/** A charge without an answer is given up before the provider forgets its key; an event still tells of its payment. */
async function followCharge(
  deps: FollowDependencies,
  payments: Payments,
  topup: Topup,
): Promise<FollowedTopup> {
  if (topup.paymentId === null && Date.now() - topup.createdAt.getTime() > GIVE_UP_MS) {
    deps.alarm('the charge of a card was never answered', { topupId: topup.id });
    const { state } = await record(deps.db, topup.id, { state: 'EXPIRED' });
    return { state, isOver: true };
  }
  return applyCheckout(deps, topup.id, await cardPaymentOf(deps.db, payments, topup));
}

/**
 * Opens the checkout of a top-up, and records the checkout; a top-up that has a checkout is answered as it is. The provider refuses
 * for ever a checkout that is opened too late. Such a top-up fails, and no customer has seen a page of its checkout.
 */
export async function openCheckout(deps: FollowDependencies, topup: Topup): Promise<Topup> {
  if (topup.state !== 'CREATED') return topup;
  const { db } = deps;
  if (Date.now() - topup.createdAt.getTime() > GIVE_UP_MS) return record(db, topup.id, { state: 'EXPIRED' });
  try {
    const payments = requirePayments(deps.payments);
    const { id: checkoutId, url: checkoutUrl } = await payments.openCheckout({
      topupId: topup.id,
      customerId: await customerOf(db, payments, topup.accountId),
      amountPence: topup.amountPence,
      name: `Dockyard credits ${topup.tierId}`,
      successUrl: topup.successUrl,
      cancelUrl: topup.cancelUrl,
      expiresAt: topup.expiresAt,
    });
    return await record(db, topup.id, { state: 'OPEN', checkoutId, checkoutUrl });
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    deps.alarm('a checkout was refused', { topupId: topup.id, err: error });
    return record(db, topup.id, { state: 'FAILED' });
  }
}

/** Only a top-up without a checkout is written, so that two who open the same one write the same row. */
async function record(
  db: DataSource,
  id: string,
  change: Partial<Pick<Topup, 'state' | 'checkoutId' | 'checkoutUrl'>>,
): Promise<Topup> {
  await inTransaction(db, async (tx) => {
    const written = await tx
      .getRepository(TopupEntity)
      .update({ id, state: 'CREATED' }, { ...change, updatedAt: new Date() });
    if (written.affected === 1 && change.state !== undefined) await tell(tx, id, change.state);
  });
  return readTopupRow(db, id);
}

/** Applies what a checkout or a charge is now: the state of the row and the credits, in one transaction. */
export async function applyCheckout(
  { db, payments, alarm }: FollowDependencies,
  id: string,
  checkout: Checkout | CardPayment,
): Promise<FollowedTopup> {
  const { isLive } = requirePayments(payments);
  return inTransaction(db, async (tx) => {
    const topup = await lockTopup(tx, id);
    const verdict = judgeCheckout(topup, checkout, isLive);
    if (verdict.kind === 'parked') {
      await update(tx, id, { parked: verdict.reason, ...seen(checkout) });
      alarm('a payment does not agree with its top-up', { topupId: id, reason: verdict.reason });
      return { state: topup.state, isOver: true };
    }
    const { state } = verdict;
    const isNew = state === 'PAID' && topup.state !== 'PAID';
    if (isNew) await post(tx, { ...topup, taxPence: checkout.taxPence });
    const refusal = 'refusal' in checkout && topup.state !== state ? checkout.refusal : null;
    if (state === 'FAILED' && refusal !== null) await pauseAutoTopUp(tx, topup, refusal);
    const paidAt = isNew ? new Date() : topup.paidAt;
    await update(tx, id, { state, paidAt, parked: null, ...seen(checkout) });
    if (state !== topup.state) await tell(tx, id, state);
    return { state, isOver: isTopupOver(state) };
  });
}

/** Writes the event of a top-up that is over. */
async function tell(tx: Tx, id: string, state: Topup['state']): Promise<void> {
  if (!isTopupOver(state)) return;
  const { accountId } = await tx.getRepository(TopupEntity).findOneByOrFail({ id });
  await recordEvent(tx, { accountId, kind: `topup.${state.toLowerCase()}`, subject: id, payload: {} });
}

/** Picks the facts of a checkout that a customer is shown. Where an answer lacks a value, the value that was known stays. */
function seen(checkout: Checkout | CardPayment): Partial<Topup> {
  const { id: checkoutId, paymentId, invoiceUrl, receiptUrl, taxPence } = checkout;
  return {
    taxPence,
    ...(checkoutId === null ? {} : { checkoutId }),
    ...(paymentId === null ? {} : { paymentId }),
    ...(invoiceUrl === null ? {} : { invoiceUrl }),
    ...(receiptUrl === null ? {} : { receiptUrl }),
  };
}

async function update(tx: Tx, id: string, change: Partial<Topup>): Promise<void> {
  await tx.getRepository(TopupEntity).update({ id }, { ...change, updatedAt: new Date() });
}

async function post(tx: Tx, topup: Topup): Promise<void> {
  const { id, accountId, tierId } = topup;
  const description = `Top-up ${tierId}`;
  const postings = topupPostings(topup);
  await postTransfers(
    tx,
    postings.map((posting) => ({
      ...posting,
      key: `${posting.kind}/${id}`,
      accountId,
      tierId,
      description,
    })),
  );
}
