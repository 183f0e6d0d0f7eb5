/** The cost limits of an account as owners read and set them. */

import type { AutoTopUpRequest } from './auto-topups.ts';

/** The most that an API key may cost in a UTC month. */
export interface KeyLimitSetting {
  readonly keyId: string;
  readonly monthLimitCents: number;
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
