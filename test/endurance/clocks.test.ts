/** The clocks of compute are an hour ahead or behind: jobs end as they do with good clocks, and are charged the same. */
import { expect } from 'chai';

import { endsWell } from '../support/faults/aftermath.ts';
import { ended, instanceOf, submitNoop, untilVerified } from '../support/faults/jobs.ts';
import { START_FEE_PENCE } from '../support/faults/noop.ts';
import { shiftedClock } from '../support/faults/shifted-clock.ts';
import { RECOVERY_MS } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { endTestStack } from '../support/stack.ts';

const HOUR_MS = 3_600_000;
const TASKS = 8;
const MS_PER_PENNY = 1000;
const SECONDS = 1.2;

for (const [name, shiftMs] of [
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
] as const) {
  describe(`with the clocks of compute an hour ${name}`, function () {
    this.timeout(RECOVERY_MS * 2);
    let world: FaultWorld;
    before(async function () {
      this.timeout(120_000);
      world = await openFaultWorld({ environment: { NODE_OPTIONS: await shiftedClock(shiftMs) } });
    });
    after(() => endTestStack(world.stack));

    it('a job whose instance is lost ends well, and its price is that of any job', async () => {
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.5 });
      await untilVerified(world, job, 2);
      world.stack.kill(await instanceOf(world, job));
      await endsWell(world, job, TASKS);
      const [seen] = await world.rows<{ seconds: number }>(
        `select max(abs(extract(epoch from finished_at - now())))::float8 as seconds from tasks where job_id = $1`,
        [job.jobId],
      );
      expect(seen?.seconds, 'times of rows are those of the database').to.be.below(HOUR_MS / 2000);
    });

    it('a job that is priced by seconds is charged the seconds of its tools', async () => {
      const customer = await world.customer();
      const { jobId, heldCents } = await customer.client.submit({
        ...{ jobType: 'simulation', simulator: 'noop', taskCount: TASKS },
        metadata: { noop: { pricing: 'measured', seconds: SECONDS } },
      });
      const job = { jobId, customer, heldPence: heldCents };
      const { cost, status } = await ended(world, job);
      expect(status).to.equal('SUCCEEDED');
      const [row] = await world.rows<{ ms: number; least: number; most: number }>(
        `select sum(metered_ms)::int as ms, min(metered_ms)::int as least, max(metered_ms)::int as most from tasks
         where job_id = $1 and kind = 'task'`,
        [jobId],
      );
      expect(row?.least, 'the shortest task').to.be.at.least(SECONDS * 1000 - 50);
      expect(row?.most, 'the longest task').to.be.below(SECONDS * 1000 + 10_000);
      const due = Math.floor((row?.ms ?? 0) / MS_PER_PENNY) + START_FEE_PENCE;
      expect(cost.chargedCents).to.equal(Math.min(due, heldCents));
    });
  });
}
