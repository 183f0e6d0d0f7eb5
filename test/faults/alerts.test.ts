/**
 * Every alert's condition is caused by a fault on a whole stack, read as true from `/metrics` of the processes, and goes away when the
 * fault does. `test/services/operators-alerts.test.ts` has shorter ones, whose rows stand as after a fault.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';

import { SDK_METRICS } from '../../src/bin/process/temporal-metrics.ts';
import { endpointsFile } from '../../src/stack/endpoints.ts';
import { FAULTS } from '../support/faults/causes.ts';
import type { FaultCause } from '../support/faults/causes.ts';
import { IS_FULL, SCALED_TIMES } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { alertRules } from '../support/promql/alerts.ts';
import { AlertWatch } from '../support/promql/watch.ts';
import { openTestRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { endTestStack } from '../support/stack.ts';
import { StripeStandIn } from '../support/stripe.ts';
import { until } from '../support/until.ts';
import { settingsOf, tuned } from '../support/tuning.ts';

const MINUTES_MS = 600_000;

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('alerts by faults', function () {
  if (!IS_FULL) return;
  this.timeout(MINUTES_MS);
  let world: FaultWorld;
  let redis: TestRedis;
  let watch: AlertWatch;
  const rates = { answer: '{"rate":0.8}' };
  const rateSource = createServer((_request, response) => response.end(rates.answer));
  const stripe = new StripeStandIn();
  before(async () => {
    redis = await openTestRedis();
    await once(rateSource.listen(0, '127.0.0.1'), 'listening');
    await stripe.start();
    world = await openFaultWorld({
      settings: {
        DOCKYARD_REDIS_URL: redis.url,
        // Staged files are changed before they are looked at, within the delay of a commit.
        ...settingsOf(
          SCALED_TIMES,
          tuned({ controlConcurrency: 2, providerConcurrency: 1, commitDelayMs: 1000 }),
        ),
        DOCKYARD_FX_URL: `http://127.0.0.1:${String(portOf(rateSource))}/`,
        ...{ DOCKYARD_STRIPE_SECRET_KEY: 'sk_test_1', DOCKYARD_STRIPE_API_URL: stripe.url },
      },
    });
    const caller: Customer = await world.customer();
    watch = new AlertWatch({
      rules: alertRules(),
      urls: metricsUrls,
      // Each look has requests of its own, so that what a request meets is counted.
      before: async () => {
        // Where the fault is that no API is there, nobody is asked.
        const ask = (): Promise<unknown> => fetch(`${world.stack.apiUrl}/readyz`);
        if ((await ask().catch(() => null)) === null) return;
        await Promise.all(Array.from({ length: 9 }, ask));
        await caller.client.balance();
      },
    });
  });
  const metricsUrls = (): Readonly<Record<string, string>> => {
    const endpoints = JSON.parse(readFileSync(endpointsFile(world.stack.home), 'utf8')) as {
      metricsUrls: Readonly<Record<string, string>>;
    };
    return endpoints.metricsUrls;
  };
  after(async () => {
    await endTestStack(world.stack);
    await redis.close();
    rateSource.close();
    await stripe.stop();
  });

  for (const [names, cause] of Object.entries<FaultCause>(FAULTS))
    it(`${names}: off, on by the fault, off without it`, () =>
      watch.see(names.split(', '), () => cause({ world, redis, rates, stripe })));

  it('and the dashboard find the metrics of the SDK under the names that they ask for', async () => {
    // A counter is told once it has counted: of calls that found no server, and of workflow tasks that failed.
    await world.killAndRestart('temporal');
    const undo = await FAULTS.WorkflowTasksFail({ world, redis, rates, stripe });
    let text = '';
    const missing = (): readonly string[] => SDK_METRICS.filter((name) => !text.includes(`# TYPE ${name} `));
    await until('the metrics of the SDK', async () => {
      text = await (await fetch(metricsUrls()['control'] ?? '')).text();
      return missing().length === 0;
    });
    await undo();
  });
});
