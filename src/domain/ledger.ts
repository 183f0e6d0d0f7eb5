/**
 * Pure rules for the entries of each movement of credits: the lines of each kind of transfer, which always sum to zero; how a debt
 * is paid by whatever reaches the wallet; how a hold is split over the customer's buckets; how a settlement divides the hold again.
 * The accounts of a customer hold what the service owes the customer (never negative), and `debt` what the customer owes the
 * service (never positive); the accounts of the service are the other side.
 */

/** Ledger accounts of a customer. */
export const CUSTOMER_ACCOUNTS = ['wallet', 'wallet_held', 'monthly', 'monthly_held', 'debt'] as const;

/**
 * Ledger accounts of the service. The balances of these accounts are sums of their entries, and no transaction locks them.
 */
export const SERVICE_ACCOUNTS = [
  'stripe_clearing',
  'tax_payable',
  'bonus_expense',
  'monthly_issued',
  'monthly_expired',
  'revenue',
  'refunds',
  'adjustments',
] as const;

/** An account of a customer. */
export type CustomerAccount = (typeof CUSTOMER_ACCOUNTS)[number];

/** An account of the service. */
export type ServiceAccount = (typeof SERVICE_ACCOUNTS)[number];

/** Types of credit transactions. */
export const TRANSACTION_TYPES = [
  'topup',
  'topup_bonus',
  'promo',
  'monthly_grant',
  'monthly_expiry',
  'hold',
  'hold_increase',
  'hold_release',
  'charge',
  'refund',
  'dispute',
  'adjustment',
] as const;

/** The type of a credit transaction. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The kind of a transfer; the customer reads it as the transaction type. */
export type TransferKind = TransactionType;

/** The two places where spendable credits are. */
export type Bucket = 'wallet' | 'monthly';

/** One side of a transfer; a positive amount adds to the account. */
export interface Line {
  readonly account: CustomerAccount | ServiceAccount;
  readonly amountPence: number;
}

/** The lines of one transfer: two or more, one per account, summing to zero. */
export interface Posting {
  readonly kind: TransferKind;
  readonly lines: readonly Line[];
}

/** The credits that a customer can spend now. `monthlyPeriod` is the id of the period that the monthly credits are of. */
export interface Funds {
  readonly walletPence: number;
  readonly monthlyPence: number;
  readonly monthlyPeriod: string | null;
}

/** Part of a hold that was taken from one bucket and period. */
export interface Lot {
  readonly bucket: Bucket;
  readonly period: string | null;
  readonly amountPence: number;
}

/**
 * A lot at settlement. `ended` is true when the period of the lot is over or another one has begun, so that no bucket can
 * take back the rest of the lot.
 */
export interface OpenLot extends Pick<Lot, 'bucket' | 'amountPence'> {
  readonly ended: boolean;
}

/** Parts into which a settlement divided a lot. */
export interface SettledLot {
  readonly chargedPence: number;
  readonly releasedPence: number;
}

/** A settlement: the amounts per lot in order, the sums, and the transfers; transfers of zero are left out. */
export interface Settlement {
  readonly lots: readonly SettledLot[];
  readonly chargedPence: number;
  readonly releasedPence: number;
  readonly postings: readonly Posting[];
}

const HELD = { wallet: 'wallet_held', monthly: 'monthly_held' } as const satisfies Record<
  Bucket,
  CustomerAccount
>;

/** Whether the account belongs to a customer, and so has a balance with a bound. */
export function isCustomerAccount(account: Line['account']): account is CustomerAccount {
  return CUSTOMER_ACCOUNTS.some((kind) => kind === account);
}

/** Whether the account may have this balance: credits are never below zero, and a debt is never above zero. */
export function mayStandAt(account: CustomerAccount, balancePence: number): boolean {
  return account === 'debt' ? balancePence <= 0 : balancePence >= 0;
}

/** The posting of credits that are given for free into the wallet. */
export function promoPosting(amountPence: number): Posting {
  requirePence(amountPence);
  return posting('promo', [line('wallet', amountPence), line('bonus_expense', -amountPence)]);
}

/** The posting of a correction of the wallet; a negative amount takes credits away. */
export function adjustmentPosting(amountPence: number): Posting {
  requirePence(Math.abs(amountPence));
  return posting('adjustment', [line('wallet', amountPence), line('adjustments', -amountPence)]);
}

/** The posting of the credits of an allowance period. */
export function allowancePosting(amountPence: number): Posting {
  requirePence(amountPence);
  return posting('monthly_grant', [line('monthly', amountPence), line('monthly_issued', -amountPence)]);
}

/** The posting of monthly credits that were not used in their period. */
export function expiryPosting(amountPence: number): Posting {
  requirePence(amountPence);
  return posting('monthly_expiry', [line('monthly', -amountPence), line('monthly_expired', amountPence)]);
}

/**
 * Divides an amount over the customer's funds: monthly credits first, because they expire, then the wallet.
 * @returns no lots for an amount of zero, null when the funds do not cover the amount.
 */
