/** The meter of measured tasks: moments that are told twice, late, never or untruly, and what the commit makes of them. */
import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { stagedKey } from '../../src/contracts/names.ts';
import { quote } from '../../src/domain/pricing.ts';
import type { TaskPricing } from '../../src/domain/pricing.ts';
import { openAccount } from '../../src/services/ledger/accounts.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import type { JobWatch } from '../../src/services/events/job-watch.ts';
import { jobStatus } from '../../src/services/jobs/status.ts';
import { NOTHING_TO_FINISH } from '../../src/services/jobs/to-finish.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { ownerOf } from '../support/actors.ts';
import { openComputeWorld, TEST_SECRET } from '../support/compute-world.ts';
import type { Answer, ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { runsOf } from '../support/long.ts';
import { NO_SIZES } from '../support/prices.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const BYTES = Buffer.from('result');
const OUTPUT = {
  ...{ name: 'result.bin', kind: 'result', mediaType: 'application/octet-stream', format: null },
  ...{ byteSize: BYTES.byteLength, sha256: createHash('sha256').update(BYTES).digest('hex') },
};
const NO_WATCH = { join: () => ({ next: async () => undefined, leave: () => undefined }) };

interface MeterRow {
  readonly tool_run: string | null;
  readonly started: string | null;
  readonly ended: string | null;
  readonly limit_s: number | null;
  readonly metered_ms: number | null;
  readonly attempts: number;
}

describe('the meter of measured tasks', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());

  /** A running job of noop tasks with the execution row that an admission writes. */
  const seed = async (params: object, taskCount = 1): Promise<SeededJob> => {
    const job = await world.seedJob({ ...params }, taskCount);
    await openAccount(world.database.db, job.accountId);
    const request = {
      ...({ jobType: 'simulation', simulator: 'noop', taskCount } as const),
      metadata: { noop: { seconds: 0, ...params } },
    };
    const plan = noop.planning.plan(request, { maxInstances: 1, slotsPerInstance: 2, vcpusPerInstance: 2 });
    const pricing: TaskPricing = noop.planning.price(request, plan, loadPriceBook(), NO_SIZES);
    const offer = quote('test', 1_000_000, pricing, taskCount);
    await world.database.tamper(
      `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro)
       values ($1, 1, $2, $3, $4, 'GBP', 'test', 1000000)`,
      [job.jobId, randomUUID(), JSON.stringify(offer), offer.estimatedMicro],
    );
    return job;
  };
  const claim = async (job: SeededJob, ...ordinals: number[]): Promise<Answer> =>
    world.call('/v1/tasks/claim', job.token, { execution: 1, kind: 'task', ordinals });
  const tell = (job: SeededJob, run: string, at: string, more: object = {}): Promise<Answer> =>
    world.call('/v1/tasks/meter', job.token, {
      ...{ execution: 1, ordinal: 0, attempt: 1, run, moment: at, ...more },
    });
  const rowOf = async (job: SeededJob, ordinal = 0): Promise<MeterRow> => {
    const [row] = await world.database.db.query<MeterRow[]>(
      `select tool_run, tool_started_at::text as started, tool_ended_at::text as ended, attempts, metered_ms,
         extract(epoch from tool_ended_at - tool_started_at)::float8 as limit_s
       from tasks where job_id = $1 and kind = 'task' and ordinal = $2`,
      [job.jobId, ordinal],
    );
    return row ?? expect.fail('no such task');
  };
  const change = (job: SeededJob, set: string): Promise<unknown> =>
    world.database.db.query(`update tasks set ${set} where job_id = $1`, [job.jobId]);
  const commit = async (
    job: SeededJob,
    { seconds = 1000, ordinal = 0, generation = 1 } = {},
  ): Promise<void> => {
    const key = stagedKey(job.jobId, 0, generation, 'task', ordinal, 'result.bin');
    await world.store.store.put(key, BYTES, 'application/octet-stream');
    const report = { ordinal, end: 'done', outputs: [OUTPUT], seconds, summary: null } as const;
    const result = await commitTasks(
      { db: world.database.db, store: world.store.store, tools, recorders: RECORDERS },
      { jobId: job.jobId, execution: 1, slot: 0, generation, kind: 'task', reports: [report] },
    );
    expect(result.verified).to.equal(1);
  };
  /** Claims the first task and tells both ends of a run. */
  const run = async (job: SeededJob): Promise<string> => {
    const id = randomUUID();
    await claim(job, 0);
    expect((await tell(job, id, 'started')).status).to.equal(204);
    expect((await tell(job, id, 'ended')).status).to.equal(204);
    return id;
  };

  it('hands out no task that the hold must cover and does not', async () => {
    const job = await seed({ pricing: 'measured' }, 2);
    const { db } = world.database;
    await db.query('update job_executions set covers_dispatch = true where job_id = $1', [job.jobId]);
    expect((await claim(job, 0, 1)).body.tasks).to.deep.equal([]);
    await db.query('update tasks set covered_in = 1 where job_id = $1 and ordinal = 1', [job.jobId]);
    const { tasks } = (await claim(job, 0, 1)).body as { tasks: { ordinal: number }[] };
    expect(tasks.map(({ ordinal }) => ordinal)).to.deep.equal([1]);
  });

  it('is asked for in jobs that are measured, and in no other', async () => {
    expect((await claim(await seed({ pricing: 'measured' }), 0)).body.metered).to.equal(true);
    const fixed = await seed({});
    expect((await claim(fixed, 0)).body).to.not.have.property('metered');
    expect((await tell(fixed, randomUUID(), 'started')).status).to.equal(404);
  });

  it('keeps the first time of a moment that is told twice', async () => {
    const job = await seed({ pricing: 'measured' });
    const id = await run(job);
    const first = await rowOf(job);
    for (const at of ['started', 'ended']) expect((await tell(job, id, at)).status).to.equal(204);
    expect(await rowOf(job)).to.deep.equal(first);
    expect(first.tool_run).to.equal(id);
    expect(first.ended).to.not.equal(null);
  });

  it('takes no moment of another attempt, another run, another execution, or of a fenced instance', async () => {
    const job = await seed({ pricing: 'measured' });
    await claim(job, 0);
    const id = randomUUID();
    await tell(job, id, 'started', { attempt: 2 });
    await tell(job, id, 'ended');
    expect(await rowOf(job)).to.include({ tool_run: null, started: null, ended: null });
    await tell(job, id, 'started');
    await tell(job, randomUUID(), 'ended');
    expect((await rowOf(job)).ended).to.equal(null);
    expect((await tell(job, id, 'ended', { execution: 2 })).status).to.equal(404);
    expect((await tell(job, 'no uuid', 'ended')).status).to.equal(400);
    expect((await tell(job, id, 'paused')).status).to.equal(400);
    await world.fence(job);
    expect((await tell(job, id, 'ended')).status).to.equal(409);
    expect((await rowOf(job)).ended).to.equal(null);
  });

  it('counts a run that is started anew in the same attempt from its own start', async () => {
    const job = await seed({ pricing: 'measured' });
    const former = await run(job);
    await change(job, `tool_started_at = now() - interval '1 hour', started_at = now() - interval '1 hour'`);
    const anew = randomUUID();
    await tell(job, anew, 'started');
    expect(await rowOf(job)).to.include({ tool_run: anew, ended: null });
    await tell(job, former, 'ended');
    expect((await rowOf(job)).ended, 'a late word of the former run').to.equal(null);
    await tell(job, anew, 'ended');
    await commit(job);
    expect((await rowOf(job)).metered_ms).to.be.below(60_000);
  });

  it('forgets the former attempt at the claim of another, so that a lost attempt costs nothing', async () => {
    const job = await seed({ pricing: 'measured' });
    await run(job);
    await change(job, `state = 'PENDING'`);
    expect((await claim(job, 0)).body.tasks[0].attempt).to.equal(2);
    expect(await rowOf(job)).to.include({ tool_run: null, attempts: 2 });
    await commit(job);
    expect((await rowOf(job)).metered_ms, 'nothing was told of the second attempt').to.equal(null);
  });

  it('a claim that is repeated for the same attempt keeps the run', async () => {
    const job = await seed({ pricing: 'measured' });
    const id = await run(job);
    await claim(job, 0);
    expect((await rowOf(job)).tool_run).to.equal(id);
    await commit(job);
    expect((await rowOf(job)).metered_ms).to.be.within(0, 60_000);
  });

  it('charges no lie above the time since the claim, the limit of the task, or the seconds of the report', async () => {
    const early = await seed({ pricing: 'measured' });
    await run(early);
    await change(
      early,
      `tool_started_at = now() - interval '1 hour', started_at = now() - interval '5 seconds'`,
    );
    await commit(early);
    expect((await rowOf(early)).metered_ms).to.be.within(5000, 60_000);

    const long = await seed({ pricing: 'measured' });
    await claim(long, 0);
    const id = randomUUID();
    await tell(long, id, 'started');
    await change(long, `tool_started_at = now() - interval '1 hour', started_at = now() - interval '1 hour'`);
    await tell(long, id, 'ended');
    expect((await rowOf(long)).limit_s, 'seconds of the limit').to.be.within(10, 12);
    await commit(long);
    expect((await rowOf(long)).metered_ms).to.be.within(10_000, 60_000);

    const outage = await seed({ pricing: 'measured' });
    await run(outage);
    await change(
      outage,
      `tool_started_at = tool_ended_at - interval '9 seconds', started_at = now() - interval '1 hour'`,
    );
    await commit(outage, { seconds: 2.5 });
    expect((await rowOf(outage)).metered_ms).to.equal(2500);
  });

  /** Keeps a checkpoint of the first task. */
  const keep = async (job: SeededJob, token: string, generation: number, attempt: number): Promise<void> => {
    const key = stagedKey(job.jobId, 0, generation, 'task', 0, '.checkpoint/result.bin');
    await world.store.store.put(key, BYTES, 'application/octet-stream');
    const { name, byteSize, sha256 } = OUTPUT;
    const kept = await world.call('/v1/tasks/checkpoints', token, {
      ...{ kind: 'task', ordinal: 0, attempt, files: [{ name, byteSize, sha256 }] },
    });
    expect(kept.status).to.equal(204);
  };
  /** Lets so many seconds of the present run pass. */
  const pass = (job: SeededJob, seconds: number): Promise<unknown> =>
    change(
      job,
      `tool_started_at = tool_started_at - interval '${String(seconds)} s', started_at = started_at - interval '${String(seconds)} s',
        checkpoint_at = checkpoint_at - interval '${String(seconds)} s'`,
    );

  it('a task that goes on from checkpoints costs the work that is in its result, whatever was lost', async () => {
    const PIECES = fc.array(
      fc.record({ seconds: fc.integer({ min: 0, max: 9 }), lost: fc.nat(9), isLeg: fc.boolean() }),
      {
        ...{ minLength: 1, maxLength: 4 },
      },
    );
    await fc.assert(
      fc.asyncProperty(PIECES, fc.boolean(), async (pieces, isStoreEmptied) => {
        // Of so many seconds that no run of the pieces meets the limit of its task.
        const job = await seed({ pricing: 'measured', seconds: 60, checkpoint: 1 });
        const { db } = world.database;
        let [token, generation, attempt] = [job.token, 1, 0];
        const begin = async (isLeg = false): Promise<string> => {
          if (!isLeg) attempt += 1;
          const claimed = await world.call('/v1/tasks/claim', token, {
            ...{ execution: 1, kind: 'task', ordinals: [0] },
          });
          expect(claimed.body.tasks[0]).to.include({ attempt });
          const id = randomUUID();
          expect((await tell({ ...job, token }, id, 'started', { attempt })).status).to.equal(204);
          return id;
        };
        const lose = async (): Promise<void> => {
          await db.query(`update instances set fenced_at = now() where job_id = $1`, [job.jobId]);
          await change(job, `state = 'PENDING'`);
          generation += 1;
          await db.query(
            `insert into instances (job_id, slot, generation, provider, launch_token, vcpus) values ($1, 0, $2, 'local', gen_random_uuid(), 2)`,
            [job.jobId, generation],
          );
          token = signInstanceToken(TEST_SECRET, { ...job.claims, generation });
        };
        let done = 0;
        let id = await begin();
        for (const { seconds, lost, isLeg } of pieces) {
          await pass(job, seconds);
          await keep(job, token, generation, attempt);
          done += seconds;
          // The instance hands the task back at the checkpoint, and gets it again in the same attempt.
          if (isLeg) id = await begin(true);
          if (lost === 0) continue;
          // What is done after the checkpoint goes with the instance.
          await pass(job, lost);
          await lose();
          id = await begin();
        }
        if (isStoreEmptied) {
          await lose();
          const [{ checkpoint }] = await db.query('select checkpoint from tasks where job_id = $1', [
            job.jobId,
          ]);
          await world.store.store.remove(
            checkpoint.map(({ storageKey }: { storageKey: string }) => storageKey),
          );
          id = await begin();
          done = 0;
        }
        await pass(job, 3);
        expect((await tell({ ...job, token }, id, 'ended', { attempt })).status).to.equal(204);
        await commit(job, { generation });
        expect((await rowOf(job)).metered_ms).to.be.within((done + 3) * 1000 - 50, (done + 3) * 1000 + 2000);
      }),
      {
        numRuns: runsOf(12),
        examples: [
          [
            [
              { seconds: 9, lost: 0, isLeg: false },
              { seconds: 9, lost: 0, isLeg: false },
            ],
            false,
          ],
        ],
      },
    );
  });

  it('a clock that was set back makes no negative charge', async () => {
    const job = await seed({ pricing: 'measured' });
    await run(job);
    await change(job, `tool_started_at = tool_ended_at + interval '1 minute'`);
    await commit(job);
    expect((await rowOf(job)).metered_ms).to.equal(0);
  });

  /** The forecast of a job and its warnings, as its status shows them. */
  const statusOf = async (job: SeededJob) => {
    const deps = {
      ...{ db: world.database.db, queue: { placeOf: async () => null } },
      ...{ watch: NO_WATCH as unknown as JobWatch, tools, toFinish: async () => NOTHING_TO_FINISH },
    };
    const { cost, warnings } = (await jobStatus(deps, ownerOf(job.accountId), job.jobId, {})).status;
    return { forecast: cost.forecast, warnings };
  };

  it('of results that were reused tells a forecast nothing', async () => {
    const job = await seed({ pricing: 'measured', seconds: 10 }, 6);
    await world.database.tamper(
      `update jobs set status = 'RUNNING', task_total = 6, tasks_verified = 5 where id = $1`,
      [job.jobId],
    );
    const set = (ordinals: string, to: string): Promise<unknown> =>
      world.database.db.query(
        `update tasks set ${to} where job_id = $1 and kind = 'task' and ordinal in (${ordinals})`,
        [job.jobId],
      );
    await set('0, 1, 2, 3', `state = 'SUCCEEDED', charged_in = 0`);
    const before = (await statusOf(job)).forecast;
    expect(before?.basis, 'before a task of its own is done').to.equal('ESTIMATE');
    await set('4', `state = 'SUCCEEDED', metered_ms = 60000`);
    const { forecast } = await statusOf(job);
    expect(forecast?.basis).to.equal('VERIFIED');
    // A minute that is done, and one that comes, each at a penny a second.
    expect(forecast?.lowCents).to.be.within(2 + 60 + 54, 2 + 63 + 57);
    expect(forecast?.highCents).to.be.within(2 + 60 + 66, 2 + 63 + 70);
  });

  it('is what a forecast is made from while the job runs; above what may be held the status warns before the pause', async () => {
    const job = await seed({ pricing: 'measured', seconds: 10, checkpoint: 1 });
    const read = () => statusOf(job);
    await world.database.tamper(`update jobs set status = 'RUNNING', task_total = 1 where id = $1`, [
      job.jobId,
    ]);
    expect((await read()).forecast).to.deep.equal({ lowCents: 12, highCents: 14, basis: 'ESTIMATE' });
    await claim(job, 0);
    await tell(job, randomUUID(), 'started');
    // Sixty seconds of work: forty that a checkpoint holds, and twenty since then; a tenth of the task.
    await change(
      job,
      `progress_percent = 10, checkpoint = '[]', kept_ms = 40000, tool_started_at = now() - interval '100 s',
        checkpoint_at = now() - interval '20 s'`,
    );
    const { forecast, warnings } = await read();
    expect(forecast?.basis).to.equal('PROGRESS');
    expect(forecast?.lowCents).to.be.within(2 + 546, 2 + 575);
    expect(forecast?.highCents).to.be.within(2 + 654, 2 + 690);
    expect(warnings.map(({ code }) => code)).to.deep.equal(['FORECAST_NOT_COVERED']);
    expect(warnings[0]?.message).to.match(
      /comes to £5\.\d\d to £6\.\d\d.*£0\.00 is available: top up at least £6\./,
    );
    await world.database.tamper(`update jobs set status = 'PAUSED' where id = $1`, [job.jobId]);
    expect(await read()).to.deep.equal({ forecast: null, warnings: [] });
  });

  it('is what a status shows: seconds and classes of what is verified, never above the ceiling', async () => {
    const { db } = world.database;
    const shown = async (job: SeededJob): Promise<number> => {
      const deps = {
        db,
        queue: { placeOf: async () => null },
        watch: NO_WATCH as unknown as JobWatch,
        ...{ tools, toFinish: async () => NOTHING_TO_FINISH },
      };
      const { status } = await jobStatus(deps, ownerOf(job.accountId), job.jobId, {});
      return status.cost.accruedCost;
    };
    const seconds = await seed({ pricing: 'measured', seconds: 10 }, 2);
    expect(await shown(seconds)).to.equal(0);
    await change(seconds, `state = 'FAILED', metered_ms = 9000`);
    expect(await shown(seconds), 'seconds of failed tasks').to.equal(0);
    await change(
      seconds,
      `state = case ordinal when 0 then 'SUCCEEDED' else 'RUNNING' end, metered_ms = 1500`,
    );
    expect(await shown(seconds)).to.equal(0.035);
    await change(seconds, `metered_ms = 10000000`);
    expect(await shown(seconds), 'a fifth above 22 pence').to.equal(0.264);

    const classes = await seed({ pence: [1, 5] }, 4);
    await change(classes, `price_class = case ordinal % 2 when 0 then '1' else '5' end`);
    await change(classes, `state = case when ordinal in (0, 1) then 'SUCCEEDED' else 'RUNNING' end`);
    expect(await shown(classes)).to.equal(0.08);
    await change(classes, `state = 'SUCCEEDED'`);
    expect(await shown(classes)).to.equal(0.14);
  });
});
