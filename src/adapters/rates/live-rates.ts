/**
 * The live exchange rate, kept for an hour. When the source fails, the last good value is used with its age, and where
 * there never was a value, the dated rate of the price book. So no submit is refused because a rate cannot be read.
 */
import type { Logger } from 'pino';

import type { FxRate, FxRates } from './rates.ts';

/** The address, the fallback and the clock of a source of exchange rates. */
export interface LiveRatesOptions {
  /** The address answers `{ rate }` (USD to GBP); with an empty address only the fallback is used. */
  readonly url: string;
  readonly fallback: { readonly rateMicro: number; readonly date: string };
  readonly log: Pick<Logger, 'warn'>;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  readonly fetch?: typeof fetch;
}

const KEEP_MS = 3_600_000;
const RETRY_AFTER_MS = 60_000;
const TIMEOUT_MS = 2_000;
const DAY_MS = 86_400_000;
/** A rate outside of these bounds comes from a broken source, not from a market. */
const PLAUSIBLE = { least: 0.2, most: 5 };

/** Makes the source of exchange rates. */
export function createLiveRates(options: LiveRatesOptions): FxRates {
  const clock = options.clock ?? (() => performance.now());
  let good: { readonly rateMicro: number; readonly at: number } | null = null;
  let failedAt: number | null = null;
  let refreshing: Promise<void> | null = null;

  const refresh = async (): Promise<void> => {
    try {
      good = { rateMicro: await readRate(options), at: clock() };
      failedAt = null;
    } catch (error) {
      failedAt = clock();
      options.log.warn({ err: error }, 'the exchange rate source does not answer');
    } finally {
      refreshing = null;
    }
  };
  const due = (): boolean =>
    (good === null || clock() - good.at >= KEEP_MS) &&
    (failedAt === null || clock() - failedAt >= RETRY_AFTER_MS);

  return {
    async current() {
      if (options.url !== '' && due()) {
        refreshing ??= refresh();
        await refreshing;
      }
      return good === null ? bookRate(options.fallback) : presentRate(good, clock());
    },
  };
}

function presentRate(good: { readonly rateMicro: number; readonly at: number }, now: number): FxRate {
  const age = now - good.at;
  return {
    rateMicro: good.rateMicro,
    origin: age < KEEP_MS ? 'live' : 'stale',
    ageSeconds: Math.floor(age / 1000),
  };
}

function bookRate(fallback: LiveRatesOptions['fallback']): FxRate {
  const ageMs = Math.max(0, Date.now() - Date.parse(`${fallback.date}T00:00:00Z`));
  return { rateMicro: fallback.rateMicro, origin: 'book', ageSeconds: Math.floor(ageMs / DAY_MS) * 86_400 };
}

async function readRate(options: LiveRatesOptions): Promise<number> {
  const answer = await (options.fetch ?? fetch)(options.url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`The exchange rate source answered ${answer.status}.`);
  const body: unknown = await answer.json();
  const rate = typeof body === 'object' && body !== null && 'rate' in body ? body.rate : undefined;
  if (typeof rate !== 'number' || !(rate >= PLAUSIBLE.least && rate <= PLAUSIBLE.most)) {
    throw new Error('The exchange rate source answered no plausible rate.');
  }
  return Math.round(rate * 1_000_000);
}
