/**
 * A job that has stopped goes on: what is verified stays and is charged once, what is missing is held and done. The bill shows
 * each execution and comes to what was charged.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { createJobWorkflows } from '../../src/adapters/temporal/client.ts';
import type { JobWorkflows } from '../../src/adapters/temporal/client.ts';
import { loadConfig } from '../../src/config.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { smilesLigand } from '../support/docking.ts';
import { leavesNothing, notRunAgain, priceOf } from '../support/faults/aftermath.ts';
import {
  ended,
  ledgerOf,
  reaches,
  stateOf,
  submitNoop,
  tasksOf,
  untilVerified,
} from '../support/faults/jobs.ts';
import type { FaultJob, TaskRow } from '../support/faults/jobs.ts';
import { noopRequest } from '../support/faults/noop.ts';
import { round } from '../support/faults/rounds.ts';
import { RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';

const TASKS = 10;
/** A job is cancelled in the middle, and with the times of production its instance hears of that later. */
const SECONDS = timed({ scaled: 0.4, full: 3 });

const longIt = inLongRuns(it);

describe('a resume', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  let workflows: JobWorkflows;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
    workflows = createJobWorkflows(loadConfig('cli', world.stack.env));
  });
  after(() => workflows.close());

  /** A job that is cancelled in the middle, with the tasks that were verified by then. */
  const cancelled = async (pence?: number): Promise<{ job: FaultJob; verified: TaskRow[] }> => {
    const job = await submitNoop(world, { tasks: TASKS, seconds: SECONDS }, await world.customer(pence));
    await untilVerified(world, job, 2);
    await job.customer.client.cancel(job.jobId);
    await reaches(world, job, 'CANCELLED');
    return { job, verified: await verifiedTasks(job) };
  };
  const verifiedTasks = async (job: FaultJob): Promise<TaskRow[]> =>
    (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED');

  /** The job succeeds, each task was charged once over all executions, and nothing is held. */
  const endsPaidOnce = async (job: FaultJob, executions: number): Promise<void> => {
    const status = await ended(world, job);
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    const total = status.progress.total;
    expect(status).to.include({ execution: executions });
    expect(status.cost.chargedCents).to.equal(priceOf(total));
    expect(status.cost.accruedCost * 100).to.be.closeTo(priceOf(total), 0.001);
    await leavesNothing(world, job);
    const bill = await job.customer.client.bill(job.jobId);
    expect(bill.executions.map(({ execution }) => execution)).to.have.length(executions);
    expect(bill.executions.reduce((sum, { chargedCents }) => sum + chargedCents, 0)).to.equal(priceOf(total));
    const billed = bill.executions.flatMap(({ lines }) => lines.map(({ tasks }) => tasks ?? 0));
    expect(billed.reduce((sum, tasks) => sum + tasks, 0)).to.equal(total);
    expect(bill.executions.every(({ chargedCents, heldCents }) => chargedCents <= heldCents)).to.equal(true);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    const balance = await job.customer.client.balance();
    expect(balance.held_cents).to.equal(0);
  };

  longIt('of a job that was cancelled in the middle does what is missing, and nothing twice', async () => {
    const { job, verified } = await cancelled();
    const answer = await job.customer.client.resume(job.jobId);
    expect(answer).to.include({ execution: 2, heldCents: TASKS - verified.length, status: 'SUBMITTED' });
    await endsPaidOnce(job, 2);
    await notRunAgain(world, job, verified);
  });

  longIt('of a job whose tasks failed at first, and again when they fail once more', async () => {
    const fail = [1, 2].map((index) => ({ index, kind: 'exit' as const, times: index }));
    const job = await submitNoop(world, { tasks: 3, seconds: 0.1, fail });
    expect((await ended(world, job)).status).to.equal('PARTIALLY_SUCCEEDED');
    await job.customer.client.resume(job.jobId);
    await until('the second execution has ended', async () => (await executionOf(world, job)).settled === 2);
    expect((await ended(world, job)).status).to.equal('PARTIALLY_SUCCEEDED');
    await job.customer.client.resume(job.jobId);
    await until('the third execution has ended', async () => (await executionOf(world, job)).settled === 3);
    await endsPaidOnce(job, 3);
    const refused = await job.customer.client.resume(job.jobId).catch((error: unknown) => error);
    expect(refused).to.include({ status: 409, code: 'JOB_NOT_RESUMABLE' });
  });

  longIt('of a job that failed whole', async () => {
    const fail = [0, 1].map((index) => ({ index, kind: 'exit' as const, times: 1 }));
    const job = await submitNoop(world, { tasks: 2, seconds: 0.1, fail });
    expect((await ended(world, job)).status).to.equal('FAILED');
    // The start fee was not charged, so it is due now.
    expect(await job.customer.client.resume(job.jobId)).to.include({ heldCents: priceOf(2) });
    await until('the second execution has ended', async () => (await executionOf(world, job)).settled === 2);
    await endsPaidOnce(job, 2);
  });

  longIt('of a paused job', async () => {
    const job = await submitNoop(world, { tasks: TASKS, seconds: 0.4 });
    await untilVerified(world, job, 1);
    await workflows.pause(job.jobId, 'OPERATOR');
    await reaches(world, job, 'PAUSED');
    const verified = await verifiedTasks(job);
    await job.customer.client.resume(job.jobId);
    await endsPaidOnce(job, 2);
    await notRunAgain(world, job, verified);
    const ledger = await ledgerOf(job);
    expect(ledger.map(({ kind, cause, execution }) => [kind, cause, execution])).to.deep.equal([
      ['PAUSE', 'OPERATOR', 1],
      ['RESUME', 'RESUMED', 2],
    ]);
    expect(ledger[1]).to.include({ tasksKept: verified.length, tasksSetBack: TASKS - verified.length });
    const [pause, resume] = ledger.map(({ secondsUntilWork }) => secondsUntilWork ?? expect.fail('no work'));
    expect(pause, 'both wait for the same work').to.be.greaterThan(resume ?? 0);
    const { manifest } = await job.customer.client.listOutputs(job.jobId);
    const kept: unknown = await (await fetch(manifest?.url ?? '')).json();
    expect(kept).to.have.property('recoveries').that.deep.equals(ledger);
  });

  longIt('twice at once starts one execution', async () => {
    const { job } = await cancelled();
    const answers = await Promise.allSettled([1, 2, 3].map(() => job.customer.client.resume(job.jobId)));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused).to.have.length(2);
    for (const error of refused) expect(error).to.include({ status: 409, code: 'JOB_NOT_RESUMABLE' });
    await endsPaidOnce(job, 2);
  });

  describe('that Temporal was never told of', () => {
    /** The rows of the next execution, as of a process that is killed, or while Temporal is away, before the message is sent. */
    const untold = async (): Promise<{ job: FaultJob; key: string }> => {
      const { job } = await cancelled();
      await leavesNothing(world, job);
      const key = `untold-${job.jobId}`;
      await world.stack.stopChild('temporal');
      try {
        const answer = await job.customer.client.resume(job.jobId, {}, { idempotencyKey: key });
        expect(answer).to.include({ status: 'SUBMITTED', execution: 2 });
      } finally {
        await world.stack.startChild('temporal');
      }
      expect(await stateOf(world, job)).to.equal('SUBMITTED');
      return { job, key };
    };

    longIt('is told by the repeat of the request', async () => {
      const { job, key } = await untold();
      await world.rows(
        `update idempotency_keys set response_status = null, response_body = null, locked_until = now() - interval '1 second'
         where account_id = $1 and key = $2`,
        [job.customer.accountId, key],
      );
      const again = await job.customer.client.resume(job.jobId, {}, { idempotencyKey: key });
      expect(again).to.include({ execution: 2 });
      await endsPaidOnce(job, 2);
    });

    longIt('is told by the sweep where nobody repeats the request', async () => {
      const { job } = await untold();
      await world.rows(`update jobs set updated_at = now() - interval '2 minutes' where id = $1`, [
        job.jobId,
      ]);
      await round(world, 'sweep');
      await endsPaidOnce(job, 2);
    });
  });

  longIt('goes on without the history of the job', async () => {
    const { job, verified } = await cancelled();
    const { connection, options } = await world.temporal();
    await leavesNothing(world, job);
    await connection.workflowService.deleteWorkflowExecution({
      namespace: options.namespace,
      workflowExecution: { workflowId: jobWorkflowId(job.jobId) },
    });
    await job.customer.client.resume(job.jobId);
    await endsPaidOnce(job, 2);
    await notRunAgain(world, job, verified);
  });

  longIt('is refused without credits and leaves all as it was', async () => {
    const { job } = await cancelled(priceOf(TASKS));
    const { client } = job.customer;
    const other = await submitNoop(world, { tasks: 1, seconds: 60 }, job.customer);
    const before = await client.status(job.jobId);
    const refused = await client.resume(job.jobId).catch((error: unknown) => error);
    expect(refused).to.include({ status: 402, code: 'INSUFFICIENT_CREDITS' });
    expect(await client.status(job.jobId)).to.deep.equal(before);
    await client.cancel(other.jobId);
    await reaches(world, other, 'CANCELLED');
    await client.resume(job.jobId);
    await endsPaidOnce(job, 2);
  });

  it('is refused while an input is gone or has other bytes, which it names; then does what is missing and a lost output, and nothing twice', async () => {
    const { job, verified } = await cancelled();
    await leavesNothing(world, job);
    const key = `accounts/${job.customer.accountId}/uploads/lost.bin`;
    await world.rows(
      `insert into job_inputs (job_id, storage_key, byte_size, sha256)
       values ($1, $2, 4, encode(sha256('back'), 'hex')) returning 1`,
      [job.jobId, key],
    );
    const [lost] = await world.rows<{ storage_key: string; task_ordinal: number }>(
      `select storage_key, task_ordinal from artifacts where job_id = $1 and task_kind = 'task' order by task_ordinal limit 1`,
      [job.jobId],
    );
    await world.store.remove([lost?.storage_key ?? '']);
    const isRefused = async (): Promise<void> => {
      const refused = await job.customer.client.resume(job.jobId).catch((error: unknown) => error);
      expect(refused).to.include({ status: 409, code: 'JOB_NOT_RESUMABLE' });
      expect(String(refused)).to.include(key);
      expect(await stateOf(world, job)).to.equal('CANCELLED');
    };
    await isRefused();
    await world.store.put(key, Buffer.from('else'), 'application/octet-stream');
    await isRefused();
    await world.store.put(key, Buffer.from('back'), 'application/octet-stream');
    await job.customer.client.resume(job.jobId);
    await endsPaidOnce(job, 2);
    const again = (await tasksOf(world, job)).find(({ ordinal }) => ordinal === lost?.task_ordinal);
    expect(again?.attempts).to.equal(2);
    await notRunAgain(
      world,
      job,
      verified.filter(({ ordinal }) => ordinal !== lost?.task_ordinal),
    );
  });

  longIt(
    'of a job that failed because its input was gone is refused while it is, and done when the store is mended',
    async () => {
      const { job, key, bytes } = await withInput((storageKey) => ({
        ...noopRequest({ tasks: 3, seconds: 0.1 }),
        sceneFile: storageKey,
      }));
      const failed = await ended(world, job);
      expect(failed.status, JSON.stringify(failed.failures)).to.equal('FAILED');
      expect(failed.cost.chargedCents).to.equal(0);
      expect(failed.failures.map(({ code }) => code)).to.include('INPUT_NOT_FOUND');
      const refused = await job.customer.client.resume(job.jobId).catch((error: unknown) => error);
      expect(refused).to.include({ status: 409, code: 'JOB_NOT_RESUMABLE' });
      expect(String(refused)).to.include(key);
      await world.store.put(key, bytes, 'application/octet-stream');
      await job.customer.client.resume(job.jobId);
      await until(
        'the second execution has ended',
        async () => (await executionOf(world, job)).settled === 2,
      );
      await endsPaidOnce(job, 2);
    },
  );

  longIt(
    'of a docking that failed because its receptor was gone docks when the store is mended',
    async () => {
      const { job, key, bytes } = await withInput(
        (sceneFile) => ({
          ...{ jobType: 'simulation', simulator: 'autodock-vina', sceneFile },
          simulationParams: {
            ...{
              receptorChains: ['A'],
              pocketLigand: 'STR',
              pocketLigandChain: 'A',
              exhaustiveness: 1,
              numModes: 1,
            },
            ligandLibrary: [smilesLigand('phenol', 'Oc1ccccc1'), smilesLigand('pyridine', 'c1ccncc1')],
          },
        }),
        join(repositoryRoot, 'examples', '1a28', '1a28.pdb'),
      );
      expect((await ended(world, job)).status).to.equal('FAILED');
      await world.store.put(key, bytes, 'chemical/x-pdb');
      await job.customer.client.resume(job.jobId);
      await until(
        'the second execution has ended',
        async () => (await executionOf(world, job)).settled === 2,
        2 * RECOVERY_MS,
      );
      const { status, failures } = await ended(world, job);
      expect(status, JSON.stringify(failures)).to.equal('SUCCEEDED');
      const { executions } = await job.customer.client.bill(job.jobId);
      const tasks = executions.map(({ lines }) => lines.reduce((sum, line) => sum + (line.tasks ?? 0), 0));
      expect(tasks, 'ligands on the bill of each execution').to.deep.equal([0, 2]);
      expect(await verifyLedger(world.db)).to.deep.equal([]);
    },
  );

  /** A job whose input is taken out of the store once the job has pinned it, before an instance has read it. */
  const withInput = async (
    requestOf: (storageKey: string) => SubmitJobRequest,
    path?: string,
  ): Promise<{ job: FaultJob; key: string; bytes: Buffer }> => {
    const customer = await world.customer();
    const file = path ?? join(world.stack.home, 'scene.bin');
    if (path === undefined) writeFileSync(file, 'a scene');
    const { storageKey: key } = await customer.client.upload({ path: file });
    const { jobId, heldCents } = await customer.client.submit(requestOf(key));
    const job = { jobId, customer, heldPence: heldCents };
    await until('the input is pinned', async () => {
      const rows = await world.rows('select 1 from job_inputs where job_id = $1 and sha256 is not null', [
        jobId,
      ]);
      return rows.length > 0;
    });
    await world.store.remove([key]);
    return { job, key, bytes: readFileSync(file) };
  };
});

async function executionOf(world: FaultWorld, { jobId }: FaultJob): Promise<{ settled: number }> {
  const [row] = await world.rows<{ settled: number }>(
    'select count(*)::int as settled from job_executions where job_id = $1 and settled_at is not null',
    [jobId],
  );
  return { settled: row?.settled ?? 0 };
}
