/** The ledger: balances, append-only transfers with their entries, allowance periods, holds with their parts and lots. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  bigintArray,
  boolean,
  date,
  defaulted,
  insertTime,
  integer,
  nullable,
  primary,
  text,
  textArray,
  time,
  uuid,
} from './columns.ts';

/** Credits and debt of a customer, in pence. */
export interface LedgerBalance {
  accountId: string;
  wallet: number;
  walletHeld: number;
  monthly: number;
  monthlyHeld: number;
  /** The customer's debt, as a balance of zero or less. */
  debt: number;
  /** The allowance period that the monthly credits are of; null without one. */
  monthlyPeriod: string | null;
  /** The end of that period. */
  monthlyEndsAt: Date | null;
  /** The most that a job may cost, and the account in a UTC month; null without a limit. */
  jobLimitPence: number | null;
  monthLimitPence: number | null;
  /** The first day of the UTC month of the last settlement, as YYYY-MM-DD, and what was charged in that month. */
  month: string | null;
  monthChargedPence: number;
  /** Below this amount of credits the owners are told; null for never. */
  lowBalancePence: number | null;
  /** The most that the keys of one member may cost together in a UTC month; null without a limit. */
  memberKeysLimitPence: number | null;
  /** Whether a key of the account has a limit. */
  keyLimits: boolean;
  /** The number of transfers so far. */
  version: number;
}

/** Table `ledger_balances`. */
export const LedgerBalanceEntity = new EntitySchema<LedgerBalance>({
  name: 'LedgerBalance',
  tableName: 'ledger_balances',
  columns: {
    accountId: primary(uuid),
    wallet: defaulted(bigint, '0'),
    walletHeld: defaulted(bigint, '0'),
    monthly: defaulted(bigint, '0'),
    monthlyHeld: defaulted(bigint, '0'),
    debt: defaulted(bigint, '0'),
    monthlyPeriod: nullable(uuid),
    monthlyEndsAt: nullable(time),
    jobLimitPence: nullable(bigint),
    monthLimitPence: nullable(bigint),
    month: nullable(date),
    monthChargedPence: defaulted(bigint, '0'),
    lowBalancePence: nullable(bigint),
    memberKeysLimitPence: nullable(bigint),
    keyLimits: defaulted(boolean, 'false'),
    version: defaulted(bigint, '0'),
  },
});

/** A movement of money: two or more entries that sum to zero, and the customer's balances after it. */
export interface LedgerTransfer {
  id: string;
  accountId: string;
  /** The number of this transfer among the customer's transfers, from 1. */
  version: number;
  kind:
    | 'topup'
    | 'topup_bonus'
    | 'promo'
    | 'monthly_grant'
    | 'monthly_expiry'
    | 'hold'
    | 'hold_increase'
    | 'hold_release'
    | 'charge'
    | 'refund'
    | 'dispute'
    | 'adjustment';
  idempotencyKey: string;
  inputSha256: string;
  jobId: string | null;
  holdId: string | null;
  tierId: string | null;
  reversesId: string | null;
  description: string;
  /** The ledger account of each entry. */
  accounts: string[];
  /** The amount of each entry. */
  amountsPence: number[];
  walletAfter: number;
  walletHeldAfter: number;
  monthlyAfter: number;
  monthlyHeldAfter: number;
  debtAfter: number;
  createdAt: Date;
}

/** Table `ledger_transfers`. */
export const LedgerTransferEntity = new EntitySchema<LedgerTransfer>({
  name: 'LedgerTransfer',
  tableName: 'ledger_transfers',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    version: bigint,
    kind: text,
    idempotencyKey: text,
    inputSha256: text,
    jobId: nullable(uuid),
    holdId: nullable(uuid),
    tierId: nullable(text),
    reversesId: nullable(uuid),
    description: text,
    accounts: textArray,
    amountsPence: bigintArray,
    walletAfter: bigint,
    walletHeldAfter: bigint,
    monthlyAfter: bigint,
    monthlyHeldAfter: bigint,
    debtAfter: bigint,
    createdAt: insertTime,
  },
});

/** One line of a transfer. A line of a customer's account carries the balance after the transfer. */
export interface LedgerEntry {
  transferId: string;
  ordinal: number;
  accountId: string;
  holdId: string | null;
  version: number;
  kind: string;
  account: string;
  amountPence: number;
  balanceAfterPence: number | null;
  createdAt: Date;
}

/** View `ledger_entries`, for auditors. PostgreSQL reports every column of a view as nullable. */
export const LedgerEntryEntity = new EntitySchema<LedgerEntry>({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  type: 'view',
  columns: {
    transferId: nullable(uuid),
    ordinal: nullable(integer),
    accountId: nullable(uuid),
    holdId: nullable(uuid),
    version: nullable(bigint),
    kind: nullable(text),
    account: nullable(text),
    amountPence: nullable(bigint),
    balanceAfterPence: nullable(bigint),
    createdAt: nullable(time),
  },
});

