/** Readiness while something that the API needs has failed, in a stack of its own, where servers can be stopped. */
import { expect } from 'chai';

import type { HealthReport } from '../../src/domain/responses.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { endTestStack, startTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const RECOVERY_MS = 30_000;
/** A look ends by itself, so that a load balancer hears of it in time. */
const LONGEST_LOOK_MS = 5_000;
/** A code is the system's (ECONNREFUSED) or PostgreSQL's: a session cut off by the postmaster's death reads 57P01. */
const REASON = /^(?:no answer in time|does not answer(?: \([A-Z][A-Z_]+\)| \([0-9A-Z]{5}\))?)$/;

describe('/readyz', function () {
  this.timeout(120_000);
  let stack: Stack;
  before(async () => {
    stack = await startTestStack();
  });
  after(() => endTestStack(stack));

  const look = async (): Promise<{ status: number; report: HealthReport; tookMs: number }> => {
    const startedAt = performance.now();
    const answer = await fetch(`${stack.apiUrl}/readyz`);
    const report = (await answer.json()) as HealthReport;
    return { status: answer.status, report, tookMs: performance.now() - startedAt };
  };
  const isReady = async (): Promise<boolean> => (await look()).status === 200;
  /** It says so of this one, of nothing else, and tells no address. */
  const tellsOf = async (name: 'postgres' | 'storage'): Promise<string> => {
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
