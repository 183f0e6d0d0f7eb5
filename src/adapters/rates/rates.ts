/** Exchange rates as Dockyard uses them. */

/** An exchange rate, USD to GBP, with its source and its age. */
export interface FxRate {
  /** Millionths: 0.79 is 790000. */
  readonly rateMicro: number;
  /**
   * `live`: at most an hour old. `stale`: the last good value, because the source does not answer. `book`: the source
   * never gave a value.
   */
  readonly origin: 'live' | 'stale' | 'book';
  readonly ageSeconds: number;
}

/** A source of exchange rates; it always has an answer. */
export interface FxRates {
  current(): Promise<FxRate>;
}
