/** No fault loses an admission: the job goes on or is refused, and there is never a hold without a workflow. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import { v5 as uuidv5 } from 'uuid';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { endsWell, startedOnce } from '../support/faults/aftermath.ts';
import { closeGate } from '../support/faults/gate.ts';
import type { Gate } from '../support/faults/gate.ts';
import { noopRequest } from '../support/faults/noop.ts';
import { measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

const JOB = { tasks: 2, seconds: 0.1 };
const ADMISSION_WAIT_SECONDS = timed({ scaled: 2, full: 25 });
const ADMIT_BY_SECONDS = timed({ scaled: 4, full: 60 });
const CONTROL_STOPPED_SECONDS = timed({ scaled: 5, full: 90 });

const longIt = inLongRuns(it);

describe('the admission under faults', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  it('control worker and Temporal killed between its commit and the end of its workflow task, and before its commit: both jobs go on', async () => {
    const [committed, open] = [await world.customer(), await world.customer()];
    const gates = [await admissionGate(world, committed, 'commit'), await admissionGate(world, open, 'row')];
    const submits = [committed, open].map((customer) =>
      customer.client.submit(noopRequest(JOB), { idempotencyKey: randomUUID() }),
    );
    const [commitGate, rowGate] = gates;
    try {
      await Promise.all(gates.map((gate) => gate.reached()));
      // Temporal cannot take the end of the workflow task any more. The one commit is let through; then worker and
      // Temporal are killed.
      world.stack.pause('temporal');
      await commitGate?.open();
      await admittedJob(world, committed);
      await world.killAndRestart('control', 'temporal');
      await rowGate?.refuse();
    } finally {
      await Promise.all(gates.map((gate) => gate.open()));
    }
    const killedAt = performance.now();
    for (const [index, customer] of [committed, open].entries()) {
      const accepted = await submits[index];
      const job = { jobId: accepted?.jobId ?? '', customer, heldPence: accepted?.heldCents ?? 0 };
      await endsWell(world, job, JOB.tasks);
      await startedOnce(world, job, JOB.tasks);
      // The admission that was not committed may have expired, and its repeated submit may have started a run of its
      // own.
      if (customer === committed) expect(await firstWorkflowTask(world, job.jobId)).to.equal('timed out');
    }
    measured('killed around the commit', { endedAfterSeconds: (performance.now() - killedAt) / 1000 });
  });

  longIt(
    'control worker stopped during a submit: 503 in time, no late start, the same key works afterwards',
    async () => {
      const customer = await world.customer();
      const key = randomUUID();
      await world.stack.stopChild('control');
      const stoppedAt = performance.now();
      try {
        const refused = await submitOnce(world, customer, key);
        const waited = (performance.now() - stoppedAt) / 1000;
        expect(refused.status).to.equal(503);
        expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
        expect(await refused.json()).to.have.property('code', 'SERVICE_UNAVAILABLE');
        expect(waited).to.be.within(ADMISSION_WAIT_SECONDS - 0.5, ADMISSION_WAIT_SECONDS + 20);
        measured('control worker stopped', { answered503AfterSeconds: waited });
        await until(
          'the control worker was stopped for as long as the test says',
          () => performance.now() - stoppedAt > CONTROL_STOPPED_SECONDS * 1000,
          RECOVERY_MS * 2,
        );
        expect(CONTROL_STOPPED_SECONDS, 'the admission has expired').to.be.above(ADMIT_BY_SECONDS);
      } finally {
        await world.stack.startChild('control');
      }
      await closedWithout(world, jobIdOf(customer, key));
      const { jobId, heldCents } = await customer.client.submit(noopRequest(JOB), { idempotencyKey: key });
      expect(jobId).to.equal(jobIdOf(customer, key));
      await endsWell(world, { jobId, customer, heldPence: heldCents }, JOB.tasks);
    },
  );
});

function admissionGate(world: FaultWorld, { accountId }: Customer, moment: 'commit' | 'row'): Promise<Gate> {
  return closeGate(world, {
    table: 'jobs',
    event: 'insert',
    when: `new.account_id = '${accountId}'`,
    moment,
  });
}

function admittedJob(world: FaultWorld, { accountId }: Customer): Promise<void> {
  return until('the admission is committed', async () => {
    const rows = await world.rows('select id from jobs where account_id = $1', [accountId]);
    return rows.length === 1;
  });
}

/** Proves that the kill came at the right moment: the workflow task that ran the admission was never completed. */
async function firstWorkflowTask(world: FaultWorld, jobId: string): Promise<string> {
  const { events } = await (await world.temporal()).workflow.getHandle(jobWorkflowId(jobId)).fetchHistory();
  for (const event of events ?? []) {
    if (event.workflowTaskTimedOutEventAttributes != null) return 'timed out';
    if (event.workflowTaskFailedEventAttributes != null) return 'failed';
    if (event.workflowTaskCompletedEventAttributes != null) return 'completed';
  }
  return 'never';
}

function submitOnce(world: FaultWorld, { key }: Customer, idempotencyKey: string): Promise<Response> {
  return fetch(`${world.stack.apiUrl}/api/v1/jobs/submit`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(noopRequest(JOB)),
  });
}

/** The workflow of the abandoned submit has decided: no job was admitted and no credits are held. */
async function closedWithout(world: FaultWorld, jobId: string): Promise<void> {
  const handle = (await world.temporal()).workflow.getHandle(jobWorkflowId(jobId));
  const outcome = await handle.result();
  expect(outcome).to.include({ decision: 'expired', state: null });
  const rows = await world.rows(
    'select id from jobs where id = $1 union all select id from holds where job_id = $1',
    [jobId],
  );
  expect(rows).to.deep.equal([]);
}

/** The job id that follows from account and key (docs/design/jobs.md, step 2). */
function jobIdOf({ accountId }: Customer, key: string): string {
  return uuidv5(`${accountId}/jobs.submit/${key}`, 'c6a4f3a2-6f0e-5d39-9a58-0b6ff1f5c0d1');
}
