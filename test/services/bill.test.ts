/** Bills of jobs that were really admitted and settled: the lines come to what the ledger charged, with its transfers. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { encodeClasses } from '../../src/domain/price-classes.ts';
import { quote } from '../../src/domain/pricing.ts';
import type { Quote } from '../../src/domain/pricing.ts';
import { planTasks } from '../../src/services/execution/plan/plan.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { jobBill } from '../../src/services/jobs/bill.ts';
import { placeHold } from '../../src/services/ledger/index.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { fileWork } from '../support/file-work.ts';
import { suiteHome } from '../support/home.ts';
import { NO_SIZES } from '../support/prices.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import type { JobBillResponse } from '../../src/domain/answers.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const LIMITS = { maxInstances: 1, slotsPerInstance: 2, vcpusPerInstance: 2 };

describe('the bill of a job', function () {
  this.timeout(240_000);
  const home = suiteHome();

  /** An offer in dollars with every cost there is; tasks cost by their class. */
  const offerOf = (pence: readonly number[], taskCount: number, fxRateMicro: number) => {
    const request = {
      ...({ jobType: 'simulation', simulator: 'noop', taskCount } as const),
      metadata: { noop: { pence } },
    };
    const planned = noop.planning.plan(request, LIMITS);
    const classes = noop.planning.classes(request, planned, NO_SIZES) ?? [];
    const plan = pence.length === 1 ? planned : { ...planned, classes: encodeClasses(classes) };
    const price = noop.planning.price(request, plan, loadPriceBook(), NO_SIZES);
    const costs = { softwareMicro: 1_234_567, storageMicro: 76_543, egressMicro: 11 };
    const offer = quote('book-of-a-test', fxRateMicro, { ...price, ...costs, currency: 'USD' }, taskCount);
    return { request, plan, offer };
  };
  const admitted = async (owner: Owner, made: ReturnType<typeof offerOf>): Promise<string> => {
    const { request, plan, offer } = made;
    const admission = admissionOf(owner, { request, plan, quote: offer, inputs: [] });
    expect(await admitJob(home.db, admission, randomUUID())).to.include({ kind: 'admitted' });
    const { jobId } = admission;
    const structures = { fetch: () => Promise.reject(new Error('no structure is named')) };
    await planTasks(
      {
        db: home.db,
        store: home.store,
        tools,
        recorders: RECORDERS,
        structures,
        ...fileWork(home.db, home.store),
      },
      { jobId, execution: 1, plan },
    );
    return jobId;
  };
  const run = async (jobId: string): Promise<void> => {
    for (const [index, to] of (['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING'] as const).entries())
      await recordState(home.db, { jobId, transition: index + 1, to, reason: null });
  };
  const succeed = (jobId: string, tasks: number): Promise<unknown> =>
    home.db.query(`update tasks set state = 'SUCCEEDED' where job_id = $1 and ordinal < $2`, [jobId, tasks]);
  const settle = (jobId: string) =>
    settleJob(home.db, {
      ...{ jobId, execution: 1, transition: 9, to: 'PARTIALLY_SUCCEEDED' },
      ...{ reason: null, pauseReason: null },
    });
  const billOf = ({ accountId, userId }: Owner, jobId: string): Promise<JobBillResponse> =>
    jobBill(home.db, ownerOf(accountId, userId), jobId);
  /** Every sum that the bill itself says. */
  const proveSums = ({ chargedCents, executions }: JobBillResponse): void => {
    for (const one of executions) {
      expect(one.lines.reduce((sum, { amountMicro }) => sum + amountMicro, 0)).to.equal(one.totalMicro);
      expect(Math.floor(one.totalMicro * one.fxRate + 1e-6)).to.equal(one.convertedMicro);
      expect(one.convertedMicro + one.roundingMicro).to.equal(one.dueCents * 10_000);
      expect(one.settledAt === null ? 0 : one.dueCents).to.equal(one.chargedCents);
    }
    expect(executions.reduce((sum, one) => sum + one.chargedCents, 0)).to.equal(chargedCents);
  };

  it('is what the ledger charged, whatever was verified, at any rate', async () => {
    const owner = await newAccount(home.db, 10_000_000);
    const classes = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        classes,
        fc.nat(6),
        fc.integer({ min: 200_000, max: 5_000_000 }),
        async (pence, done, rate) => {
          const jobId = await admitted(owner, offerOf(pence, 6, rate));
          await run(jobId);
          await succeed(jobId, done);
          const { chargedPence, releasedPence } = await settle(jobId);
          const bill = await billOf(owner, jobId);
          proveSums(bill);
          expect(bill.chargedCents).to.equal(chargedPence);
          expect(bill.executions[0]).to.include({
            releasedCents: releasedPence,
            outcome: 'PARTIALLY_SUCCEEDED',
          });
        },
      ),
      { numRuns: 12 },
    );
  });

  it('names classes, fee, costs, rate, rounding and the transfers of the ledger', async () => {
    const owner = await newAccount(home.db, 1000);
    const jobId = await admitted(owner, offerOf([1, 1, 7], 3, 790_000));
    const before = await billOf(owner, jobId);
    proveSums(before);
    expect(before.executions[0]).to.deep.include({ settledAt: null, outcome: null, lines: [], dueCents: 0 });
    await run(jobId);
    await succeed(jobId, 2);
    const open = await billOf(owner, jobId);
    proveSums(open);
    expect(open.chargedCents).to.equal(0);
    const { chargedPence } = await settle(jobId);
    const bill = await billOf(owner, jobId);
    proveSums(bill);
    const [execution] = bill.executions;
    expect(execution?.lines).to.deep.equal(open.executions[0]?.lines);
    expect(execution?.dueCents).to.equal(open.executions[0]?.dueCents).and.to.equal(chargedPence);
    const none = { priceClass: null, tasks: null, meteredMs: null };
    expect(execution?.lines).to.deep.equal([
      { ...none, kind: 'start_fee', amountMicro: 20_000 },
      { ...none, kind: 'tasks', priceClass: '1', tasks: 2, amountMicro: 20_000 },
      { ...none, kind: 'software', amountMicro: 823_044 },
      { ...none, kind: 'storage', amountMicro: 51_029 },
      { ...none, kind: 'egress', amountMicro: 7 },
    ]);
    expect(execution).to.deep.include({ fxRate: 0.79, priceBookVersion: 'book-of-a-test', currency: 'USD' });
    const transfers = await home.db.query<{ id: string; kind: string }[]>(
      'select id, kind from ledger_transfers where job_id = $1 order by version',
      [jobId],
    );
    expect(execution?.transfers.map(({ transferId, type }) => [transferId, type])).to.deep.equal(
      transfers.map(({ id, kind }) => [id, kind]),
    );
    const moved = new Map(execution?.transfers.map(({ type, amountCents }) => [type, amountCents]));
    expect(moved.get('charge')).to.equal(chargedPence);
    expect(moved.get('hold')).to.equal(execution?.heldCents);
    expect((moved.get('charge') ?? 0) + (moved.get('hold_release') ?? 0)).to.equal(moved.get('hold'));
  });

  it('charges the start fee in the first execution alone, and each execution for its own tasks', async () => {
    const owner = await newAccount(home.db, 1000);
    const made = offerOf([5], 4, 1_000_000);
    const jobId = await admitted(owner, made);
    await run(jobId);
    await succeed(jobId, 1);
    await settle(jobId);
    // A later execution as a resumed job has it; its tasks are verified and nothing is settled yet.
    await secondExecution(owner, jobId, made.offer);
    const bill = await billOf(owner, jobId);
    proveSums(bill);
    const kinds = bill.executions.map(({ lines }) =>
      lines.map(({ kind, tasks }) => `${kind} ${String(tasks)}`),
    );
    expect(kinds[0]).to.include.members(['start_fee null', 'tasks 1']);
    expect(kinds[1]).to.include('tasks 2').and.not.to.include('start_fee null');
    expect(bill.chargedCents).to.equal(bill.executions[0]?.chargedCents);
  });

  it('is of nobody else, and of no job that the service made for itself', async () => {
    const owner = await newAccount(home.db, 1000);
    const jobId = await admitted(owner, offerOf([1], 2, 790_000));
    const refused = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'no refusal',
        (error: unknown) => Reflect.get(error as object, 'code'),
      );
    expect(await refused(billOf(await newAccount(home.db, 0), jobId))).to.equal('NOT_FOUND');
    expect(await refused(billOf(owner, randomUUID()))).to.equal('NOT_FOUND');
    expect(await refused(billOf(owner, 'no-uuid'))).to.equal('NOT_FOUND');
    await home.db.query('update jobs set internal = true where id = $1', [jobId]);
    expect(await refused(billOf(owner, jobId))).to.equal('NOT_FOUND');
  });

  async function secondExecution({ accountId }: Owner, jobId: string, offer: Quote): Promise<void> {
    const holdId = randomUUID();
    await placeHold(home.db, { holdId, accountId, jobId, execution: 2, amountPence: offer.heldPence });
    await home.db.query(
      `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro)
       values ($1, 2, $2, $3, $4, 'USD', 'book-of-a-test', 1000000)`,
      [jobId, holdId, JSON.stringify(offer), offer.estimatedMicro],
    );
    await home.db.query(
      `update tasks set state = 'SUCCEEDED', execution = 2, price_class = null where job_id = $1 and ordinal in (1, 2)`,
      [jobId],
    );
  }
});