/** A time for which monthly credits are granted, and with which they expire. */
export interface AllowancePeriod {
  id: string;
  accountId: string;
  startsAt: Date;
  endsAt: Date;
  grantedPence: number;
  createdAt: Date;
}

/** Table `allowance_periods`. */
export const AllowancePeriodEntity = new EntitySchema<AllowancePeriod>({
  name: 'AllowancePeriod',
  tableName: 'allowance_periods',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    startsAt: time,
    endsAt: time,
    grantedPence: bigint,
    createdAt: insertTime,
  },
});

/** The lots of a part of a hold, one of monthly credits and one of wallet credits; a lot may be 0. */
export interface HoldLots {
  monthlyPence: number;
  /** The allowance period of the monthly lot; null without one. */
  monthlyPeriod: string | null;
  monthlyChargedPence: number;
  monthlyReleasedPence: number;
  walletPence: number;
  walletChargedPence: number;
  walletReleasedPence: number;
}

/** Credits reserved for one execution of a job; the lots are those of the first part. */
export interface Hold extends HoldLots {
  id: string;
  accountId: string;
  jobId: string;
  execution: number;
  /** The first key of the line of the API key that the hold was placed for; null for a session. */
  keyId: string | null;
  state: 'OPEN' | 'SETTLED';
  /** The number of parts beyond the first, and their sums. */
  extensions: number;
  extendedPence: number;
  extendedChargedPence: number;
  extendedReleasedPence: number;
  /** The sum of all lots; the database checks all three sums. */
  heldPence: number;
  chargedPence: number;
  releasedPence: number;
  createdAt: Date;
  settledAt: Date | null;
}

const LOTS = {
  monthlyPence: bigint,
  monthlyPeriod: nullable(uuid),
  monthlyChargedPence: defaulted(bigint, '0'),
  monthlyReleasedPence: defaulted(bigint, '0'),
  walletPence: bigint,
  walletChargedPence: defaulted(bigint, '0'),
  walletReleasedPence: defaulted(bigint, '0'),
} as const;

/** Table `holds`. */
export const HoldEntity = new EntitySchema<Hold>({
  name: 'Hold',
  tableName: 'holds',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    jobId: uuid,
    execution: integer,
    keyId: nullable(uuid),
    state: defaulted(text, "'OPEN'"),
    ...LOTS,
    extensions: defaulted(integer, '0'),
    extendedPence: defaulted(bigint, '0'),
    extendedChargedPence: defaulted(bigint, '0'),
    extendedReleasedPence: defaulted(bigint, '0'),
    heldPence: bigint,
    chargedPence: defaulted(bigint, '0'),
    releasedPence: defaulted(bigint, '0'),
    createdAt: insertTime,
    settledAt: nullable(time),
  },
});

/** The limit of a line of API keys, with what the jobs of these keys hold and were charged in the month. */
export interface KeyLimit {
  /** The first key of the line. */
  keyId: string;
  accountId: string;
  monthLimitPence: number;
  heldPence: number;
  /** The first day of the UTC month that `monthChargedPence` counts, as YYYY-MM-DD. */
  month: string;
  monthChargedPence: number;
}

/** Table `key_limits`. */
export const KeyLimitEntity = new EntitySchema<KeyLimit>({
  name: 'KeyLimit',
  tableName: 'key_limits',
  columns: {
    keyId: primary(uuid),
    accountId: uuid,
    monthLimitPence: bigint,
    heldPence: bigint,
    month: date,
    monthChargedPence: bigint,
  },
});

/** A part of a hold beyond the first, numbered from 1. */
export interface HoldExtension extends HoldLots {
  holdId: string;
  part: number;
  createdAt: Date;
}

/** Table `hold_extensions`. */
export const HoldExtensionEntity = new EntitySchema<HoldExtension>({
  name: 'HoldExtension',
  tableName: 'hold_extensions',
  columns: { holdId: primary(uuid), part: primary(integer), ...LOTS, createdAt: time },
});

/** A part of a hold; the first has the number 0. */
export interface HoldPart extends HoldExtension {
  accountId: string;
  jobId: string;
}

/** View `hold_parts`, for auditors. PostgreSQL reports every column of a view as nullable. */
export const HoldPartEntity = new EntitySchema<HoldPart>({
  name: 'HoldPart',
  tableName: 'hold_parts',
  type: 'view',
  columns: {
    holdId: nullable(uuid),
    part: nullable(integer),
    accountId: nullable(uuid),
    jobId: nullable(uuid),
    monthlyPence: nullable(bigint),
    monthlyPeriod: nullable(uuid),
    monthlyChargedPence: nullable(bigint),
    monthlyReleasedPence: nullable(bigint),
    walletPence: nullable(bigint),
    walletChargedPence: nullable(bigint),
    walletReleasedPence: nullable(bigint),
    createdAt: nullable(time),
  },
});
