/** Exchange rates, USD to GBP: what a rate says, and which rate needs the word of an operator. */

/** An exchange rate with where the rate comes from. */
export interface FxRate {
  /** Millionths: 0.79 is 790000. */
  readonly rateMicro: number;
  readonly source: string;
  /** The day for which the source gives the rate, as YYYY-MM-DD. */
  readonly date: string;
}

/** The states of a stored rate. */
export const FX_STATES = ['ACCEPTED', 'PENDING', 'SUPERSEDED'] as const;

/** The state of a stored rate. */
export type FxState = (typeof FX_STATES)[number];

/** A rate that is more days old than these raises an alarm: a source rests at weekends, and for four days at Easter. */
export const MOST_RATE_DAYS = 5;
/** A rate outside of these bounds comes from a broken source, not from a market. */
const PLAUSIBLE_MICRO = { least: 200_000, most: 5_000_000 };
/** One part in twenty is 5 percent. */
const JUMP_PART = 20;
const DAY_MS = 86_400_000;

/** Whether a rate differs from a known one by more than 5 percent. An inverted rate does. */
export function isJump(knownMicro: number, rateMicro: number): boolean {
  return Math.abs(rateMicro - knownMicro) * JUMP_PART > knownMicro;
}

/** Whether a number could be a rate at all. */
export function isPlausible(rateMicro: number): boolean {
  return (
    Number.isSafeInteger(rateMicro) && rateMicro >= PLAUSIBLE_MICRO.least && rateMicro <= PLAUSIBLE_MICRO.most
  );
}

/** The age of a rate in whole days, at a moment in milliseconds of the epoch. */
export function ageDays({ date }: Pick<FxRate, 'date'>, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(`${date}T00:00:00Z`)) / DAY_MS));
}

/** Whether a rate is so old that operators must know. */
export function isOld(rate: Pick<FxRate, 'date'>, nowMs: number): boolean {
  return ageDays(rate, nowMs) > MOST_RATE_DAYS;
}
