/** The services of top-ups, of the settings of billing and of the events of payments, with their provider. */
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Services } from '../../../api/services.ts';
import { loadPayments } from '../../adapters/payments/open.ts';
import { createTopupWorkflows } from '../../adapters/temporal/topups.ts';
import type { ConfigOf } from '../../config.ts';
import { createPayments, handleEvent, receiveEvent } from '../../services/payments/index.ts';
import { createBillingSettings } from '../../services/settings/index.ts';
import { NO_TRACING, type Tracing } from '../../tracing/tracing.ts';

/** Events that are handled at once: while many come, the next one is stored and answered before those before it are handled. */
const HANDLED_AT_ONCE = 2;
/** Events that wait to be handled in this process; the sweep handles what comes beyond. */
const MOST_WAITING = 1_000;

/** Makes the services; without a key of the provider the list of tiers and what was bought before stay readable. */
export async function openPaymentServices(
  db: DataSource,
  config: ConfigOf<'api'>,
  log: Logger,
  tracing: Tracing = NO_TRACING,
): Promise<{
  readonly services: Pick<Services, 'topups' | 'payments' | 'subscriptions' | 'billing'>;
  readonly close: () => Promise<void>;
}> {
  const workflows = createTopupWorkflows({ ...config, tracing });
  const { publicUrl } = config;
  const alarm = (text: string, facts: object): void => log.error(facts, text);
  const deps = { db, payments: await loadPayments(config), workflows, publicUrl, alarm };
  const underWay = new Set<Promise<void>>();
  const inTurn = pLimit({ concurrency: HANDLED_AT_ONCE, rejectOnClear: true });
  const handle = (id: string): void => {
    if (inTurn.pendingCount >= MOST_WAITING) return;
    const handled = inTurn(() => handleEvent(deps, id))
      // The sweep handles the event later.
      .catch((error: unknown) => log.warn({ eventId: id, err: error }, 'an event was not handled'))
      .finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  return {
    services: {
      ...createPayments(deps),
      billing: createBillingSettings(db, deps.payments),
      payments: {
        async receive(body, signature) {
          const id = await receiveEvent(deps, body, signature);
          return () => handle(id);
        },
      },
    },
    async close() {
      // Events that wait are left to the sweep.
      inTurn.clearQueue();
      await Promise.all(underWay);
      await workflows.close();
    },
  };
}
