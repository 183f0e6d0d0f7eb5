/**
 * A job stops at a limit and goes on: at the credits, at the limits of the job, the month and the key, and at the limit of its own
 * resume. What runs is finished, nothing is held in the pause, no task is charged twice, and the outputs are those of a job that
 * nothing has stopped.
 */
import { expect } from 'chai';

import { grantCredits, setLimits, verifyLedger } from '../../src/services/ledger/index.ts';
import { sha256 } from '../support/api.ts';
import { leavesNothing, notRunAgain, priceOf } from '../support/faults/aftermath.ts';
import { ended, ledgerOf, reaches, submitNoop, tasksOf, untilVerified } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { noopOutput } from '../support/faults/noop.ts';
import { RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';

const TASKS = 8;
const SECONDS = 0.8;
/** A job that is cancelled in the middle hears of that later with the times of production. */
const CANCELLED_SECONDS = timed({ scaled: SECONDS, full: 4 });
/** A second is expected of all tasks together, so three pence and a fifth are held. */
const HELD = 4;
const WISH = { tasks: TASKS, seconds: SECONDS, pricing: 'measured', expectedSeconds: 0.1 } as const;

/** The digests of the outputs of a job that nothing has stopped, by the tasks. */
const OUTPUTS: ReadonlyMap<number, string> = new Map(
  Array.from({ length: TASKS }, (_, index) => [index, sha256(noopOutput(index))]),
);

interface Limit {
  /** What the customer has at the submit, in pence. */
  readonly pence: number;
  readonly reason: 'CREDITS' | 'COST_LIMIT';
  readonly refusal: { readonly status: number; readonly code: string };
  /** Sets the limit, which is the amount of the first hold with a little more. */
  readonly set: (customer: Customer) => Promise<unknown>;
  /** Pays in, or raises the limit, by so much that so many pence may be held. */
  readonly raise: (customer: Customer, pence: number) => Promise<unknown>;
}

describe('a job at a limit', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });

  const outputsOf = async ({ jobId, customer }: FaultJob): Promise<ReadonlyMap<number, string>> => {
    const found = new Map<number, string>();
    for await (const { taskIndex, sha256 } of customer.client.outputs(jobId))
      if (taskIndex !== null) found.set(taskIndex, sha256);
    return found;
  };
  const keyOf = async ({ accountId }: Customer): Promise<string> => {
    const [key] = await world.rows<{ id: string }>(
      `select id from api_keys where account_id = $1 and environment = 'live'`,
      [accountId],
    );
    return key?.id ?? expect.fail('no key');
  };
  const limited = (
    change: (pence: number, customer: Customer) => Promise<unknown>,
  ): Omit<Limit, 'pence'> => ({
    reason: 'COST_LIMIT',
    refusal: { status: 422, code: 'COST_LIMIT_EXCEEDED' },
    set: (customer) => change(HELD + 1, customer),
    raise: (customer, pence) => change(HELD + 100 + pence, customer),
  });
  const limits: Readonly<Record<string, Limit>> = {
    'the credits': {
      pence: HELD + 1,
      reason: 'CREDITS',
      refusal: { status: 402, code: 'INSUFFICIENT_CREDITS' },
      set: async () => undefined,
      raise: ({ accountId }, pence) =>
        grantCredits(world.db, {
          accountId,
          amountPence: pence,
          key: `more/${accountId}`,
          description: 'More',
        }),
    },
    'the limit of the job': {
      pence: 1000,
      ...limited((jobLimitPence, { accountId }) => setLimits(world.db, accountId, { jobLimitPence })),
    },
    'the limit of the month': {
      pence: 1000,
      ...limited((monthLimitPence, { accountId }) => setLimits(world.db, accountId, { monthLimitPence })),
    },
    'the limit of the key': {
      pence: 1000,
      ...limited(async (monthLimitPence, customer) =>
        setLimits(world.db, customer.accountId, { key: { keyId: await keyOf(customer), monthLimitPence } }),
      ),
    },
  };

  /** The job stands paused: nothing is held or runs, what is verified is settled, and the status says what finishing takes. */
  const pausedAt = async (job: FaultJob, reason: string): Promise<{ verified: number; toFinish: number }> => {
    await reaches(world, job, 'PAUSED');
    const status = await job.customer.client.status(job.jobId);
    expect(status).to.include({ status: 'PAUSED', pauseReason: reason });
    expect(status.cost.chargedCents + status.cost.releasedCents).to.equal(status.cost.heldCents);
    expect((await job.customer.client.balance()).held_cents).to.equal(0);
    const tasks = await tasksOf(world, job);
    expect(tasks.filter(({ state }) => state === 'RUNNING')).to.deep.equal([]);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    const { toFinishCents, toFinishAdvice } = status.cost;
    expect(toFinishAdvice).to.be.a('string');
    return {
      verified: tasks.filter(({ state }) => state === 'SUCCEEDED').length,
      toFinish: toFinishCents ?? expect.fail('no price to finish'),
    };
  };

  /** The job has succeeded: each task was charged once, the outputs are those of an undisturbed job, and nothing is left. */
  const endsPaidOnce = async (job: FaultJob): Promise<void> => {
    const status = await ended(world, job);
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    expect(status.cost).to.include({ toFinishCents: null, toFinishAdvice: null });
    await leavesNothing(world, job);
    const { executions } = await job.customer.client.bill(job.jobId);
    const billed = executions.flatMap(({ lines }) => lines.map(({ tasks }) => tasks ?? 0));
    expect(
      billed.reduce((sum, tasks) => sum + tasks, 0),
      'tasks that were charged',
    ).to.equal(TASKS);
    for (const { chargedCents, heldCents, dueCents } of executions) {
      expect(chargedCents).to.equal(dueCents);
      expect(chargedCents).to.be.at.most(heldCents);
    }
    expect((await job.customer.client.balance()).held_cents).to.equal(0);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    expect(await outputsOf(job)).to.deep.equal(OUTPUTS);
  };

  /** A resume that is refused leaves all as it was, and says what the status says. */
  const isRefused = async (job: FaultJob, refusal: Limit['refusal']): Promise<void> => {
    const { client } = job.customer;
    const seen = async (): Promise<unknown> => [await client.balance(), await tasksOf(world, job)];
    const [status, before] = [await client.status(job.jobId), await seen()];
    const refused = await client.resume(job.jobId).catch((error: unknown) => error);
    expect(refused).to.include(refusal);
    expect(String(refused)).to.include(status.cost.toFinishAdvice);
    expect(await client.status(job.jobId)).to.deep.equal(status);
    expect(await seen()).to.deep.equal(before);
  };

  for (const [name, { pence, reason, refusal, set, raise }] of Object.entries(limits))
    it(`stops at ${name}, and goes on when there is more`, async () => {
      const customer = await world.customer(pence);
      await set(customer);
      const job = await submitNoop(world, WISH, customer);
      expect(job.heldPence).to.equal(HELD);
      const { verified, toFinish } = await pausedAt(job, reason);
      expect(verified, 'some tasks, and not all').to.be.within(1, TASKS - 1);
      const kept = (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED');
      await isRefused(job, refusal);
      await raise(customer, toFinish);
      const answers = await Promise.allSettled([1, 2].map(() => customer.client.resume(job.jobId)));
      const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const [other] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
      expect(taken.map(({ execution, heldCents }) => [execution, heldCents])).to.deep.equal([[2, toFinish]]);
      expect(other).to.include({ status: 409, code: 'JOB_NOT_RESUMABLE' });
      await endsPaidOnce(job);
      await notRunAgain(world, job, kept);
      const entries = (await ledgerOf(job)).map(({ kind, cause, execution }) => [kind, cause, execution]);
      expect(entries).to.deep.equal([
        ['PAUSE', reason, 1],
        ['RESUME', 'RESUMED', 2],
      ]);
    });

  it('holds no more than limitCents says, does exactly what that covers, and pauses there', async () => {
    const job = await submitNoop(world, { tasks: TASKS, seconds: CANCELLED_SECONDS });
    const { client } = job.customer;
    await untilVerified(world, job, 1);
    await client.cancel(job.jobId);
    await reaches(world, job, 'CANCELLED');
    const kept = (await tasksOf(world, job)).filter(({ state }) => state === 'SUCCEEDED');
    const left = TASKS - kept.length;
    expect(left).to.be.greaterThan(2);
    expect((await client.status(job.jobId)).cost.toFinishCents).to.equal(left);
    const answer = await client.resume(job.jobId, { limitCents: 2 });
    expect(answer).to.include({ execution: 2, heldCents: 2 });
    expect(answer.message).to.include('pauses');
    const { verified, toFinish } = await pausedAt(job, 'COST_LIMIT');
    expect([verified, toFinish]).to.deep.equal([kept.length + 2, left - 2]);
    const { cost } = await client.status(job.jobId);
    expect(cost).to.include({ limitCents: 2, chargedCents: priceOf(kept.length) + 2 });
    await client.resume(job.jobId, { limitCents: 1000 });
    await endsPaidOnce(job);
    await notRunAgain(world, job, kept);
    expect((await client.status(job.jobId)).cost.chargedCents).to.equal(priceOf(TASKS));
  });

  it('refuses a limit for which not one task can be done', async () => {
    const fail = [0, 1].map((index) => ({ index, kind: 'exit' as const, times: 1 }));
    const job = await submitNoop(world, { tasks: 2, seconds: 0.1, fail });
    expect((await ended(world, job)).status).to.equal('FAILED');
    const refused = await job.customer.client
      .resume(job.jobId, { limitCents: 2 })
      .catch((error: unknown) => error);
    expect(refused).to.include({ status: 422, code: 'COST_LIMIT_EXCEEDED' });
    expect(String(refused)).to.include('at least 3');
    expect((await job.customer.client.status(job.jobId)).status).to.equal('FAILED');
  });
});
