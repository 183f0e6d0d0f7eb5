/** Payments: customers at the provider, top-ups, what went back of top-ups, and the events that the provider has sent. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  defaulted,
  insertTime,
  integer,
  nullable,
  primary,
  text,
  time,
  uuid,
  writeTime,
} from './columns.ts';

/** The customer that stands for an account at the provider. */
export interface PaymentCustomer {
  accountId: string;
  customerId: string;
  createdAt: Date;
}

/** Table `payment_customers`. */
export const PaymentCustomerEntity = new EntitySchema<PaymentCustomer>({
  name: 'PaymentCustomer',
  tableName: 'payment_customers',
  columns: { accountId: primary(uuid), customerId: text, createdAt: insertTime },
});

/** A purchase of credits; amounts are what they were when it began. */
export interface Topup {
  id: string;
  accountId: string;
  tierId: string;
  amountPence: number;
  bonusPence: number;
  state: 'CREATED' | 'OPEN' | 'PROCESSING' | 'PAID' | 'FAILED' | 'EXPIRED';
  /** SHA-256 (hex) of the request. */
  fingerprint: string;
  successUrl: string;
  cancelUrl: string;
  /** The checkout at the provider and its hosted page; null before there is one. */
  checkoutId: string | null;
  checkoutUrl: string | null;
  paymentId: string | null;
  invoiceUrl: string | null;
  receiptUrl: string | null;
  taxPence: number;
  /** Sum that the provider has paid back, or a bank has taken back, tax included. */
  returnedPence: number;
  /** Field of the payment that does not agree with the top-up, for which a person has to look; null when all agrees. */
  parked: string | null;
  /** Number of the account's auto top-up, and the card that is charged; null for a top-up that a customer began. */
  autoNumber: number | null;
  autoCard: string | null;
  /** The end of the checkout. */
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
  paidAt: Date | null;
}

/** Table `topups`. */
export const TopupEntity = new EntitySchema<Topup>({
  name: 'Topup',
  tableName: 'topups',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    tierId: text,
    amountPence: bigint,
    bonusPence: bigint,
    state: defaulted(text, "'CREATED'"),
    fingerprint: text,
    successUrl: text,
    cancelUrl: text,
    checkoutId: nullable(text),
    checkoutUrl: nullable(text),
    paymentId: nullable(text),
    invoiceUrl: nullable(text),
    receiptUrl: nullable(text),
    taxPence: defaulted(bigint, '0'),
    returnedPence: defaulted(bigint, '0'),
    parked: nullable(text),
    autoNumber: nullable(integer),
    autoCard: nullable(text),
    expiresAt: time,
    createdAt: writeTime,
    updatedAt: writeTime,
    paidAt: nullable(time),
  },
});

/** The wish of an account to buy credits by itself. */
export interface AutoTopup {
  accountId: string;
  tierId: string;
  belowPence: number;
  monthLimitPence: number;
  /** Why nothing is bought until an owner sets it again; null while all is well. */
  paused: 'NO_PAYMENT_METHOD' | 'AUTHENTICATION_REQUIRED' | 'CARD_DECLINED' | null;
  updatedAt: Date;
}

/** Table `auto_topups`. */
export const AutoTopupEntity = new EntitySchema<AutoTopup>({
  name: 'AutoTopup',
  tableName: 'auto_topups',
  columns: {
    accountId: primary(uuid),
    tierId: text,
    belowPence: bigint,
    monthLimitPence: bigint,
    paused: nullable(text),
    updatedAt: writeTime,
  },
});

/** Money of a top-up that goes back, or that a bank has taken back. A refund writes the row before it is asked for. */
export interface PaymentReturn {
  id: string;
  topupId: string;
  accountId: string;
  kind: 'refund' | 'dispute';
  /** The id of the refund or dispute at the provider; null before there is one. */
  providerId: string | null;
  /** State in the provider's words; `CREATED` before there is one, `REFUSED` when there will be none. */
  status: string;
  /** The whole sum, tax included, and what of the sum is taken from the books now. */
  grossPence: number;
  takenPence: number;
  /** How often `takenPence` has changed. */
  turns: number;
  /** How often a state of the provider was applied. */
  version: number;
  /** Sum that an operator asked to refund, before tax, and why; null for a refund that was made at the provider. */
  creditPence: number | null;
  reason: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Table `payment_returns`. */
export const PaymentReturnEntity = new EntitySchema<PaymentReturn>({
  name: 'PaymentReturn',
  tableName: 'payment_returns',
  columns: {
    id: primary(uuid),
    topupId: uuid,
    accountId: uuid,
    kind: text,
    providerId: nullable(text),
    status: text,
    grossPence: bigint,
    takenPence: defaulted(bigint, '0'),
    turns: defaulted(integer, '0'),
    version: defaulted(integer, '0'),
    creditPence: nullable(bigint),
    reason: nullable(text),
    createdAt: writeTime,
    updatedAt: writeTime,
  },
});

/** An event that the provider has signed; `handledAt` is set once its object was read and applied. */
export interface PaymentEventRow {
  id: string;
  type: string;
  objectId: string;
  isLive: boolean;
  createdAt: Date;
  receivedAt: Date;
  handledAt: Date | null;
  /** Why nothing was applied, where a person has to look. */
  parked: string | null;
}

/** Table `payment_events`. */
export const PaymentEventEntity = new EntitySchema<PaymentEventRow>({
  name: 'PaymentEvent',
  tableName: 'payment_events',
  columns: {
    id: primary(text),
    type: text,
    objectId: text,
    isLive: boolean,
    createdAt: time,
    receivedAt: writeTime,
    handledAt: nullable(time),
    parked: nullable(text),
  },
});
