/**
 * Top-ups: the tiers, the states, what must agree before credits are posted, and what is posted. Pure rules. Credits land only for
 * a payment of exactly the price that was frozen with the top-up; everything else waits for a person.
 */
import type { Posting } from './ledger.ts';

/** A tier of credits: its price, and the credits on top. */
export interface TopupTier {
  readonly id: string;
  readonly amountPence: number;
  readonly bonusPence: number;
}

/** Every tier, by price. */
export const TOPUP_TIERS: readonly TopupTier[] = [
  { id: 'topup-10', amountPence: 1_000, bonusPence: 0 },
  { id: 'topup-50', amountPence: 5_000, bonusPence: 250 },
  { id: 'topup-200', amountPence: 20_000, bonusPence: 2_000 },
  { id: 'topup-500', amountPence: 50_000, bonusPence: 7_500 },
];

/**
 * How far a top-up is: without a checkout, waiting for the customer, waiting for the bank, paid, and three ends without credits. A
 * payment that arrives after all still leads to PAID.
 */
export const TOPUP_STATES = ['CREATED', 'OPEN', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED'] as const;

/** The state of a top-up. */
export type TopupState = (typeof TOPUP_STATES)[number];

/** Facts of a top-up that were frozen when it began. */
export interface FrozenTopup {
  readonly id: string;
  readonly amountPence: number;
  readonly state: TopupState;
}

/** The checkout of a top-up, as the provider shows it now. */
export interface PaidCheckout {
  readonly progress: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  readonly mode: string;
  readonly currency: string | null;
  readonly subtotalPence: number | null;
  readonly isLive: boolean;
  readonly reference: string | null;
  readonly topupId: string | null;
}

/** Judgement of a checkout: the state of the top-up, or the field for which the top-up waits for a person. */
export type TopupVerdict =
  | { readonly kind: 'state'; readonly state: TopupState }
  | { readonly kind: 'parked'; readonly reason: string };

const STATES = {
  open: 'OPEN',
  processing: 'PROCESSING',
  paid: 'PAID',
  failed: 'FAILED',
  expired: 'EXPIRED',
} as const satisfies Record<PaidCheckout['progress'], TopupState>;

/** The tier of this id. */
export function tierOf(id: string): TopupTier | null {
  return TOPUP_TIERS.find((tier) => tier.id === id) ?? null;
}

/** Judges a checkout. A top-up that is paid stays paid, whatever an older answer says. */
export function judgeCheckout(topup: FrozenTopup, checkout: PaidCheckout, isLive: boolean): TopupVerdict {
  if (topup.state === 'PAID') return { kind: 'state', state: 'PAID' };
  const wrong = Object.entries({
    mode: checkout.mode === 'payment',
    reference: checkout.reference === topup.id,
    metadata: checkout.topupId === topup.id,
    livemode: checkout.isLive === isLive,
    currency: checkout.currency === 'gbp',
    amount: checkout.subtotalPence === topup.amountPence,
  }).find(([, agrees]) => !agrees);
  if (wrong !== undefined && checkout.progress === 'paid') return { kind: 'parked', reason: wrong[0] };
  return { kind: 'state', state: STATES[checkout.progress] };
}

/** Whether nothing more is to be waited for. */
export function isTopupOver(state: TopupState): boolean {
  return state === 'PAID' || state === 'FAILED' || state === 'EXPIRED';
}

/** The postings of a paid tier: what was paid, with the tax that we owe of it, and the bonus where there is one. */
export function topupPostings({
  amountPence,
  bonusPence,
  taxPence,
}: Pick<TopupTier, 'amountPence' | 'bonusPence'> & { readonly taxPence: number }): readonly Posting[] {
  const paid: Posting = {
    kind: 'topup',
    lines: [
      { account: 'wallet', amountPence },
      { account: 'stripe_clearing', amountPence: -amountPence - taxPence },
      ...(taxPence === 0 ? [] : [{ account: 'tax_payable' as const, amountPence: taxPence }]),
    ],
  };
  if (bonusPence === 0) return [paid];
  const bonus: Posting = {
    kind: 'topup_bonus',
    lines: [
      { account: 'wallet', amountPence: bonusPence },
      { account: 'bonus_expense', amountPence: -bonusPence },
    ],
  };
  return [paid, bonus];
}

/** POST /credits/topup. */
export interface TopupRequest {
  readonly tierId: string;
  readonly successUrl?: string;
  readonly cancelUrl?: string;
}
