/** Exchange rates as Dockyard uses them. */

/** A rate, USD to GBP, with where it comes from and how old it is. */
export interface FxRate {
  /** Millionths: 0.79 is 790000. */
  readonly rateMicro: number;
  /** `live`: at most an hour old; `stale`: the last good value, the source does not answer; `book`: none was ever got. */
  readonly origin: 'live' | 'stale' | 'book';
  readonly ageSeconds: number;
}

/** A source of exchange rates; it always has an answer. */
export interface FxRates {
  current(): Promise<FxRate>;
}
