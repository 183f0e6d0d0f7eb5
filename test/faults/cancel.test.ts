/**
 * Cancel in each phase of a job: the tools are gone within seconds, what is verified is charged, and everything else is
 * given back.
 */
import { expect } from 'chai';

import { createJobWorkflows } from '../../src/adapters/temporal/client.ts';
import { loadConfig } from '../../src/config.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import { instanceIdOf } from '../../src/local-host/host-table.ts';
import { endsWith, moneyIsExact, priceOf, processesOf } from '../support/faults/aftermath.ts';
import { closeGate, lockTable } from '../support/faults/gate.ts';
import { ended, reaches, stateOf, submitNoop, tasksOf, untilVerified } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

const TOOLS_GONE_SECONDS = 10;
/** Two tasks end well, two ignore SIGTERM until they are killed. */
const HANGING = {
  tasks: 4,
  seconds: 0.1,
  fail: [
    { index: 2, kind: 'hang' },
    { index: 3, kind: 'hang' },
  ],
} as const;

const longIt = inLongRuns(it);

describe('cancel', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  const cancel = async (job: FaultJob): Promise<{ status: number; state: unknown }> => {
    const answer = await fetch(`${world.stack.apiUrl}/api/v1/jobs/${job.jobId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${job.customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'test' }),
    });
    const body: unknown = await answer.json();
    return { status: answer.status, state: Reflect.get(Object(body), 'status') };
  };
  const accepted = async (job: FaultJob, state: string): Promise<void> =>
    expect(await cancel(job)).to.deep.equal({ status: 202, state }) && undefined;

  it('in SUBMITTED: the admission stands, everything is released', async () => {
    const release = await lockTable(world, 'tasks', 'share');
    let job: FaultJob;
    try {
      job = await submitNoop(world, { tasks: 2, seconds: 0.1 });
      expect(await stateOf(world, job)).to.equal('SUBMITTED');
      await accepted(job, 'SUBMITTED');
    } finally {
      await release();
    }
    await endsWith(world, job, { state: 'CANCELLED', verified: 0 });
    expect(await launches(world, job)).to.equal(0);
  });

  it('in QUEUED, in RUNNING, and of a workflow through Temporal: tools gone within 10 s, money exact', async () => {
    const customer = await world.customer();
    const [byApi, byTemporal] = [
      await submitNoop(world, HANGING, customer),
      await submitNoop(world, HANGING, customer),
    ];
    await Promise.all([byApi, byTemporal].map((job) => reaches(world, job, 'PROVISIONING', 'RUNNING')));
    const waiting = await submitNoop(world, { tasks: 1, seconds: 0 }, customer);
    await until('the third job waits for capacity', async () => {
      const { status, queue } = await customer.client.status(waiting.jobId);
      return status === 'QUEUED' && queue?.position === 1;
    });
    await accepted(waiting, 'QUEUED');
    await endsWith(world, waiting, { state: 'CANCELLED', verified: 0 });
    expect(await launches(world, waiting)).to.equal(0);

    for (const job of [byApi, byTemporal]) {
      await untilVerified(world, job, 2);
      await until('the hanging tools run', async () => (await runningTasks(world, job)) === 2);
    }
    // A task runs from its claim on; its tool is there a moment later.
    await until('both tools have processes', async () => (await toolsOf(world, byApi)) >= 2);
    const cancelledAt = performance.now();
    await accepted(byApi, 'RUNNING');
    await (await world.temporal()).workflow.getHandle(jobWorkflowId(byTemporal.jobId)).cancel();
    await Promise.all([byApi, byTemporal].map((job) => toolsGone(world, job)));
    const goneAfter = (performance.now() - cancelledAt) / 1000;
    expect(goneAfter).to.be.below(TOOLS_GONE_SECONDS);
    measured('cancel in RUNNING', { toolsGoneAfterSeconds: goneAfter });
    for (const job of [byApi, byTemporal]) await endsWith(world, job, { state: 'CANCELLED', verified: 2 });
  });

  it('in PROVISIONING while the provider does not answer: settled at once, the instance is ended when it can be', async () => {
    world.stack.pause('compute');
    let job: FaultJob;
    try {
      job = await submitNoop(world, { tasks: 2, seconds: 0.1 });
      await reaches(world, job, 'PROVISIONING');
      await until('a launch is asked for', async () => (await launches(world, job)) === 1);
      await accepted(job, 'PROVISIONING');
      await reaches(world, job, 'CANCELLED');
      await moneyIsExact(world, job, 0).catch((error: unknown) => {
        // Capacity is given back only when the instance is known to be gone.
        if (!String(error).includes('ended-job-has-no-capacity')) throw error;
      });
    } finally {
      world.stack.resume('compute');
    }
    await endsWith(world, job, { state: 'CANCELLED', verified: 0 });
  });

  /**
   * Cancels at one moment of FINALIZING: `lock` holds the next statement of that phase, and `comes` waits until the
   * moment has come.
   */
  const cancelFinalizing = async (
    lock: Parameters<typeof lockTable>[1],
    mode: Parameters<typeof lockTable>[2],
    comes: (job: FaultJob) => Promise<void>,
  ): Promise<void> => {
    const customer = await world.customer();
    const gate = await closeGate(world, {
      table: 'jobs',
      event: 'update',
      when: `new.account_id = '${customer.accountId}' and new.status = 'FINALIZING' and old.status <> 'FINALIZING'`,
      moment: 'row',
    });
    const job = await submitNoop(world, { tasks: 2, seconds: 0.1 }, customer);
    try {
      await gate.reached();
      const release = await lockTable(world, lock, mode);
      try {
        await gate.open();
        await comes(job);
        await accepted(job, 'FINALIZING');
      } finally {
        await release();
      }
    } finally {
      await gate.open();
    }
    await endsWith(world, job, { state: 'CANCELLED', verified: 2 });
  };

  longIt('in FINALIZING: what is verified is charged, and it cannot end twice', async () => {
    // The completeness check reads the artifacts, so it waits for this lock.
    await cancelFinalizing('artifacts', 'access exclusive', (job) => reaches(world, job, 'FINALIZING'));
  });

  it('in FINALIZING while the end is written: cancelled, and what is verified is charged', async () => {
    // The completeness check is done; the fence follows it and waits for this lock.
    await cancelFinalizing('instances', 'share', () =>
      until('the fence is set', async () => {
        const waiting = await world.rows(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%set fenced_at = now()%'`,
        );
        return waiting.length > 0;
      }),
    );
  });

  longIt(
    'out of PAUSED by an operator: settled at the pause, nothing more is charged at the end',
    async () => {
      const job = await submitNoop(world, { tasks: 20, seconds: 0.5 });
      await untilVerified(world, job, 1);
      const workflows = createJobWorkflows(loadConfig('cli', world.stack.env));
      try {
        expect(await workflows.pause(job.jobId, 'OPERATOR')).to.equal(true);
      } finally {
        await workflows.close();
      }
      await reaches(world, job, 'PAUSED');
      const verified = (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED').length;
      const paused = await job.customer.client.status(job.jobId);
      expect(paused).to.deep.include({ status: 'PAUSED', pauseReason: 'OPERATOR' });
      expect(verified).to.be.within(1, 19);
      expect(paused.cost.chargedCents).to.equal(priceOf(verified));
      await until('nothing runs and nothing is held while it is paused', async () => {
        const rows = await world.rows(
          `select 1 from instances where job_id = $1 and state <> 'TERMINATED'
         union all select 1 from capacity_requests where job_id = $1 and state <> 'RELEASED'`,
          [job.jobId],
        );
        return rows.length === 0;
      });
      await moneyIsExact(world, job, priceOf(verified));
      await accepted(job, 'PAUSED');
      await endsWith(world, job, { state: 'CANCELLED', verified });
      // After the end a cancel changes nothing.
      expect(await cancel(job)).to.deep.equal({ status: 200, state: 'CANCELLED' });
      expect((await ended(world, job)).cost.chargedCents).to.equal(priceOf(verified));
    },
  );
});

async function launches(world: FaultWorld, { jobId }: FaultJob): Promise<number> {
  return (await world.rows('select 1 from instances where job_id = $1', [jobId])).length;
}

async function runningTasks(world: FaultWorld, job: FaultJob): Promise<number> {
  return (await tasksOf(world, job)).filter(({ state }) => state === 'RUNNING').length;
}

async function toolsOf(world: FaultWorld, { jobId }: FaultJob): Promise<number> {
  const rows = await world.rows<{ launch_token: string }>(
    'select launch_token from instances where job_id = $1',
    [jobId],
  );
  return rows
    .flatMap(({ launch_token }) => processesOf(instanceIdOf(launch_token)))
    .filter((process) => process.startsWith('tool')).length;
}

function toolsGone(world: FaultWorld, job: FaultJob): Promise<void> {
  return until(
    `the tools of job ${job.jobId} are gone`,
    async () => (await toolsOf(world, job)) === 0,
    30_000,
  );
}
