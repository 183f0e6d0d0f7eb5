/** Makes frozen offers from a tool's pricing, the price book and the exchange rate of the moment. */
import type { FxRates } from '../../adapters/rates/rates.ts';
import { quote } from '../../domain/pricing.ts';
import type { PriceBook, Quote, TaskPricing } from '../../domain/pricing.ts';

/** The currency of credits. */
export const CREDIT_CURRENCY = 'GBP';

/** What prices a request. */
export interface Quotes {
  readonly book: PriceBook;
  /** Prices `taskCount` tasks; `price` gets the book that the offer names. */
  offer(price: (book: PriceBook) => TaskPricing, taskCount: number): Promise<Quote>;
}

/** Makes offers from one price book and one source of exchange rates. */
export function createQuotes(book: PriceBook, rates: FxRates): Quotes {
  return {
    book,
    async offer(price, taskCount) {
      const rate = await rates.current();
      return quote(book.version, rate.rateMicro, price(book), taskCount);
    },
  };
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
