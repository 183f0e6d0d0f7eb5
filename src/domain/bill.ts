/** The bill of a job, as it is answered. Amounts in `*Micro` are integers, so that a reader can add them up exactly. */
import type { BillLineKind } from './charge.ts';
import type { TransactionType } from './responses.ts';

/** A line of a bill; amounts are millionths of the currency of the execution. */
export interface BillItem {
  readonly kind: BillLineKind;
  readonly priceClass: string | null;
  readonly tasks: number | null;
  readonly meteredMs: number | null;
  readonly amountMicro: number;
}

/** A transfer of the ledger that a bill names. */
export interface BillTransfer {
  readonly transferId: string;
  readonly type: TransactionType;
  readonly amountCents: number;
}

/** Cost of an execution: lines that come to a sum, and how the sum became credits. */
export interface BilledExecution {
  readonly execution: number;
  readonly outcome: string | null;
  readonly startedAt: string;
  /** Null while the execution is open; its lines then say what is due so far. */
  readonly settledAt: string | null;
  readonly priceBookVersion: string;
  readonly currency: string;
  readonly lines: BillItem[];
  readonly totalMicro: number;
  readonly fxRate: number;
  readonly fxSource: string | null;
  readonly fxDate: string | null;
  readonly convertedMicro: number;
  readonly roundingMicro: number;
  readonly dueCents: number;
  readonly heldCents: number;
  readonly chargedCents: number;
  readonly releasedCents: number;
  readonly transfers: BillTransfer[];
}

/** The answer of GET /jobs/{id}/bill. */
export interface JobBillResponse {
  readonly jobId: string;
  readonly creditCurrency: string;
  readonly chargedCents: number;
  readonly executions: BilledExecution[];
}
