/** The ledger: accounts, append-only transfers and entries, holds with their lots. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  defaulted,
  identity,
  insertTime,
  integer,
  nullable,
  primary,
  text,
  time,
  uuid,
} from './columns.ts';

/** A ledger account; one of the service has neither owner nor balance. */
export interface LedgerAccount {
  id: number;
  accountId: string | null;
  kind: string;
  balancePence: number | null;
  /** The number of entries so far. */
  version: number | null;
}

/** Table `ledger_accounts`. */
export const LedgerAccountEntity = new EntitySchema<LedgerAccount>({
  name: 'LedgerAccount',
  tableName: 'ledger_accounts',
  columns: {
    id: identity,
    accountId: nullable(uuid),
    kind: text,
    balancePence: nullable(bigint),
    version: nullable(bigint),
  },
});

/** A movement of money: two or more entries that sum to zero. */
export interface LedgerTransfer {
  id: string;
  accountId: string;
  kind: string;
  idempotencyKey: string;
  inputSha256: string;
  jobId: string | null;
  holdId: string | null;
  tierId: string | null;
  reversesId: string | null;
  description: string;
  createdAt: Date;
}

/** Table `ledger_transfers`. */
export const LedgerTransferEntity = new EntitySchema<LedgerTransfer>({
  name: 'LedgerTransfer',
  tableName: 'ledger_transfers',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    kind: text,
    idempotencyKey: text,
    inputSha256: text,
    jobId: nullable(uuid),
    holdId: nullable(uuid),
    tierId: nullable(text),
    reversesId: nullable(uuid),
    description: text,
    createdAt: insertTime,
  },
});

/** One line of a transfer; a customer's carries the balance after it and the account's version. */
export interface LedgerEntry {
  id: number;
  transferId: string;
  ledgerAccountId: number;
  amountPence: number;
  balanceAfterPence: number | null;
  version: number | null;
}

/** Table `ledger_entries`. */
export const LedgerEntryEntity = new EntitySchema<LedgerEntry>({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  columns: {
    id: identity,
    transferId: uuid,
    ledgerAccountId: bigint,
    amountPence: bigint,
    balanceAfterPence: nullable(bigint),
    version: nullable(bigint),
  },
});

/** Credits reserved for one execution of a job. */
export interface Hold {
  id: string;
  accountId: string;
  jobId: string;
  execution: number;
  state: 'OPEN' | 'SETTLED';
  heldPence: number;
  chargedPence: number;
  releasedPence: number;
  createdAt: Date;
  settledAt: Date | null;
}

/** Table `holds`. */
export const HoldEntity = new EntitySchema<Hold>({
  name: 'Hold',
  tableName: 'holds',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    jobId: uuid,
    execution: integer,
    state: defaulted(text, "'OPEN'"),
    heldPence: bigint,
    chargedPence: defaulted(bigint, '0'),
    releasedPence: defaulted(bigint, '0'),
    createdAt: insertTime,
    settledAt: nullable(time),
  },
});

/** A part of a hold that came from one bucket and period. */
export interface HoldLot {
  holdId: string;
  ordinal: number;
  bucket: 'wallet' | 'monthly';
  periodEndsAt: Date | null;
  amountPence: number;
  chargedPence: number;
  releasedPence: number;
}

/** Table `hold_lots`. */
export const HoldLotEntity = new EntitySchema<HoldLot>({
  name: 'HoldLot',
  tableName: 'hold_lots',
  columns: {
    holdId: primary(uuid),
    ordinal: primary(integer),
    bucket: text,
    periodEndsAt: nullable(time),
    amountPence: bigint,
    chargedPence: defaulted(bigint, '0'),
    releasedPence: defaulted(bigint, '0'),
  },
});
