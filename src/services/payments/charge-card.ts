/** Charges a card for an auto top-up, and pauses auto top-up when the card refuses. */
import type { DataSource } from 'typeorm';

import type { Topup } from '../../../entities/payments.ts';
import type { CardPayment } from '../../adapters/payments/cards.ts';
import { PaymentRefusal } from '../../adapters/payments/payments.ts';
import type { Payments } from '../../adapters/payments/payments.ts';
import type { CardRefusal } from '../../domain/auto-topups.ts';
import type { Tx } from '../transaction.ts';
import { customerOf } from './customers.ts';
import { readTopupRow } from './topup-rows.ts';

/**
 * The payment of an auto top-up as the payment is now. The card is written before the charge, so that a repeated charge is the same
 * request, also after the customer has chosen another card.
 */
export async function cardPaymentOf(db: DataSource, payments: Payments, topup: Topup): Promise<CardPayment> {
  if (topup.paymentId !== null) return payments.readCharge(topup.paymentId);
  const customerId = await customerOf(db, payments, topup.accountId);
  const card = topup.autoCard ?? (await chooseCard(db, topup.id, await payments.readCard(customerId)));
  if (card === null) return notCharged(topup, payments.isLive);
  const { id: topupId, accountId, amountPence, tierId, autoNumber } = topup;
  try {
    return await payments.chargeCard({
      topupId,
      accountId,
      number: autoNumber ?? 0,
      customerId,
      card,
      amountPence,
      name: `Dockyard credits ${tierId}`,
    });
  } catch (error) {
    if (error instanceof PaymentRefusal) return notCharged(topup, payments.isLive);
    throw error;
  }
}

async function chooseCard(db: DataSource, id: string, card: string | null): Promise<string | null> {
  if (card === null) return null;
  await db.query('update topups set auto_card = $2 where id = $1 and auto_card is null', [id, card]);
  return (await readTopupRow(db.manager, id)).autoCard;
}

function notCharged({ id, amountPence }: Topup, isLive: boolean): CardPayment {
  return {
    id: null,
    url: null,
    progress: 'failed',
    mode: 'payment',
    currency: 'gbp',
    subtotalPence: amountPence,
    taxPence: 0,
    isLive,
    reference: id,
    topupId: id,
    paymentId: null,
    invoiceUrl: null,
    receiptUrl: null,
    refusal: 'NO_PAYMENT_METHOD',
  };
}

/** Pauses the auto top-up of an account, and has its owners told, once for each top-up. */
export async function pauseAutoTopUp(
  tx: Tx,
  { id, accountId, amountPence }: Topup,
  refusal: CardRefusal,
): Promise<void> {
  await tx.query(
    `with paused as (
       update auto_topups set paused = $2, updated_at = clock_timestamp() where account_id = $1 returning account_id)
     insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
     select account_id, 'auto-topup', $3, timezone('UTC', clock_timestamp())::date, 0, $4, 0, true from paused
     on conflict do nothing`,
    [accountId, refusal, id, amountPence],
  );
}
