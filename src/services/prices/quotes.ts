/** Makes frozen offers from a tool's pricing, the price book and the exchange rate of the moment. */
import { quote } from '../../domain/pricing.ts';
import type { PriceBook, Quote, TaskPricing } from '../../domain/pricing.ts';
import type { FxRates } from './fx-rates.ts';

/** The currency of credits. */
export const CREDIT_CURRENCY = 'GBP';

/** The origin of an exchange rate, as answers show the origin. */
export interface FxOrigin {
  readonly fxSource: string | null;
  readonly fxDate: string | null;
}

/** Prices requests. */
export interface Quotes {
  readonly book: PriceBook;
  /** Whether the provider of instances has spot instances, which are cheaper and may be taken away. */
  readonly offersSpot: boolean;
  /** Prices `taskCount` tasks; `price` gets the book that the offer names. */
  offer(price: (book: PriceBook) => TaskPricing, taskCount: number): Promise<Quote>;
}

/**
 * Makes offers from one price book and one source of exchange rates. The price of spot instances is asked only where the
 * provider has spot instances: elsewhere the same machine would be cheaper because of a word in the request.
 */
export function createQuotes(published: PriceBook, rates: FxRates, { offersSpot = false } = {}): Quotes {
  const book = offersSpot ? published : withoutSpot(published);
  return {
    book,
    offersSpot,
    async offer(price, taskCount) {
      const { rateMicro, source, date } = await rates.current();
      const offer = quote(book.version, rateMicro, price(book), taskCount);
      return offer.pricing.currency === CREDIT_CURRENCY
        ? offer
        : { ...offer, fxSource: source, fxDate: date };
    },
  };
}

/** Picks the source of an offer's rate, and the day of the rate; null without a conversion. */
export function answeredFxOrigin({ fxSource, fxDate }: Quote): FxOrigin {
  return { fxSource: fxSource ?? null, fxDate: fxDate ?? null };
}

/** The exchange rate from the offer's currency to credits, as answers show the rate. */
export function answeredFxRate(offer: Quote): number {
  return offer.pricing.currency === CREDIT_CURRENCY ? 1 : offer.fxRateMicro / 1_000_000;
}

/** An amount of pence as people read it. */
export function displayPence(pence: number): string {
  const sign = pence < 0 ? '-' : '';
  const whole = Math.abs(pence);
  return `${sign}£${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

/** A book by which a spot instance costs what an instance on demand costs. */
function withoutSpot(book: PriceBook): PriceBook {
  const instanceTypes = Object.fromEntries(
    Object.entries(book.instanceTypes).map(([name, type]) => [
      name,
      { ...type, spotMicroUsdPerHour: type.onDemandMicroUsdPerHour },
    ]),
  );
  return { ...book, instanceTypes };
}
