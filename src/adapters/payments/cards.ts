/** Payments by a stored card while its owner is away. */
import type { CardRefusal } from '../../domain/auto-topups.ts';
import type { PaidCheckout } from '../../domain/topups.ts';

/** A charge of a stored card. The same number of an account is charged once, however often the provider is asked. */
export interface CardCharge {
  readonly topupId: string;
  readonly accountId: string;
  readonly number: number;
  readonly customerId: string;
  readonly card: string;
  readonly amountPence: number;
  readonly name: string;
}

/** A payment without a checkout, as far as the provider is with it now, and why a failed one failed. */
export interface CardPayment extends PaidCheckout {
  readonly id: null;
  readonly url: null;
  readonly taxPence: number;
  readonly paymentId: string | null;
  readonly invoiceUrl: null;
  readonly receiptUrl: string | null;
  readonly refusal: CardRefusal | null;
}

/** Stored cards at the provider. */
export interface PaymentCards {
  /** The card that a customer has chosen for payments; null without one. */
  readCard(customerId: string): Promise<string | null>;
  /** Charges a card; a card that refuses is an answer. @throws PaymentRefusal when the provider will never take this charge. */
  chargeCard(charge: CardCharge): Promise<CardPayment>;
  /** @throws PaymentRefusal when there is no such payment. */
  readCharge(paymentId: string): Promise<CardPayment>;
}
