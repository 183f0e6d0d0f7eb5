/** Prices and cost limits that answer without a database. */
import type { Services } from '../../../api/services.ts';

/** The fake services of money, besides credits. */
export const fakeMoney: Pick<Services, 'prices' | 'billing'> = {
  prices: {
    read: () => ({
      tag: 'tag',
      prices: {
        ...{ version: '2026-11-01', date: '2026-11-01', current: true, currency: 'USD', regions: [] },
        ...{ figures: [], hardware: [], licences: [], tools: [] },
        fallbackFx: { usdToGbp: 0.79, source: 'a test', date: '2026-11-01' },
      },
    }),
    estimate: async () => ({
      ...{ estimatedCost: 1, estimatedCostGbp: 0.79, currency: 'USD', creditCurrency: 'GBP', fxRate: 0.79 },
      ...{ fxSource: null, fxDate: null, priceBookVersion: '2026-11-01' },
    }),
  },
  billing: {
    read: async () => ({
      creditCurrency: 'GBP',
      jobLimitCents: null,
      monthLimitCents: null,
      keyLimits: [],
    }),
    change: async () => ({ creditCurrency: 'GBP', jobLimitCents: 1, monthLimitCents: null, keyLimits: [] }),
  },
};
