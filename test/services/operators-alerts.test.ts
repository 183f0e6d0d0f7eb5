/**
 * Alerts whose conditions are rows: the rows stand as after a fault that lasts, the condition is read as true from `/metrics`, and
 * goes away when the rows are as before. `test/faults/alerts.test.ts` causes each alert by a fault, which takes minutes.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';

import { expect } from 'chai';
import { Registry } from 'prom-client';

import { registerDependencyMetrics } from '../../src/bin/process/dependency-metrics.ts';
import { registerOperationsMetrics } from '../../src/bin/process/operations-metrics.ts';
import { registerRateMetrics } from '../../src/bin/process/rate-metrics.ts';
import { registerReconciliationMetrics } from '../../src/bin/process/reconciliation-metrics.ts';
import { noteSchedules, RECORDED_SCHEDULES } from '../../src/services/operations/rounds.ts';
import { FAULTS } from '../support/faults/causes.ts';
import { suiteHome } from '../support/home.ts';
import { alertRules } from '../support/promql/alerts.ts';
import { STANDING } from '../support/promql/standing.ts';
import { AlertWatch } from '../support/promql/watch.ts';

describe('alerts by rows', () => {
  const home = suiteHome();
  const today = new Date().toISOString().slice(0, 10);
  let server: Server;
  let watch: AlertWatch;
  let isGone = false;
  const dependencies: Record<'postgres' | 'temporal' | 'storage' | 'gateway', { ok: boolean }> = {
    ...{ postgres: { ok: true }, temporal: { ok: true }, storage: { ok: true }, gateway: { ok: true } },
  };
  before(async () => {
    await noteSchedules(home.db, RECORDED_SCHEDULES);
    const registry = new Registry();
    registerOperationsMetrics(registry, home.db, 0);
    registerReconciliationMetrics(registry, home.db);
    registerRateMetrics(registry, home.db, { rateMicro: 800_000, source: 'test', date: today });
    registerDependencyMetrics(registry, () => Promise.resolve({ ok: true, dependencies, notes: [] }));
    server = createServer((_request, response) => {
      if (isGone) response.destroy();
      else void registry.metrics().then((text) => response.end(text));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    watch = new AlertWatch({
      rules: alertRules(),
      urls: () => ({ control: `http://127.0.0.1:${String(port)}/metrics` }),
    });
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it('are some of those by faults, and these are all alerts that there are', () => {
    const named = (causes: object): readonly string[] =>
      Object.keys(causes).flatMap((names) => names.split(', '));
    expect(named(FAULTS)).to.have.members(alertRules().map(({ alert }) => alert));
    expect(named(FAULTS)).to.include.members([...named(STANDING)]);
  });

  it('ControlGone: off, on while nobody answers, off when somebody does', () =>
    watch.see(['ControlGone', 'ProcessDown'], () => {
      isGone = true;
      return Promise.resolve(() => Promise.resolve((isGone = false)));
    }));

  it('DependencyAway: off, on for the one that does not answer, off when it does', () =>
    watch.see(['DependencyAway'], () => {
      dependencies.storage = { ok: false };
      return Promise.resolve(() => Promise.resolve((dependencies.storage = { ok: true })));
    }));

  for (const [names, cause] of Object.entries(STANDING))
    it(`${names}: off, on by the rows, off without them`, () =>
      watch.see(names.split(', '), () => cause(home)));
});
