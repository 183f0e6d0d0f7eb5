/**
 * Events of the provider of payments. An event is stored once, and before the provider is answered. An event is a hint only: whoever
 * handles the event reads its object again and applies what the object is now. The sweep handles the events that nobody has handled.
 */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import { PaymentEventEntity } from '../../../entities/payments.ts';
import type { PaymentEventRow } from '../../../entities/payments.ts';
import { PaymentRefusal } from '../../adapters/payments/payments.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Row } from '../row.ts';
import { applyCheckout } from './follow.ts';
import type { FollowDependencies } from './follow.ts';
import { applyReturn } from './returns.ts';
import { applyInvoice, applySubscription } from './subscriptions.ts';
import { findTopup, requirePayments } from './topup-rows.ts';

/** Handles an event. @returns why nothing was applied, for a person to look at; null when all was applied. */
type Handler = (deps: FollowDependencies, objectId: string) => Promise<string | null>;

const checkout: Handler = async (deps, objectId) => {
  const found = await requirePayments(deps.payments).readCheckout(objectId);
  // The invoice of a subscription tells of its payment.
  if (found.mode === 'subscription') return null;
  const id = found.reference ?? found.topupId ?? '';
  const topup = isUuid(id) ? await findTopup(deps.db, id) : null;
  if (topup === null) return 'unknown top-up';
  if (topup.checkoutId !== null && topup.checkoutId !== found.id) return 'another checkout';
  await applyCheckout(deps, topup.id, found);
  return null;
};

/** The payment of a checkout is told by the checkout, and that of a subscription by its invoice. */
const charge: Handler = async (deps, objectId) => {
  const found = await requirePayments(deps.payments).readCharge(objectId);
  const id = found.topupId ?? '';
  const topup = isUuid(id) ? await findTopup(deps.db, id) : null;
  if (topup === null || topup.autoNumber === null) return null;
  if (topup.paymentId !== null && topup.paymentId !== objectId) return 'another payment';
  await applyCheckout(deps, topup.id, found);
  return null;
};

const refund: Handler = (deps, objectId) => applyReturn(deps, 'refund', objectId);

const dispute: Handler = (deps, objectId) => applyReturn(deps, 'dispute', objectId);

/** Handlers of the types of events. `charge.refunded` is not among them, because it names no refund. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['checkout.session.completed', checkout],
  ['checkout.session.async_payment_succeeded', checkout],
  ['checkout.session.async_payment_failed', checkout],
  ['checkout.session.expired', checkout],
  ['payment_intent.succeeded', charge],
  ['payment_intent.payment_failed', charge],
  ['refund.created', refund],
  ['refund.updated', refund],
  ['refund.failed', refund],
  ['charge.dispute.funds_withdrawn', dispute],
  ['charge.dispute.funds_reinstated', dispute],
  ['charge.dispute.closed', dispute],
  ['customer.subscription.created', applySubscription],
  ['customer.subscription.updated', applySubscription],
  ['customer.subscription.paused', applySubscription],
  ['customer.subscription.resumed', applySubscription],
  ['customer.subscription.deleted', applySubscription],
  ['invoice.paid', applyInvoice],
  ['invoice.payment_failed', applyInvoice],
]);

/** The seconds for which the sweep leaves an event to the process that stored the event. */
const LEFT_ALONE_SECONDS = 60;
const MOST_AT_ONCE = 200;

/**
 * Stores an event. A repeated event is stored once.
 * @returns the id of the event, which is handled after the answer.
 * @throws PAYMENTS_NOT_CONFIGURED, VALIDATION_ERROR.
 */
export async function receiveEvent(
  { db, payments }: Pick<FollowDependencies, 'db' | 'payments'>,
  body: Buffer,
  signature: string,
): Promise<string> {
  const event = requirePayments(payments).readEvent(body, signature);
  await insertIfNew(db, PaymentEventEntity, { ...event });
  return event.id;
}

/**
 * Reads the object of an event and applies what the object is now. An event that was handled is left alone, and so is one
 * of a type that nothing handles yet: such an event stays open for the release that handles its type.
 */
export async function handleEvent(deps: FollowDependencies, id: string): Promise<void> {
  const events = deps.db.getRepository(PaymentEventEntity);
  const event = await events.findOneByOrFail({ id });
  const handler = HANDLERS.get(event.type);
  if (event.handledAt !== null || handler === undefined) return;
  const parked = await handle(deps, event, handler);
  if (parked !== null) deps.alarm('an event fits no top-up', { eventId: id, reason: parked });
  await events.update({ id }, { handledAt: new Date(), parked });
}

async function handle(
  deps: FollowDependencies,
  event: PaymentEventRow,
  handler: Handler,
): Promise<string | null> {
  if (event.isLive !== requirePayments(deps.payments).isLive) return 'livemode';
  try {
    return await handler(deps, event.objectId);
  } catch (error) {
    if (error instanceof PaymentRefusal) return 'unknown object';
    throw error;
  }
}

/** Handles the events that were stored and not handled, oldest first. @throws the first failure, after all were tried. */
export async function sweepPaymentEvents(
  deps: FollowDependencies & { readonly db: DataSource },
  olderThanSeconds = LEFT_ALONE_SECONDS,
): Promise<void> {
  if (deps.payments === null) return;
  const open = await deps.db.query<Row<PaymentEventRow, 'id'>[]>(
    `select id from payment_events where handled_at is null and type = any($3)
       and received_at < clock_timestamp() - make_interval(secs => $1) order by received_at limit $2`,
    [olderThanSeconds, MOST_AT_ONCE, [...HANDLERS.keys()]],
  );
  const failures: unknown[] = [];
  for (const { id } of open) await handleEvent(deps, id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
