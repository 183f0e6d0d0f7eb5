/**
 * Price books as everybody may read them. The books of earlier releases stay: a quote or a bill names the version of its
 * book, and what the version says never changes. A release that changes a figure adds a book with a new version.
 */
import { createHash } from 'node:crypto';

import { AppError } from '../../domain/errors.ts';
import type { FxRate } from '../../domain/fx.ts';
import { gpusOfType } from '../../domain/instance-classes.ts';
import { publicEstimate } from '../../domain/public-prices.ts';
import type { PublicEstimateRequest } from '../../domain/public-prices.ts';
import { atMostEvery } from '../at-most-every.ts';
import firstBook from './books/2026-11-26.3.json' with { type: 'json' };
import wavesBook from './books/2026-11-29.1.json' with { type: 'json' };
import sizedBook from './books/2026-11-29.2.json' with { type: 'json' };
import framesBook from './books/2026-11-29.3.json' with { type: 'json' };
import oceansBook from './books/2026-11-29.4.json' with { type: 'json' };
import type { FxRates } from './fx-rates.ts';
import { loadPriceBook } from './price-book.ts';
import type { SourcedPriceBook } from './price-book.ts';
import type { PublicEstimateResponse, PublicPricesResponse } from '../../domain/answers.ts';

type PublicTool = PublicPricesResponse['tools'][number];

/** A published book with the tag by which a client knows the book again. */
export interface TaggedPrices {
  readonly tag: string;
  readonly prices: PublicPricesResponse;
}

/** Questions about prices that everybody may ask. */
export interface PublicPrices {
  /** The book of a version, or the present one. @throws NOT_FOUND. */
  read(version?: string): TaggedPrices;
  /** @throws VALIDATION_ERROR that names what is known. */
  estimate(request: PublicEstimateRequest): Promise<PublicEstimateResponse>;
}

/** Every book there has been, as the first release with the book had it. */
export const BOOKS: readonly unknown[] = [firstBook, wavesBook, sizedBook, framesBook, oceansBook];

/** Estimates for everybody may use a rate that was the newest one a second ago. */
const RATE_MS = 1_000;
const TAG_CHARACTERS = 32;

/** Makes the answers once; estimates read the exchange rate at most once a second. */
export function createPublicPrices(current: SourcedPriceBook, rates: FxRates): PublicPrices {
  const byVersion = new Map(
    BOOKS.map((stored) => loadPriceBook(stored)).map((book) => [book.version, tagged(book, current)]),
  );
  const present = tagged(current, current);
  byVersion.set(current.version, present);
  const rate = atMostEvery<FxRate>(RATE_MS, () => rates.current());
  return {
    read(version) {
      const found = version === undefined ? present : byVersion.get(version);
      if (found !== undefined) return found;
      const versions = [...byVersion.keys()].join(', ');
      throw new AppError('NOT_FOUND', `There are no prices of that version. There are ${versions}.`);
    },
    estimate: async (request) => publicEstimate(request, current, await rate()),
  };
}

function tagged(book: SourcedPriceBook, current: SourcedPriceBook): TaggedPrices {
  const prices = publish(book, book.version === current.version);
  const digest = createHash('sha256').update(JSON.stringify(prices)).digest('hex');
  return { tag: digest.slice(0, TAG_CHARACTERS), prices };
}

function publish(book: SourcedPriceBook, isCurrent: boolean): PublicPricesResponse {
  const origin = (group: string) => book.origins[group] ?? { source: '', date: book.date };
  const figures = [
    { name: 'startFeeMicroUsd', value: book.startFeeMicroUsd, ...origin('startFeeMicroUsd') },
    {
      name: 'storagePerGbMonthMicroUsd',
      value: book.storagePerGbMonthMicroUsd,
      ...origin('storagePerGbMonthMicroUsd'),
    },
    { name: 'egressPerGbMicroUsd', value: book.egressPerGbMicroUsd, ...origin('egressPerGbMicroUsd') },
    { name: 'frameBytes', value: book.frameBytes, ...origin('frameBytes') },
  ];
  return {
    version: book.version,
    date: book.date,
    current: isCurrent,
    currency: 'USD',
    regions: [...book.regions],
    figures,
    hardware: Object.entries(book.instanceTypes).map(([name, type]) => ({
      name,
      ...type,
      gpus: gpusOfType(type),
      ...origin('instanceTypes'),
    })),
    licences: Object.entries(book.licences).map(([id, licence]) => ({
      id,
      ...licence,
      ...origin('licences'),
    })),
    tools: Object.entries(book.tools).map(([id, of]): PublicTool => ({
      id,
      figures: Object.entries(of).map(([name, value]) => ({ name, value })),
      ...origin(`tools.${id}`),
    })),
    fallbackFx: {
      usdToGbp: book.fx.usdToGbpMicro / 1_000_000,
      source: book.fx.source,
      date: book.fx.date,
    },
  };
}
