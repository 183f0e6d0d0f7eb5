/** Subscriptions at the provider of payments, and their periods that were paid. */
import { EntitySchema } from 'typeorm';

import { integer, nullable, primary, text, time, uuid, writeTime } from './columns.ts';

/** A subscription as the provider last told of it. */
export interface Subscription {
  id: string;
  accountId: string;
  /** The word of the provider, such as `active` or `past_due`. */
  status: string;
  /** When the subscription ended, as the provider says; null while it may go on. */
  endedAt: Date | null;
  /** How often it was written, from 1: an answer that was overtaken is read again. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Table `subscriptions`. */
export const SubscriptionEntity = new EntitySchema<Subscription>({
  name: 'Subscription',
  tableName: 'subscriptions',
  columns: {
    id: primary(text),
    accountId: uuid,
    status: text,
    endedAt: nullable(time),
    version: integer,
    createdAt: writeTime,
    updatedAt: writeTime,
  },
});

/** A period whose invoice was paid; the id is that of the allowance period. */
export interface SubscriptionPeriod {
  id: string;
  subscriptionId: string;
  accountId: string;
  invoiceId: string;
  startsAt: Date;
  endsAt: Date;
  /** When the payment was seen to have gone back as a whole; the period has no allowance then. */
  returnedAt: Date | null;
  createdAt: Date;
}

/** Table `subscription_periods`. */
export const SubscriptionPeriodEntity = new EntitySchema<SubscriptionPeriod>({
  name: 'SubscriptionPeriod',
  tableName: 'subscription_periods',
  columns: {
    id: primary(uuid),
    subscriptionId: text,
    accountId: uuid,
    invoiceId: text,
    startsAt: time,
    endsAt: time,
    returnedAt: nullable(time),
    createdAt: writeTime,
  },
});

/** A payment of an invoice of a subscription; the ledger knows nothing of such a payment. */
export interface SubscriptionPayment {
  paymentId: string;
  subscriptionId: string;
  invoiceId: string;
  createdAt: Date;
}

/** Table `subscription_payments`. */
export const SubscriptionPaymentEntity = new EntitySchema<SubscriptionPayment>({
  name: 'SubscriptionPayment',
  tableName: 'subscription_payments',
  columns: { paymentId: primary(text), subscriptionId: text, invoiceId: text, createdAt: writeTime },
});
