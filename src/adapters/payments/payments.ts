/**
 * The provider of payments. It is asked for the present state of an object; an event about the object is a hint only, because
 * events come late, twice and in any order.
 */
import type { PaymentBalance } from './balance.ts';
import type { PaymentCards } from './cards.ts';
import type { PaymentReturns } from './returns.ts';
import type { PaymentSubscriptions } from './subscriptions.ts';

/** A checkout to be opened. The same top-up is opened once, however often the provider is asked. */
export interface CheckoutRequest {
  readonly topupId: string;
  readonly customerId: string;
  readonly amountPence: number;
  /** The name of what is bought, as the customer reads it. */
  readonly name: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
}

/** How far the payment of a checkout is. */
export type CheckoutProgress = 'open' | 'processing' | 'paid' | 'failed' | 'expired';

/** A checkout as it is at the provider now. */
export interface Checkout {
  readonly id: string;
  /** The hosted page; null once the checkout is over. */
  readonly url: string | null;
  readonly progress: CheckoutProgress;
  readonly mode: string;
  readonly currency: string | null;
  /** The price before tax. */
  readonly subtotalPence: number | null;
  readonly taxPence: number;
  readonly isLive: boolean;
  /** The two places in which the provider keeps the id of the top-up; null where there is none. */
  readonly reference: string | null;
  readonly topupId: string | null;
  readonly paymentId: string | null;
  readonly invoiceUrl: string | null;
  readonly receiptUrl: string | null;
}

/** A genuine event; the object that it is about has to be read. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** The id of the object; empty when the object has none. */
  readonly objectId: string;
  readonly isLive: boolean;
  readonly createdAt: Date;
}

/** The provider of payments. */
export interface Payments extends PaymentReturns, PaymentBalance, PaymentCards, PaymentSubscriptions {
  /** Whether the credentials move real money. */
  readonly isLive: boolean;
  /** Makes the customer of an account; asked again within a day, the provider answers the same customer. */
  openCustomer(accountId: string): Promise<string>;
  /** @throws PaymentRefusal when the provider will never open this checkout. */
  openCheckout(request: CheckoutRequest): Promise<Checkout>;
  /** @throws PaymentRefusal when there is no such checkout. */
  readCheckout(checkoutId: string): Promise<Checkout>;
  /** Proves the signature of an event over the bytes that came. @throws VALIDATION_ERROR. */
  readEvent(body: Buffer, signature: string): PaymentEvent;
}

/** A refusal by the provider that stays the same however often the request is repeated. */
export class PaymentRefusal extends Error {}
