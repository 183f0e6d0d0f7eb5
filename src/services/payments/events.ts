/**
 * Events of the provider of payments. An event is stored before it is answered, once; it is a hint only, so whoever handles it reads the
 * object again and applies what the object is now. An event that nobody has handled is handled by the sweep.
 */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import { PaymentEventEntity } from '../../../entities/payments.ts';
import type { PaymentEventRow } from '../../../entities/payments.ts';
import { PaymentRefusal } from '../../adapters/payments/payments.ts';
import { insertIfNew } from '../insert-if-new.ts';
import { applyCheckout } from './follow.ts';
import type { FollowDependencies } from './follow.ts';
import { findTopup, requirePayments } from './topup-rows.ts';

const CHECKOUT_EVENTS: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]);

/** An event that came is left to the process that took it for so long. */
const LEFT_ALONE_SECONDS = 60;
const MOST_AT_ONCE = 200;

/**
 * Stores an event. A repeated event is stored once.
 * @returns its id, to be handled after the answer.
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
  if (event.handledAt !== null || !CHECKOUT_EVENTS.has(event.type)) return;
  const parked = await handleCheckout(deps, event);
  if (parked !== null) deps.alarm('an event fits no top-up', { eventId: id, reason: parked });
  await events.update({ id }, { handledAt: new Date(), parked });
}

/** @returns why nothing was applied; null when the top-up was brought to what its checkout is. */
async function handleCheckout(deps: FollowDependencies, event: PaymentEventRow): Promise<string | null> {
  const payments = requirePayments(deps.payments);
  if (event.isLive !== payments.isLive) return 'livemode';
  try {
    const checkout = await payments.readCheckout(event.objectId);
    const id = checkout.reference ?? checkout.topupId ?? '';
    const topup = isUuid(id) ? await findTopup(deps.db, id) : null;
    if (topup === null) return 'unknown top-up';
    if (topup.checkoutId !== null && topup.checkoutId !== checkout.id) return 'another checkout';
    await applyCheckout(deps, topup.id, checkout);
    return null;
  } catch (error) {
    if (error instanceof PaymentRefusal) return 'unknown checkout';
    throw error;
  }
}

/** Handles the events that were stored and not handled, oldest first. @throws the first failure, after all were tried. */
export async function sweepPaymentEvents(
  deps: FollowDependencies & { readonly db: DataSource },
  olderThanSeconds = LEFT_ALONE_SECONDS,
): Promise<void> {
  if (deps.payments === null) return;
  const open = await deps.db.query<{ readonly id: string }[]>(
    `select id from payment_events where handled_at is null and type = any($3)
       and received_at < clock_timestamp() - make_interval(secs => $1) order by received_at limit $2`,
    [olderThanSeconds, MOST_AT_ONCE, [...CHECKOUT_EVENTS]],
  );
  const failures: unknown[] = [];
  for (const { id } of open) await handleEvent(deps, id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
