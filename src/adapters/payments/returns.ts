/** Money that goes back, or that a bank has taken back, as a provider of payments shows it. */

/** A refund or a dispute as it is at the provider now. */
export interface ProviderReturn {
  readonly kind: 'refund' | 'dispute';
  readonly id: string;
  /** State in the provider's words. */
  readonly status: string;
  readonly currency: string;
  readonly grossPence: number;
  /** The part of `grossPence` that is gone from our account at the provider now; 0 for a refund that failed, and while a bank only asks. */
  readonly takenPence: number;
  readonly paymentId: string | null;
  /** The id of the top-up that was paid; null where the payment names none. */
  readonly topupId: string | null;
  /** The id that we gave to the refund; null for what we did not ask for. */
  readonly returnId: string | null;
}

/** A refund to be made. */
export interface RefundRequest {
  readonly returnId: string;
  readonly paymentId: string;
  readonly grossPence: number;
}

/** The part of a provider of payments that gives money back. */
export interface PaymentReturns {
  /** Makes a refund; asked again within a day, the provider answers the same refund. @throws PaymentRefusal when the provider will never make the refund. */
  openRefund(request: RefundRequest): Promise<ProviderReturn>;
  /** The refund that we asked for under this id; null when the provider never made it. */
  findRefund(request: Pick<RefundRequest, 'returnId' | 'paymentId'>): Promise<ProviderReturn | null>;
  /** @throws PaymentRefusal when there is no such refund. */
  readRefund(refundId: string): Promise<ProviderReturn>;
  /** @throws PaymentRefusal when there is no such dispute. */
  readDispute(disputeId: string): Promise<ProviderReturn>;
}
