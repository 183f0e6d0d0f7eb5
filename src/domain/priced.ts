/**
 * Facts that the price of a request depends on, besides the price book and the exchange rate. A quote names these facts, so that
 * a submit is known to be the job that was quoted, whatever the service would ask for the job today. The facts are names and
 * values of the request, and not a digest, so that a refusal can say which of them differs.
 */

/** The bounds of a quote as requests carry it, in characters; one of a hundred price classes has some 8,000. */
export const QUOTE_ID_CHARACTERS = { least: 32, most: 16_384 } as const;

/** A value of a request on which the price depends. */
export type PricedValue = string | number | boolean | readonly number[];

/** The facts of a request on which its price depends. */
export interface Priced {
  /** By the paths of the fields of the request, defaults filled in. */
  readonly fields: Readonly<Record<string, PricedValue>>;
  /** Sizes of inputs in bytes, which an estimate takes from the request and a submit from the stored files. */
  readonly sizes: Readonly<Record<string, number>>;
}

/**
 * Tells the difference of a request from the quoted one, in words that go on a sentence; null when the quote covers the request.
 * A quote covers inputs that are smaller than the quoted ones, because an estimate may round sizes up.
 */
export function differenceOf(quoted: Priced, asked: Priced): string | null {
  for (const name of namesOf(quoted.fields, asked.fields)) {
    const [before, now] = [shown(quoted.fields[name]), shown(asked.fields[name])];
    if (before !== now) return `${name} is ${now}, and the quote is for ${before}`;
  }
  for (const name of namesOf(quoted.sizes, asked.sizes)) {
    const [before, now] = [quoted.sizes[name] ?? 0, asked.sizes[name] ?? 0];
    if (now > before) return `${name} is ${now}, and the quote is for at most ${before}`;
  }
  return null;
}

function namesOf(quoted: object, asked: object): ReadonlySet<string> {
  return new Set([...Object.keys(quoted), ...Object.keys(asked)]);
}

function shown(value: PricedValue | undefined): string {
  return value === undefined ? 'not priced' : JSON.stringify(value);
}
