/** Store in which the API counts requests: in Valkey or Redis where several processes share their limits, else in the process. */
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

import { createProcessBuckets } from '../../../api/http/buckets.ts';
import { createSharedBuckets } from '../../../api/http/shared-buckets.ts';
import { openSharedBuckets } from '../../adapters/limits/valkey.ts';
import type { ConfigOf } from '../../config.ts';
import type { BucketStore } from '../../domain/buckets.ts';
import { outsideOfWork } from '../../tracing/log-context.ts';

/** The store of limits, and what readiness says of it. */
export interface LimitStore {
  readonly store: BucketStore;
  /** Finds notes for an operator; `processes` counts the API processes that run. */
  notes(processes: () => Promise<number>): Promise<readonly string[]>;
  close(): void;
}

/** Opens the store that the settings name. */
export function openLimitStore(
  { redisUrl }: Pick<ConfigOf<'api'>, 'redisUrl'>,
  log: Logger,
  registry: Registry,
): LimitStore {
  const own = createProcessBuckets();
  if (redisUrl === '') return { store: own, notes: notesOfOwn, close: () => undefined };
  let isAway = false;
  new Gauge({
    name: 'dockyard_shared_limits_away',
    help: '1 while the shared store of limits does not answer and this process counts requests by itself.',
    registers: [registry],
    collect() {
      this.set(isAway ? 1 : 0);
    },
  });
  const shared = openSharedBuckets(redisUrl);
  const store = createSharedBuckets(shared, own, {
    changed: (next) => (isAway = next),
    // The request that finds it out is one of many.
    away: (error) =>
      outsideOfWork(() => log.warn({ err: error }, 'limits are not shared: their store does not answer')),
    back: () => outsideOfWork(() => log.info('limits are shared again')),
  });
  return {
    store,
    notes: async () =>
      isAway
        ? ['Limits are not shared at the moment: their store does not answer, so each process counts.']
        : [],
    close: () => shared.close(),
  };
}

async function notesOfOwn(processes: () => Promise<number>): Promise<readonly string[]> {
  const count = await processes();
  if (count < 2) return [];
  return [`${count} processes of the API count limits apart from each other: set DOCKYARD_REDIS_URL.`];
}
