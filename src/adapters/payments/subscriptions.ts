/** Subscriptions at the provider of payments. */

/** A checkout of the plan pro. */
export interface SubscriptionRequest {
  readonly accountId: string;
  readonly customerId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Equal requests with one key have one page; null for a page of its own. */
  readonly key: string | null;
}

/** A subscription as it is at the provider now. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly status: string;
  /** When the subscription ended; null while it may go on. */
  readonly endedAt: Date | null;
}

/** An invoice as it is at the provider now. */
export interface ProviderInvoice {
  readonly id: string;
  /** Null for an invoice of anything but a subscription. */
  readonly subscriptionId: string | null;
  readonly isPaid: boolean;
  /** Payment of the invoice, tax included. */
  readonly paidPence: number;
  /** The payments of the invoice, as movements of the balance name them. */
  readonly paymentIds: readonly string[];
  /** The period of the plan pro that the invoice is for; null when it is for another thing. */
  readonly period: { readonly startsAt: Date; readonly endsAt: Date } | null;
}

/** Operations of the provider on subscriptions. */
export interface PaymentSubscriptions {
  /** Whether the plan pro can be bought: it has a price at the provider. */
  readonly hasPlan: boolean;
  /** @returns the hosted page to subscribe at. @throws PaymentRefusal. */
  openSubscription(request: SubscriptionRequest): Promise<string>;
  /** @returns the hosted page on which a customer keeps cards, invoices and the subscription. @throws PaymentRefusal. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** @throws PaymentRefusal when there is no such subscription. */
  readSubscription(id: string): Promise<ProviderSubscription>;
  /** Every subscription that has not ended. */
  listSubscriptions(): AsyncIterable<ProviderSubscription>;
  /** @throws PaymentRefusal when there is no such invoice. */
  readInvoice(id: string): Promise<ProviderInvoice>;
  /** @returns the invoice that a payment has paid; null when it has paid none. */
  findInvoice(paymentId: string): Promise<string | null>;
}
