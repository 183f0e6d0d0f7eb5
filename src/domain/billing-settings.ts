/** The cost limits of an account as owners read and set them. */

import type { AutoTopUp, AutoTopUpRequest } from './auto-topups.ts';
import type { Plan } from './plans.ts';

/** The most that an API key may cost in a UTC month. */
export interface KeyLimitSetting {
  readonly keyId: string;
  readonly monthLimitCents: number;
}

/** Spent and unspent part of a limit of the month; the rest is null without a limit. */
export interface Spending {
  readonly spentCents: number;
  readonly restCents: number | null;
}

/** Spending in the UTC month that the limits count. */
export interface MonthSpending extends Spending {
  readonly startsAt: string;
  readonly endsAt: string;
  /** The keys that have a limit. */
  readonly keys: (Spending & { readonly keyId: string })[];
}

/** GET and PUT /settings/billing. */
export interface BillingSettings {
  readonly plan: Plan;
  /** When the monthly credits of the plan end; null without any. */
  readonly allowanceEndsAt: string | null;
  readonly spending: MonthSpending;
  readonly creditCurrency: string;
  readonly jobLimitCents: number | null;
  readonly monthLimitCents: number | null;
  /** Below this amount of credits the owners get a mail; null for none. */
  readonly lowBalanceCents: number | null;
  /** The most that the keys of one member may cost together in a UTC month; null for none. */
  readonly memberKeysLimitCents: number | null;
  /** The credits that the account buys by itself; null for none. */
  readonly autoTopUp: AutoTopUp | null;
  readonly keyLimits: KeyLimitSetting[];
}

/** A change of the settings: what is left out stays, null takes a limit away, a list of keys is the whole list. */
export interface BillingSettingsRequest {
  readonly jobLimitCents?: number | null;
  readonly monthLimitCents?: number | null;
  readonly lowBalanceCents?: number | null;
  readonly memberKeysLimitCents?: number | null;
  readonly autoTopUp?: AutoTopUpRequest | null;
  readonly keyLimits?: KeyLimitSetting[];
}

/** The largest limit, a million pounds in pence: a larger one is a typing error. */
export const MOST_LIMIT_CENTS = 100_000_000;
/** No account has as many keys that can be used. */
export const MOST_KEY_LIMITS = 1_000;
