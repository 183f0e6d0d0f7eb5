/** Prices and cost limits that answer without a database. */
import type { Services } from '../../../api/services.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { BillingSettings } from '../../../src/domain/answers.ts';

const TOPUP_ID = '018f0000-0000-7000-8000-000000000001';

const STANDING: Pick<BillingSettings, 'plan' | 'allowanceEndsAt' | 'spending'> = {
  ...{ plan: 'free', allowanceEndsAt: null },
  spending: {
    ...{ startsAt: '2026-11-01T00:00:00.000000Z', endsAt: '2026-12-01T00:00:00.000000Z' },
    ...{ spentCents: 0, restCents: null, keys: [] },
  },
};

/** The fake services of money, besides credits. */
export const fakeMoney: Pick<Services, 'prices' | 'billing' | 'notifications' | 'subscriptions'> = {
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
      ...STANDING,
      creditCurrency: 'GBP',
      jobLimitCents: null,
      monthLimitCents: null,
      lowBalanceCents: null,
      memberKeysLimitCents: null,
      autoTopUp: null,
      keyLimits: [],
    }),
    change: async () => ({
      ...STANDING,
      ...{ creditCurrency: 'GBP', jobLimitCents: 1, monthLimitCents: null, lowBalanceCents: null },
      memberKeysLimitCents: 7,
      autoTopUp: null,
      keyLimits: [],
    }),
  },
  subscriptions: {
    subscribe: async () => ({ url: 'https://checkout.example/1' }),
    portal: async () => ({ url: 'https://checkout.example/2' }),
  },
  notifications: {
    read: async () => ({ accountLimit: true, keyLimit: true, lowBalance: true }),
    change: async () => ({ accountLimit: true, keyLimit: false, lowBalance: true }),
  },
};

/** Top-ups of an account that has none. */
export const fakeTopups: Services['topups'] = {
  tiers: () => ({ tiers: [] }),
  start: async () => ({ url: 'https://checkout.example/1', tierId: 'topup-10', topupId: TOPUP_ID }),
  list: async () => ({ topups: [], nextCursor: null }),
  read: async () => {
    throw new AppError('NOT_FOUND', 'There is no such top-up in this account.');
  },
};
