/**
 * Workflows that were terminated by hand or whose history is gone: nothing is stranded. The audit takes a job up from its
 * rows, the customer's cancel does so as well, and an operator can end a job without a workflow.
 */
import { expect } from 'chai';

import { createJobWorkflows } from '../../src/adapters/temporal/client.ts';
import type { JobWorkflows } from '../../src/adapters/temporal/client.ts';
import { viewJobWorkflow } from '../../src/adapters/temporal/job-view.ts';
import { loadConfig } from '../../src/config.ts';
import { capacityLimitsOf } from '../../src/config/capacity-settings.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import { operator } from '../../src/services/audit/index.ts';
import { endJob } from '../../src/services/execution/settle/end-job.ts';
import { createTakeUp } from '../../src/services/job-records/take-up.ts';
import { explainJob } from '../../src/services/operations/explain-job.ts';
import { readJobPage } from '../../src/services/operations/job-page.ts';
import { pauseJob } from '../../src/services/operator.ts';
import { endsWell, endsWith, moneyIsExact, notRunAgain, priceOf } from '../support/faults/aftermath.ts';
import { closeGate, lockTable } from '../support/faults/gate.ts';
import { reaches, submitNoop, tasksOf, untilVerified } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { round } from '../support/faults/rounds.ts';
import { RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

const TASKS = 12;
const longIt = inLongRuns(it);

/** A job in its state, and what lets it go on. */
interface Begun {
  readonly job: FaultJob;
  readonly release: () => Promise<unknown>;
}

describe('a job whose workflow is gone', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  let workflows: JobWorkflows;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
    workflows = createJobWorkflows(loadConfig('cli', world.stack.env));
  });
  after(() => workflows.close());

  /** A job in a state, whose workflow is then terminated or deleted. */
  const lost = {
    terminated: async ({ jobId }: FaultJob): Promise<void> => {
      const { workflow } = await world.temporal();
      await workflow.getHandle(jobWorkflowId(jobId)).terminate('by hand');
    },
    deleted: async ({ jobId }: FaultJob): Promise<void> => {
      const { connection, options } = await world.temporal();
      const execution = { workflowId: jobWorkflowId(jobId) };
      await connection.workflowService.deleteWorkflowExecution({
        namespace: options.namespace,
        workflowExecution: execution,
      });
      await until('the history is gone', async () => (await workflows.endOf(jobId)) === 'gone');
    },
  };
  const inState = {
    SUBMITTED: async (): Promise<Begun> => {
      // The plan of the tasks waits for this lock.
      const release = await lockTable(world, 'tasks', 'share');
      try {
        return { job: await submitNoop(world, { tasks: TASKS, seconds: 0.2 }), release };
      } catch (error) {
        await release();
        throw error;
      }
    },
    QUEUED: async (): Promise<Begun> => {
      // Two other jobs have all the capacity of the account.
      const customer = await world.customer();
      const others: FaultJob[] = [];
      for (let count = 0; count < 2; count += 1) {
        const other = await submitNoop(world, { tasks: 8, seconds: 60 }, customer);
        await reaches(world, other, 'RUNNING');
        others.push(other);
      }
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.2 }, customer);
      await reaches(world, job, 'QUEUED');
      const release = () => Promise.all(others.map(({ jobId }) => customer.client.cancel(jobId)));
      return { job, release };
    },
    PROVISIONING: async (): Promise<Begun> => {
      // The host hears nothing, so the launch is asked for and not answered.
      world.stack.pause('compute');
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.2 });
      await reaches(world, job, 'PROVISIONING');
      return { job, release: async () => world.stack.resume('compute') };
    },
    RUNNING: async (): Promise<Begun> => {
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.5 });
      await untilVerified(world, job, 2);
      return { job, release: async () => undefined };
    },
    RECOVERING: async (): Promise<Begun> => {
      // The instances end with their host, and without a host there are no others.
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.5 });
      await untilVerified(world, job, 1);
      await world.stack.stopChild('compute', 'SIGKILL');
      await reaches(world, job, 'RECOVERING');
      return { job, release: () => world.stack.startChild('compute') };
    },
    FINALIZING: async (): Promise<Begun> => {
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
        // The completeness check reads the artifacts, so it waits for this lock.
        const release = await lockTable(world, 'artifacts', 'access exclusive');
        await gate.open();
        await reaches(world, job, 'FINALIZING');
        return { job, release };
      } finally {
        await gate.open();
      }
    },
    CANCELLING: async (): Promise<Begun> => {
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.5 });
      await untilVerified(world, job, 1);
      // The fence waits for this lock.
      const release = await lockTable(world, 'instances', 'share');
      await job.customer.client.cancel(job.jobId);
      await reaches(world, job, 'CANCELLING');
      return { job, release };
    },
    PAUSED: async (): Promise<Begun> => {
      const job = await submitNoop(world, { tasks: TASKS, seconds: 0.5 });
      await untilVerified(world, job, 1);
      await workflows.pause(job.jobId, 'OPERATOR');
      await reaches(world, job, 'PAUSED');
      await until('the pause has ended the run', async () => (await workflows.endOf(job.jobId)) === 'gone');
      expect(await capacityOf(world, job)).to.equal('RELEASED');
      return { job, release: async () => undefined };
    },
  };

  for (const [state, begin] of Object.entries(inState))
    it(`is cancelled in ${state}, and everything is given back`, async () => {
      const { job, release } = await begin();
      if (state !== 'PAUSED') await lost.terminated(job);
      await release();
      const answer = await job.customer.client.cancel(job.jobId, { reason: 'not needed' });
      expect(answer.status).to.equal(state);
      const verified = await verifiedOf(world, job);
      await reaches(world, job, 'CANCELLED');
      expect(await verifiedOf(world, job)).to.be.at.least(verified);
      await endsWith(world, job, { state: 'CANCELLED', verified: await verifiedOf(world, job) });
    });

  it('goes on at once while it was RUNNING by a resume, which holds and changes nothing, and is told so', async () => {
    const { job } = await inState.RUNNING();
    const { client } = job.customer;
    const refused = await client.resume(job.jobId).catch((error: unknown) => error);
    expect(refused, 'a workflow works on it').to.include({ code: 'JOB_NOT_RESUMABLE' });
    await lost.terminated(job);
    const verified = (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED');
    const answer = await client.resume(job.jobId);
    expect(answer).to.include({ execution: 1 });
    expect(answer.message).to.include('was started again');
    const config = loadConfig('cli', world.stack.env);
    const page = await readJobPage(world.db, job.jobId, capacityLimitsOf(config));
    const { why } = explainJob(page, await viewJobWorkflow(config, job.jobId));
    expect(why.join(' ')).to.include('so a resume started it again from the job');
    await endsWell(world, job, TASKS);
    await notRunAgain(world, job, verified);
  });

  longIt(
    'pauses while it was RUNNING, by the message of an operator, and its status says so until then',
    async () => {
      const job = await submitNoop(world, { tasks: 6, seconds: 1 });
      await untilVerified(world, job, 1);
      await lost.terminated(job);
      const takeUp = createTakeUp({ db: world.db, workflows, settings: loadConfig('cli', world.stack.env) });
      const { outcome } = await pauseJob({ db: world.db, workflows, takeUp }, job.jobId);
      expect(outcome).to.equal('requested');
      const { statusReason, pauseReason, status } = await job.customer.client.status(job.jobId);
      expect({ status, statusReason, pauseReason }).to.deep.equal({
        ...{ status: 'RUNNING', statusReason: 'PAUSE_REQUESTED', pauseReason: 'OPERATOR' },
      });
      await reaches(world, job, 'PAUSED');
      await job.customer.client.resume(job.jobId);
      await reaches(world, job, 'SUCCEEDED');
    },
  );

  for (const [how, lose] of Object.entries(lost))
    it(`goes on while it was RUNNING, once the audit has found it ${how}, and does nothing twice`, async () => {
      const { job } = await inState.RUNNING();
      await lose(job);
      const verified = (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED');
      await audit(world, job);
      await endsWell(world, job, TASKS);
      await notRunAgain(world, job, verified);
      const { recovery } = await job.customer.client.status(job.jobId);
      expect(recovery.events.map(({ cause }) => cause)).to.include('CONTROL_LOST');
    });

  for (const state of ['SUBMITTED', 'PROVISIONING', 'RECOVERING', 'FINALIZING', 'CANCELLING'] as const)
    longIt(
      `goes on from ${state}, once the audit has found it terminated, and does nothing twice`,
      async () => {
        const { job, release } = await inState[state]();
        await lost.terminated(job);
        await release();
        const verified = (await tasksOf(world, job)).filter((task) => task.state === 'SUCCEEDED');
        await audit(world, job);
        if (state === 'CANCELLING') {
          await reaches(world, job, 'CANCELLED');
          await endsWith(world, job, { state: 'CANCELLED', verified: await verifiedOf(world, job) });
        } else await endsWell(world, job, state === 'FINALIZING' ? 2 : TASKS);
        await notRunAgain(world, job, verified);
      },
    );

  it('loses its instances by the sweep long before the audit finds it, and goes on with others afterwards', async () => {
    // Tasks of seconds, so that some are left when a busy machine has ended the instances.
    const job = await submitNoop(world, { tasks: TASKS, seconds: 3 });
    await untilVerified(world, job, 2);
    const before = performance.now();
    await lost.terminated(job);
    // The instance looks as if it were older than a launch under way.
    await world.rows(`update instances set launched_at = now() - interval '1 hour' where job_id = $1`, [
      job.jobId,
    ]);
    await round(world, 'sweep');
    await until('the instance has ended', async () => {
      const left = await world.rows(`select 1 from instances where job_id = $1 and state <> 'TERMINATED'`, [
        job.jobId,
      ]);
      return left.length === 0;
    });
    expect(performance.now() - before).to.be.below(300_000);
    const verified = (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED');
    expect(verified).to.have.length.below(TASKS);
    await audit(world, job);
    await endsWell(world, job, TASKS);
    await notRunAgain(world, job, verified);
  });

  it('goes on while it was QUEUED, once the look after waiting jobs has found it', async () => {
    const { job, release } = await inState.QUEUED();
    await lost.terminated(job);
    await older(world, job);
    await reaches(world, job, 'QUEUED');
    await until('its workflow runs again', () => workflows.isOpen(job.jobId));
    await release();
    await endsWell(world, job, TASKS);
  });

  it('ends with what is verified once it was paused for 14 days, by a schedule', async () => {
    const { job } = await inState.PAUSED();
    const verified = await verifiedOf(world, job);
    await world.rows(
      `update jobs set pause_reason = 'CREDITS', status_at = now() - interval '15 days' where id = $1 returning 1`,
      [job.jobId],
    );
    await (await world.temporal()).schedule.getHandle('long-pauses').trigger();
    await reaches(world, job, 'PARTIALLY_SUCCEEDED');
    await endsWith(world, job, { state: 'PARTIALLY_SUCCEEDED', verified });
  });

  it('is ended by an operator, with a run and without one', async () => {
    for (const lose of [lost.terminated, async () => undefined]) {
      const { job } = await inState.RUNNING();
      await lose(job);
      const ended = await endJob(
        { db: world.db, workflows },
        { jobId: job.jobId, reason: 'stuck' },
        operator('ada'),
      );
      const verified = await verifiedOf(world, job);
      expect(ended).to.include({ status: 'CANCELLED', chargedPence: priceOf(verified) });
      await moneyIsExact(world, job, priceOf(verified));
      expect(await capacityOf(world, job)).to.equal('RELEASED');
      const again = await endJob(
        { db: world.db, workflows },
        { jobId: job.jobId, reason: 'again' },
        operator('ada'),
      ).catch((error: unknown) => error);
      expect(again).to.include({ code: 'VALIDATION_ERROR' });
      const entries = await world.rows(
        `select author_kind, author_id, after from audit_log where action = 'job.ended' and subject = $1`,
        [job.jobId],
      );
      expect(entries).to.deep.equal([
        { author_kind: 'operator', author_id: 'ada', after: { reason: 'stuck' } },
      ]);
    }
  });
});

async function verifiedOf(world: FaultWorld, job: FaultJob): Promise<number> {
  return (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED').length;
}

async function capacityOf(world: FaultWorld, { jobId }: FaultJob): Promise<string | null> {
  const [row] = await world.rows<{ state: string }>('select state from capacity_requests where job_id = $1', [
    jobId,
  ]);
  return row?.state ?? null;
}

/** Makes the job look as if it were too old for its workflow to be just starting. */
async function older(world: FaultWorld, { jobId }: FaultJob): Promise<void> {
  await world.rows(
    `update jobs set submitted_at = now() - interval '6 minutes', updated_at = now() - interval '6 minutes' where id = $1`,
    [jobId],
  );
}

/** Runs the audit of the deployment. */
async function audit(world: FaultWorld, job: FaultJob): Promise<void> {
  await older(world, job);
  await (await world.temporal()).schedule.getHandle('ledger-audit').trigger();
}