export function splitHold(amountPence: number, funds: Funds): readonly Lot[] | null {
  requirePence(amountPence);
  if (amountPence > funds.monthlyPence + funds.walletPence) return null;
  const monthly = Math.min(amountPence, funds.monthlyPence);
  const lots: Lot[] = [
    { bucket: 'monthly', period: funds.monthlyPeriod, amountPence: monthly },
    { bucket: 'wallet', period: null, amountPence: amountPence - monthly },
  ];
  return lots.filter((lot) => lot.amountPence > 0);
}

/** Reserves the lots of a part: moves each lot from its bucket to the held account of the bucket. */
export function holdPosting(lots: readonly Lot[], kind: 'hold' | 'hold_increase' = 'hold'): Posting {
  return posting(
    kind,
    lots.flatMap((lot) => [line(lot.bucket, -lot.amountPence), line(HELD[lot.bucket], lot.amountPence)]),
  );
}

/**
 * Divides a hold between the service and the customer: the charge takes the lots of its parts in their order, and the rest of each
 * lot goes back to its bucket. The rest of a lot whose period has ended expires, or becomes wallet credit when the
 * service is at fault.
 * @throws RangeError when the charge is above the hold.
 */
export function settleLots(lots: readonly OpenLot[], chargePence: number, faultIsOurs: boolean): Settlement {
  requirePence(chargePence);
  const heldPence = sum(lots.map((lot) => lot.amountPence));
  if (chargePence > heldPence) {
    throw new RangeError(
      `A charge of ${String(chargePence)} pence is above the hold of ${String(heldPence)} pence`,
    );
  }
  let due = chargePence;
  const settled = lots.map((lot): SettledLot => {
    const chargedPence = Math.min(due, lot.amountPence);
    due -= chargedPence;
    return { chargedPence, releasedPence: lot.amountPence - chargedPence };
  });
  const rest = lots.map((lot, index) => ({ ...lot, pence: settled[index]?.releasedPence ?? 0 }));
  const charge = lots.map((lot, index) => line(HELD[lot.bucket], -(settled[index]?.chargedPence ?? 0)));
  const expires = (lot: OpenLot): boolean => lot.ended && !faultIsOurs;
  const release = rest.filter((lot) => !expires(lot));
  const expiry = rest.filter(expires);
  return {
    lots: settled,
    chargedPence: chargePence,
    releasedPence: heldPence - chargePence,
    postings: [
      posting('charge', [...charge, line('revenue', chargePence)]),
      posting(
        'hold_release',
        release.flatMap((lot) => [
          line(HELD[lot.bucket], -lot.pence),
          line(lot.ended ? 'wallet' : lot.bucket, lot.pence),
        ]),
      ),
      posting(
        'monthly_expiry',
        expiry.flatMap((lot) => [line(HELD[lot.bucket], -lot.pence), line('monthly_expired', lot.pence)]),
      ),
    ].filter((transfer) => transfer.lines.length > 0),
  };
}

/**
 * The lines of a transfer at the balances that it meets. Credits that would reach the wallet pay the debt first. Of what is taken
 * from the wallet, the rest that the wallet does not have becomes a debt when `mayOwe` is true; else the line stays.
 */
export function linesAt(
  lines: readonly Line[],
  { wallet, debt }: Readonly<Record<'wallet' | 'debt', number>>,
  mayOwe: boolean,
): readonly Line[] {
  const moved = sum(lines.filter(({ account }) => account === 'wallet').map((entry) => entry.amountPence));
  if (moved > 0 && debt < 0) return merged([...lines, ...between(Math.min(moved, -debt))]);
  const missing = Math.max(0, -moved - Math.max(0, wallet));
  return moved < 0 && mayOwe && missing > 0 ? merged([...lines, ...between(-missing)]) : lines;
}

/** Moves so much from the wallet to the debt; a negative amount makes a debt. */
function between(pence: number): readonly Line[] {
  return [line('wallet', -pence), line('debt', pence)];
}

/** Whether the lines are what a transfer must be: at least two, none zero, whole pence, one per account, sum zero. */
export function isBalanced(lines: readonly Line[]): boolean {
  return (
    lines.length >= 2 &&
    lines.every((entry) => Number.isSafeInteger(entry.amountPence) && entry.amountPence !== 0) &&
    new Set(lines.map((entry) => entry.account)).size === lines.length &&
    sum(lines.map((entry) => entry.amountPence)) === 0
  );
}

function posting(kind: TransferKind, lines: readonly Line[]): Posting {
  return { kind, lines: merged(lines) };
}

/** One line per account, none of zero. */
function merged(lines: readonly Line[]): readonly Line[] {
  const amounts = new Map<Line['account'], number>();
  for (const entry of lines)
    amounts.set(entry.account, (amounts.get(entry.account) ?? 0) + entry.amountPence);
  return [...amounts].filter(([, pence]) => pence !== 0).map(([account, pence]) => line(account, pence));
}

function line(account: Line['account'], amountPence: number): Line {
  return { account, amountPence };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function requirePence(amountPence: number): void {
  if (!Number.isSafeInteger(amountPence) || amountPence < 0) {
    throw new RangeError(`${String(amountPence)} is not a whole, non-negative number of pence`);
  }
}
