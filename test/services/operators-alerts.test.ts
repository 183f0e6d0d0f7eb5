/**
 * Alerts whose conditions are rows: the rows stand as after a fault that lasts, the condition is read as true from `/metrics`, and
 * goes away when the rows are as before. `test/faults/alerts.test.ts` causes each alert by a fault, which takes minutes.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:tls';

import { expect } from 'chai';
import { Registry } from 'prom-client';

import { registerCertificateMetrics } from '../../src/bin/process/certificate-metrics.ts';
import { registerDependencyMetrics } from '../../src/bin/process/dependency-metrics.ts';
import { registerDiskMetrics } from '../../src/bin/process/disk-metrics.ts';
import { registerOperationsMetrics } from '../../src/bin/process/operations-metrics.ts';
import { registerRateMetrics } from '../../src/bin/process/rate-metrics.ts';
import { registerReconciliationMetrics } from '../../src/bin/process/reconciliation-metrics.ts';
import { noteSchedules, RECORDED_SCHEDULES } from '../../src/services/operations/rounds.ts';
import { makeCertificate } from '../support/certificate.ts';
import { FAULTS } from '../support/faults/causes.ts';
import { suiteHome } from '../support/home.ts';
import { alertRules } from '../support/promql/alerts.ts';
import { STANDING } from '../support/promql/standing.ts';
import { AlertWatch } from '../support/promql/watch.ts';
import { openTinyDisk } from '../support/tiny-disk.ts';

/** Caused here alone: a stack has no disk of its own that could be filled, and looks at certificates once an hour. */
const HERE = ['CertificateEnds', 'DiskLow'];

describe('alerts by rows', () => {
  const home = suiteHome();
  const today = new Date().toISOString().slice(0, 10);
  let server: Server;
  let watch: AlertWatch;
  let isGone = false;
  let disk: Awaited<ReturnType<typeof openTinyDisk>>;
  const showing = createTlsServer();
  /** The server shows another certificate from now on, one that ends in so many days. */
  const show = async (days: number): Promise<void> => {
    const made = await makeCertificate(days);
    showing.setSecureContext({ cert: readFileSync(made.certFile), key: readFileSync(made.keyFile) });
    await made.remove();
  };
  const portOf = (one: { address(): unknown }): string => {
    const { port } = one.address() as { readonly port: number };
    return String(port);
  };
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
    await show(90);
    await once(showing.listen(0, '127.0.0.1'), 'listening');
    const places = { api: `https://127.0.0.1:${portOf(showing)}`, gateway: 'http://127.0.0.1:1' };
    const onFault = (place: string, error: unknown): void => expect.fail(`${place}: ${String(error)}`);
    registerCertificateMetrics(registry, places, onFault, 0);
    disk = await openTinyDisk();
    registerDiskMetrics(registry, { tmp: disk.folder });
    server = createServer((_request, response) => {
      if (isGone) response.destroy();
      else void registry.metrics().then((text) => response.end(text));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    watch = new AlertWatch({
      rules: alertRules(),
      urls: () => ({ control: `http://127.0.0.1:${portOf(server)}/metrics` }),
    });
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    showing.close();
    await disk.close();
  });

  it('are some of those by faults, and these are all alerts that there are', () => {
    const named = (causes: object): readonly string[] =>
      Object.keys(causes).flatMap((names) => names.split(', '));
    expect([...named(FAULTS), ...HERE]).to.have.members(alertRules().map(({ alert }) => alert));
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

  it('CertificateEnds: off, on by a certificate that ends in ten days, off when another is shown', () =>
    watch.see(['CertificateEnds'], async () => {
      await show(10);
      return () => show(90);
    }));

  it('DiskLow: off, on while the filesystem is full, off when there is room', () =>
    watch.see(['DiskLow'], async () => {
      const file = `${disk.folder}/full`;
      await writeFile(file, Buffer.alloc(1_000_000));
      return () => rm(file);
    }));

  for (const [names, cause] of Object.entries(STANDING))
    it(`${names}: off, on by the rows, off without them`, () =>
      watch.see(names.split(', '), () => cause(home)));
});
