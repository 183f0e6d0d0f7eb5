/** Auto top-ups: when an account buys credits by itself. Pure rules. */
import { tierOf } from './topups.ts';

/** Why a card cannot be charged without its owner. */
export const CARD_REFUSALS = ['NO_PAYMENT_METHOD', 'AUTHENTICATION_REQUIRED', 'CARD_DECLINED'] as const;

/** A reason for which a card was not charged. */
export type CardRefusal = (typeof CARD_REFUSALS)[number];

/** An owner's setting: the tier, below which credits the tier is bought, and the most that is paid in a UTC month. */
export interface AutoTopUpRequest {
  readonly tierId: string;
  readonly belowCents: number;
  readonly monthLimitCents: number;
}

/** The setting as the API answers it; a paused one buys nothing until an owner sets it again. */
export interface AutoTopUp extends AutoTopUpRequest {
  readonly state: 'on' | 'paused';
  readonly pausedFor: CardRefusal | null;
}

/** State of an account at one moment, as far as an auto top-up depends on it. */
export interface AutoTopUpFacts {
  readonly tierId: string;
  readonly belowPence: number;
  readonly monthLimitPence: number;
  readonly paused: CardRefusal | null;
  readonly spendablePence: number;
  /** Whether an auto top-up of the account is not over. */
  readonly isOpen: boolean;
  /** The prices of the auto top-ups of this UTC month that did not fail. */
  readonly boughtPence: number;
}

/** Whether a top-up is bought now, or why none is. */
export type AutoTopUpVerdict = 'buy' | 'paused' | 'enough' | 'open' | 'unknown-tier' | 'month-limit';

/** Judges whether an account buys a top-up now. */
export function judgeAutoTopUp(facts: AutoTopUpFacts): AutoTopUpVerdict {
  const tier = tierOf(facts.tierId);
  if (facts.paused !== null) return 'paused';
  if (facts.spendablePence >= facts.belowPence) return 'enough';
  if (facts.isOpen) return 'open';
  if (tier === null) return 'unknown-tier';
  return facts.boughtPence + tier.amountPence > facts.monthLimitPence ? 'month-limit' : 'buy';
}
