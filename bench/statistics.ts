/** Medians and spread of measured values. */

/** The median and the spread of a set of measured values. */
export interface Spread {
  readonly count: number;
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly most: number;
}

/**
 * Summarises values; at least one value is needed. Between two values the function interpolates: the median of two
 * values is their mean.
 */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('Nothing was measured.');
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place - Math.floor(place));
  };
  return { count: sorted.length, p10: at(0.1), median: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1) };
}

/**
 * Ratios of values that were measured one beside the other, pair by pair, so that what both values of a pair share
 * cancels out.
 */
export function ratiosOf(measured: readonly number[], baseline: readonly number[]): number[] {
  return measured.map((value, index) => value / (baseline[index] ?? NaN));
}

/** Writes a spread as `median (p10–p90) unit`. */
export function describeSpread(spread: Spread, unit: string, digits = 1): string {
  const { median, p10, p90 } = spread;
  return `${median.toFixed(digits)} ${unit} (${p10.toFixed(digits)}–${p90.toFixed(digits)})`;
}
