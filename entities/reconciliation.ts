/** Reconciliation: the provider's movements of our balance, and what does not agree with the books. */
import { EntitySchema } from 'typeorm';

import { bigint, nullable, primary, text, time, uuid, writeTime } from './columns.ts';

/** A movement of our balance at the provider; never changed there. */
export interface ProviderTransaction {
  id: string;
  /** Kind of the movement in the provider's words: `charge`, `refund`, `adjustment` and others. */
  kind: string;
  paymentId: string;
  /** Before the provider's fees; negative when money left. */
  amountPence: number;
  currency: string;
  createdAt: Date;
  seenAt: Date;
}

/** Table `provider_transactions`. */
export const ProviderTransactionEntity = new EntitySchema<ProviderTransaction>({
  name: 'ProviderTransaction',
  tableName: 'provider_transactions',
  columns: {
    id: primary(text),
    kind: text,
    paymentId: text,
    amountPence: bigint,
    currency: text,
    createdAt: time,
    seenAt: writeTime,
  },
});

/** Something on which the books and the world outside do not agree; `endedAt` is set once they do. */
export interface ReconciliationDifference {
  id: string;
  checkName: string;
  subject: string;
  detail: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  endedAt: Date | null;
}

/** Table `reconciliation_differences`. */
export const ReconciliationDifferenceEntity = new EntitySchema<ReconciliationDifference>({
  name: 'ReconciliationDifference',
  tableName: 'reconciliation_differences',
  columns: {
    id: primary(uuid),
    checkName: text,
    subject: text,
    detail: text,
    firstSeenAt: writeTime,
    lastSeenAt: writeTime,
    endedAt: nullable(time),
  },
});
