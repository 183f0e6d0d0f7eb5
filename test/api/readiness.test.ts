/** Readiness while a dependency of the API has failed. */
import { expect } from 'chai';

import type { Stack } from '../../src/stack/stack.ts';
import { limitedApi } from '../support/limited-api.ts';
import { until } from '../support/until.ts';
import type { HealthReport } from '../../src/services/health.ts';

const RECOVERY_MS = 30_000;
/** A check of a dependency ends by itself, so that a load balancer gets its answer in time. */
const LONGEST_LOOK_MS = 20_000;
/**
 * The code is one of the system (ECONNREFUSED) or of PostgreSQL: a session that ends because the postmaster died reads
 * 57P01.
 */
const REASON = /^(?:no answer in time|does not answer(?: \([A-Z][A-Z_]+\)| \([0-9A-Z]{5}\))?)$/;

describe('/readyz', function () {
  this.timeout(120_000);
  let stack: Stack;
  before(async () => {
    stack = await limitedApi();
  });

  const look = async (): Promise<{ status: number; report: HealthReport; tookMs: number }> => {
    const startedAt = performance.now();
    const answer = await fetch(`${stack.apiUrl}/readyz`);
    const report = (await answer.json()) as HealthReport;
    return { status: answer.status, report, tookMs: performance.now() - startedAt };
  };
  const isReady = async (): Promise<boolean> => (await look()).status === 200;
  /** Readiness names this dependency and no other, and shows no address. */
  const tellsOf = async (name: 'postgres' | 'storage'): Promise<string> => {
    // The dependencies are asked once a second, so a look may get the answer from before the failure.
    await until(`it tells of ${name}`, async () => !(await isReady()), LONGEST_LOOK_MS);
    const { status, report, tookMs } = await look();
    expect(status, JSON.stringify(report)).to.equal(503);
    expect(report.ok).to.equal(false);
    const failing = Object.entries(report.dependencies).filter(([, { ok }]) => !ok);
    expect(failing.map(([dependency]) => dependency)).to.deep.equal([name]);
    expect(tookMs).to.be.below(LONGEST_LOOK_MS);
    const detail = report.dependencies[name].detail ?? '';
    expect(detail, 'a reason in words and at most a code, never an address').to.match(REASON);
    expect((await fetch(`${stack.apiUrl}/healthz`)).status, 'it lives').to.equal(200);
    return detail;
  };

  for (const name of ['postgres', 'storage'] as const) {
    it(`says that ${name} is gone, and that it is back`, async () => {
      await until('all is well', isReady, RECOVERY_MS);
      await stack.stopChild(name, 'SIGKILL');
      try {
        expect(await tellsOf(name)).to.include('does not answer');
      } finally {
        await stack.startChild(name);
      }
      await until(`${name} is back`, isReady, RECOVERY_MS);
    });
  }

  it('does not hang with a store that takes calls and answers none', async () => {
    await until('all is well', isReady, RECOVERY_MS);
    stack.pause('storage');
    try {
      expect(await tellsOf('storage')).to.equal('no answer in time');
    } finally {
      stack.resume('storage');
    }
    await until('the store is back', isReady, RECOVERY_MS);
  });
});
