/** Our balance at a provider of payments. */

/** A movement of our balance that belongs to a payment. */
export interface BalanceMove {
  readonly id: string;
  readonly kind: string;
  /** The payment that was paid, refunded or disputed; the id of the charge, refund or dispute where there is no payment. */
  readonly paymentId: string;
  /** Before the provider's fees; negative when money left. */
  readonly amountPence: number;
  readonly currency: string;
  readonly createdAt: Date;
}

/** The part of a provider of payments that knows our balance. */
export interface PaymentBalance {
  /** Movements since a time, in any order; payouts and fees of their own are left out. */
  listMoves(since: Date): AsyncIterable<BalanceMove>;
}
