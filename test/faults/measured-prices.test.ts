/**
 * A job that is priced by measured seconds, with real instances: what is charged are the seconds of the verified
 * attempts and nothing else, whatever failed, was killed or was staged beside them.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { grantCredits } from '../../src/services/ledger/index.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { leavesNothing, moneyIsExact } from '../support/faults/aftermath.ts';
import { ended, reaches, startsOf, submitNoop } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { noopOutput, START_FEE_PENCE } from '../support/faults/noop.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { until } from '../support/until.ts';

const MS_PER_PENNY = 1000;
const LARGE_BYTES = 32 * 1024 * 1024;

interface MeteredRow {
  readonly ordinal: number;
  readonly state: string;
  readonly attempts: number;
  readonly ms: number | null;
  /** The seconds from the claim of the last attempt to the start of its tool. */
  readonly staged: number | null;
}

describe('a job that is priced by measured seconds', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  const submit = async (noop: object, taskCount: number): Promise<FaultJob> => {
    const customer = await world.customer();
    const { jobId, heldCents } = await customer.client.submit({
      ...{ jobType: 'simulation', simulator: 'noop', taskCount, recovery: { mode: 'resumable' } },
      metadata: { noop: { pricing: 'measured', ...noop } },
    });
    return { jobId, customer, heldPence: heldCents };
  };
  const rowsOf = ({ jobId }: FaultJob): Promise<MeteredRow[]> =>
    world.rows(
      `select ordinal, state, attempts, metered_ms as ms,
         extract(epoch from tool_started_at - started_at)::float8 as staged
       from tasks where job_id = $1 and kind = 'task' order by ordinal`,
      [jobId],
    );
  /** Checks the end of the job, and that it was charged for the measured seconds of its verified tasks. */
  const chargedAsMeasured = async (job: FaultJob): Promise<MeteredRow[]> => {
    const { cost } = await ended(world, job);
    const rows = await rowsOf(job);
    const ms = rows.reduce((sum, row) => sum + (row.state === 'SUCCEEDED' ? (row.ms ?? 0) : 0), 0);
    const ceiling = Math.floor(cost.estimatedCost * 120 + 1e-6);
    const exact = Math.min(Math.floor(ms / MS_PER_PENNY) + START_FEE_PENCE, ceiling);
    expect(exact).to.be.at.most(job.heldPence);
    expect(cost.chargedCents).to.equal(exact);
    expect(cost.accruedCost).to.be.at.most(cost.estimatedCost * 1.2);
    expect(cost.chargedCents).to.equal(Math.floor(cost.accruedCost * 100 + 1e-6));
    await leavesNothing(world, job);
    await moneyIsExact(world, job, exact);
    return rows;
  };

  it('charges the verified attempts alone: failed and killed ones cost nothing', async () => {
    const seconds = 2;
    const job = await submit(
      {
        seconds,
        ...{ prepare: true, unproven: 'cut after an odd step' },
        fail: [
          { index: 1, kind: 'error' },
          { index: 2, kind: 'killself', times: 1 },
          { index: 3, kind: 'killinstance', times: 1 },
        ],
      },
      4,
    );
    // Four tasks of two seconds are eight pence and two to start, and the hold is a fifth more.
    expect(job.heldPence).to.equal(12);
    const rows = await chargedAsMeasured(job);
    expect(rows.map(({ state }) => state)).to.deep.equal(['SUCCEEDED', 'FAILED', 'SUCCEEDED', 'SUCCEEDED']);
    const { recovery } = await job.customer.client.status(job.jobId);
    expect(recovery).to.include({ resumable: false, resumableReason: 'cut after an odd step' });
    expect(rows[1]?.ms, 'a failed task').to.equal(null);
    expect(rows[2]?.attempts, 'killed once').to.be.at.least(2);
    expect(rows[3]?.attempts, 'its instance was killed once').to.be.at.least(2);
    // Each killed attempt had waited as long before it was killed, so two attempts would take twice as long.
    for (const { ms } of rows.filter(({ state }) => state === 'SUCCEEDED'))
      expect(ms).to.be.within(seconds * 1000 - 20, seconds * 2000 - 100);
    measured('charged ms', { verified: rows.map(({ ms }) => ms ?? '-').join(' ') });
  });

  /** A task of ten seconds that was estimated at one, and keeps what it has done. */
  const LONG = { seconds: 10, checkpoint: 0.2, pricing: 'measured' as const, expectedSeconds: 1, tasks: 1 };
  /** What an undisturbed run of the long task costs; a loaded machine takes some milliseconds more for each leg. */
  const LONG_PENCE = [START_FEE_PENCE + LONG.seconds, START_FEE_PENCE + LONG.seconds + 1] as const;
  const outputOf = async ({ jobId, customer }: FaultJob): Promise<string[]> => {
    const found: string[] = [];
    for await (const { taskIndex, sha256 } of customer.client.outputs(jobId))
      if (taskIndex !== null) found.push(sha256);
    return found;
  };
  const BYTES = [createHash('sha256').update(noopOutput(0)).digest('hex')];

  it('hands a long task back at a checkpoint, pauses where its next leg is not covered, and charges all of it once', async () => {
    const customer = await world.customer(START_FEE_PENCE + 3);
    const job = await submitNoop(world, LONG, customer);
    expect(job.heldPence).to.equal(4);
    await reaches(world, job, 'PAUSED');
    const paused = await customer.client.status(job.jobId);
    expect(paused).to.include({ status: 'PAUSED', pauseReason: 'CREDITS' });
    const [kept] = await world.rows<{ kept: number; paid: number; attempts: number }>(
      `select kept_ms::int as kept, paid_ms::int as paid, attempts from tasks where job_id = $1 and kind = 'task'`,
      [job.jobId],
    );
    expect(kept).to.include({ attempts: 1 });
    expect(kept?.kept).to.equal(kept?.paid).and.be.within(1200, 3200);
    // Where a loaded machine is late with a checkpoint, what the hold does not cover is the service's own.
    const done = START_FEE_PENCE + Math.floor((kept?.kept ?? 0) / MS_PER_PENNY);
    expect(paused.cost.chargedCents).to.be.within(done - 1, done);
    const { executions } = await customer.client.bill(job.jobId);
    const lines = executions[0]?.lines.filter(({ kind }) => kind !== 'ceiling');
    expect(lines?.map(({ kind, tasks, meteredMs }) => [kind, tasks, meteredMs])).to.deep.equal([
      ['start_fee', null, null],
      ['time', 0, kept?.kept],
    ]);
    await grantCredits(world.db, {
      ...{ accountId: customer.accountId, amountPence: 100, key: `more/${customer.accountId}` },
      description: 'More',
    });
    await customer.client.resume(job.jobId);
    const { status, cost } = await ended(world, job);
    expect(status).to.equal('SUCCEEDED');
    expect(await outputOf(job)).to.deep.equal(BYTES);
    const [row] = await rowsOf(job);
    expect(row?.attempts, 'legs are no attempts').to.equal(2);
    expect(cost.chargedCents).to.be.within(LONG_PENCE[0] - 1, LONG_PENCE[1]);
    expect(cost.chargedCents).to.be.within(
      START_FEE_PENCE + Math.floor((row?.ms ?? 0) / MS_PER_PENNY) - 1,
      START_FEE_PENCE + Math.floor((row?.ms ?? 0) / MS_PER_PENNY),
    );
    await leavesNothing(world, job);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    const text = await customer.client.taskLog(job.jobId, 0);
    expect(text.match(/attempt 2/g)?.length, 'the log goes on with each leg').to.be.above(1);
    measured('a long task', { kept: kept?.kept ?? 0, ms: row?.ms ?? 0, charged: cost.chargedCents });
  });

  it('leaves charged what a pause has charged when the task fails later, and charges nothing more', async () => {
    const customer = await world.customer(START_FEE_PENCE + 3);
    const fail = [{ index: 0, kind: 'error' as const }];
    const job = await submitNoop(world, { ...LONG, seconds: 6, fail }, customer);
    await reaches(world, job, 'PAUSED');
    const { cost: paused } = await customer.client.status(job.jobId);
    expect(paused.chargedCents).to.be.greaterThan(START_FEE_PENCE);
    await grantCredits(world.db, {
      ...{ accountId: customer.accountId, amountPence: 100, key: `more/${customer.accountId}` },
      description: 'More',
    });
    await customer.client.resume(job.jobId);
    const { status, cost } = await ended(world, job);
    expect(status).to.equal('FAILED');
    expect(cost.chargedCents).to.equal(paused.chargedCents);
    await leavesNothing(world, job);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    const { executions } = await customer.client.bill(job.jobId);
    expect(executions.map(({ chargedCents }) => chargedCents)).to.deep.equal([paused.chargedCents, 0]);
  });

  it('charges nobody for a tool, an instance and a control worker that are killed in the middle of legs', async () => {
    const job = await submitNoop(world, { ...LONG, mode: 'resumable' });
    const keptOver = (ms: number): Promise<void> =>
      until(
        `the task has kept ${String(ms)} ms`,
        async () => {
          const rows = await world.rows('select from tasks where job_id = $1 and kept_ms > $2', [
            job.jobId,
            ms,
          ]);
          return rows.length > 0;
        },
        RECOVERY_MS,
      );
    await keptOver(1500);
    const tool = (await startsOf(world, job)).findLast(({ start }) => start === 'process')?.pid;
    process.kill(tool ?? expect.fail('no tool'), 'SIGKILL');
    await keptOver(3000);
    const [instance] = await world.rows<{ id: string }>(
      'select provider_id as id from instances where job_id = $1 and fenced_at is null',
      [job.jobId],
    );
    world.stack.kill(`instance/${instance?.id ?? ''}`);
    await keptOver(5000);
    await world.killAndRestart('control');
    const { status, cost } = await ended(world, job);
    expect(status).to.equal('SUCCEEDED');
    expect(await outputOf(job)).to.deep.equal(BYTES);
    const [row] = await rowsOf(job);
    expect(cost.chargedCents).to.equal(START_FEE_PENCE + Math.floor((row?.ms ?? 0) / MS_PER_PENNY));
    expect(cost.chargedCents).to.be.within(...LONG_PENCE);
    measured('a long task with three kills', { ms: row?.ms ?? 0, attempts: row?.attempts ?? 0 });
  });

  it('charges no staging of a large input and no wait for a task before, and stops at the hold', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-measured-'));
    try {
      const path = join(folder, 'large.bin');
      await writeFile(path, Buffer.alloc(LARGE_BYTES, 'large '));
      const customer = await world.customer();
      const { storageKey } = await customer.client.upload({ path }, { stateFolder: null });
      const { jobId, heldCents } = await customer.client.submit({
        ...{ jobType: 'simulation', simulator: 'noop', taskCount: 2, sceneFile: storageKey },
        simulationParams: { dockingExecution: { shardSize: 2 }, maxPockets: 10 },
        // A hundredth of a minute is 0.6 s a task: two seconds are estimated, and 4.8 pence are held.
        metadata: {
          taskRuntimeMinutes: 0.01,
          noop: { pricing: 'measured', seconds: 2, outputBytes: 1000 },
        },
      });
      expect(heldCents).to.equal(5);
      const rows = await chargedAsMeasured({ jobId, customer, heldPence: heldCents });
      const [first, second] = rows;
      expect(first?.staged, 'seconds of the download').to.be.above(0.1);
      expect(second?.staged, 'the first task comes before').to.be.above(2);
      for (const { ms } of rows) expect(ms).to.be.within(1980, 3900);
      const { cost } = await customer.client.status(jobId);
      expect(cost).to.include({
        estimatedCost: 0.04,
        accruedCost: 0.048,
        chargedCents: 4,
        releasedCents: 1,
      });
      measured('claim to tool', { first: first?.staged ?? 0, second: second?.staged ?? 0 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
