/** Rows of top-ups, and what customers see of them. */
import { TopupEntity } from '../../../entities/payments.ts';
import type { Topup } from '../../../entities/payments.ts';
import type { Payments } from '../../adapters/payments/payments.ts';
import { AppError } from '../../domain/errors.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { Queryable, Tx } from '../transaction.ts';
import type { Answers } from '../../domain/answers.ts';

type TopupRecord = Answers['getTopup'];

/** Tells the operator of something that a person has to look at. */
export type Alarm = (text: string, facts: object) => void;

/** The row of a top-up; null without one. */
export function findTopup(db: Queryable, id: string): Promise<Topup | null> {
  return db.getRepository(TopupEntity).findOneBy({ id });
}

/** The row of a top-up that must be there. */
export async function readTopupRow(db: Queryable, id: string): Promise<Topup> {
  const topup = await findTopup(db, id);
  if (topup === null) throw new Error(`There is no top-up ${id}`);
  return topup;
}

/** Locks the row of a top-up until the transaction ends. */
export async function lockTopup(tx: Tx, id: string): Promise<Topup> {
  await tx.query('select id from topups where id = $1 for update', [id]);
  return readTopupRow(tx, id);
}

/** The provider of payments. @throws PAYMENTS_NOT_CONFIGURED. */
export function requirePayments(payments: Payments | null): Payments {
  if (payments !== null) return payments;
  throw new AppError(
    'PAYMENTS_NOT_CONFIGURED',
    'Credits cannot be bought here. Ask the operator for credits.',
  );
}

/** A top-up as its customer sees it; the page is shown while the customer can pay there. */
export function presentTopup(row: Topup): TopupRecord {
  return {
    id: row.id,
    tierId: row.tierId,
    state: row.state,
    currency: CREDIT_CURRENCY,
    amountCents: row.amountPence,
    bonusCents: row.bonusPence,
    taxCents: row.taxPence,
    refundedCents: row.returnedPence,
    url: row.state === 'OPEN' ? row.checkoutUrl : null,
    invoiceUrl: row.invoiceUrl,
    receiptUrl: row.receiptUrl,
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
  };
}
