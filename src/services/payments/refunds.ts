/**
 * Refunds that operators ask for. The row and what the books give up come first, in one transaction, so that nobody spends the
 * credits meanwhile; the provider is asked with a key that follows from the row. When the process dies before the provider has answered, the
 * sweep asks again; a refund that the provider refuses gives the credits back.
 */
import { v5 as uuidv5, validate as isUuid } from 'uuid';

import { PaymentReturnEntity } from '../../../entities/payments.ts';
import type { PaymentReturn, Topup } from '../../../entities/payments.ts';
import { PaymentRefusal } from '../../adapters/payments/payments.ts';
import type { ProviderReturn } from '../../adapters/payments/returns.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { grossOf, refundablePence } from '../../domain/returns.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import type { FollowDependencies } from './follow.ts';
import { applyReturn, bringTo, findReturn } from './returns.ts';
import { findTopup, lockTopup, readTopupRow, requirePayments } from './topup-rows.ts';
import { readUnspent } from './wallet-history.ts';

/** Order of an operator to give back a part of a top-up. */
export interface RefundOrder {
  readonly topupId: string;
  /** The price of the credits before tax; the tax of the price goes back as well. */
  readonly creditPence: number;
  /** The same key refunds once. */
  readonly key: string;
  readonly reason: string;
}

/** Namespace of the ids of refunds, which are derived from the keys of operators. */
const REFUND_IDS = 'b6a1c7a4-2f0e-5c0b-8a53-6f1d0a7c9e42';
/** The provider forgets the key of a request after a day; from then on the refunds at the provider are looked through first. */
const KEY_MS = 23 * 3_600_000;
/** The seconds for which the sweep leaves a refund to the process that has asked for the refund. */
const LEFT_ALONE_SECONDS = 60;
const MOST_AT_ONCE = 200;

/**
 * Refunds a part of a top-up in the name of an operator. A repeated key goes on with the same refund.
 * @throws PAYMENTS_NOT_CONFIGURED, NOT_FOUND, REFUND_EXCEEDS_UNSPENT, IDEMPOTENCY_KEY_REUSED; the error of a call of the provider
 * that failed, and then the sweep asks again.
 */
export async function refundAsOperator(
  deps: FollowDependencies,
  order: RefundOrder,
  by: Author,
): Promise<PaymentReturn> {
  requirePayments(deps.payments);
  const topup = isUuid(order.topupId) ? await findTopup(deps.db, order.topupId) : null;
  if (topup === null) throw new AppError('NOT_FOUND', `There is no top-up ${order.topupId}.`);
  const id = uuidv5(order.key, REFUND_IDS);
  await inTransaction(deps.db, (tx) => keepRow(tx, id, order, by));
  return makeRefund(deps, id);
}

async function keepRow(tx: Tx, id: string, order: RefundOrder, by: Author): Promise<void> {
  const topup = await lockTopup(tx, order.topupId);
  const earlier = await findReturn(tx, id);
  if (earlier !== null) {
    if (earlier.topupId !== topup.id || earlier.creditPence !== order.creditPence) throw keyReused();
    return;
  }
  const { accountId } = topup;
  const unspent = (await readUnspent(tx, accountId)).get(topup.id);
  refuseBeyond(order.creditPence, refundablePence(topup, topup.returnedPence, unspent));
  const { creditPence, reason, key } = order;
  const grossPence = grossOf(topup, topup.returnedPence, creditPence);
  const row = { id, topupId: topup.id, accountId, kind: 'refund', status: 'CREATED' } as const;
  const returns = tx.getRepository(PaymentReturnEntity);
  await returns.insert({ ...row, grossPence, creditPence, reason });
  const kept = await returns.findOneByOrFail({ id });
  await bringTo(tx, topup, kept, { status: 'CREATED', takenPence: grossPence });
  await recordChange(tx, by, {
    accountId,
    action: 'credits.refunded',
    subject: topup.id,
    after: { amountPence: creditPence, grossPence, refundId: id, key, reason },
  });
}

function refuseBeyond(creditPence: number, mostPence: number): void {
  if (creditPence <= mostPence) return;
  throw new AppError(
    'REFUND_EXCEEDS_UNSPENT',
    `At most ${String(mostPence)} pence can be refunded of this top-up. What was spent or is held does not go back.`,
  );
}

/** Has the provider make a refund that is in the books, once. A refund that was made or refused is answered as it is. */
async function makeRefund(deps: FollowDependencies, id: string): Promise<PaymentReturn> {
  const row = await deps.db.getRepository(PaymentReturnEntity).findOneByOrFail({ id });
  if (row.status !== 'CREATED') return row;
  const topup = await readTopupRow(deps.db, row.topupId);
  try {
    // The provider may answer what the refund was when it was made.
    await applyReturn(deps, 'refund', (await askProvider(deps, row, topup)).id);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    deps.alarm('a refund was refused', { refundId: id, topupId: topup.id, err: error });
    await inTransaction(deps.db, async (tx) => {
      const locked = await lockTopup(tx, topup.id);
      const now = await findReturn(tx, id);
      if (now?.status === 'CREATED') await bringTo(tx, locked, now, { status: 'REFUSED', takenPence: 0 });
    });
  }
  return deps.db.getRepository(PaymentReturnEntity).findOneByOrFail({ id });
}

async function askProvider(
  { payments }: FollowDependencies,
  { id: returnId, grossPence, createdAt }: PaymentReturn,
  { paymentId }: Topup,
): Promise<ProviderReturn> {
  const provider = requirePayments(payments);
  if (paymentId === null) throw new PaymentRefusal('The top-up has no payment.');
  const isForgotten = Date.now() - createdAt.getTime() > KEY_MS;
  const made = isForgotten ? await provider.findRefund({ returnId, paymentId }) : null;
  return made ?? provider.openRefund({ returnId, paymentId, grossPence });
}

/** Asks again for the refunds that are in the books and not at the provider. @throws the first failure, after all were tried. */
export async function sweepRefunds(
  deps: FollowDependencies,
  olderThanSeconds = LEFT_ALONE_SECONDS,
): Promise<void> {
  if (deps.payments === null) return;
  const open = await deps.db.query<Row<PaymentReturn, 'id'>[]>(
    `select id from payment_returns where status = 'CREATED'
       and created_at < clock_timestamp() - make_interval(secs => $1) order by created_at limit $2`,
    [olderThanSeconds, MOST_AT_ONCE],
  );
  const failures: unknown[] = [];
  for (const { id } of open) await makeRefund(deps, id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
