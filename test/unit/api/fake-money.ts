/** Prices, subscriptions and top-ups that answer without a database. */
import type { Faked } from './fake-services.ts';

const TOPUP_ID = '018f0000-0000-7000-8000-000000000001';

/** The fake services of money, besides credits. */
export const fakeMoney: Pick<Faked, 'prices' | 'subscriptions' | 'topups'> = {
  prices: {
    read: () => ({
      tag: 'tag',
      prices: {
        ...{ version: '2026-11-01', date: '2026-11-01', current: true, currency: 'USD', regions: [] },
        ...{ figures: [], hardware: [], licences: [], tools: [] },
        fallbackFx: { usdToGbp: 0.79, source: 'a test', date: '2026-11-01' },
      },
    }),
  },
  subscriptions: {
    subscribe: async () => ({ url: 'https://checkout.example/1' }),
    portal: async () => ({ url: 'https://checkout.example/2' }),
  },
  topups: {
    tiers: () => ({ tiers: [] }),
    start: async () => ({ url: 'https://checkout.example/1', tierId: 'topup-10', topupId: TOPUP_ID }),
  },
};
