import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { oneClass, quote } from '../../src/domain/pricing.ts';
import { releaseCapacity, requestCapacity } from '../../src/services/execution/capacity/capacity.ts';
import { readQueue } from '../../src/services/execution/capacity/queue.ts';
import { createJobWatch } from '../../src/services/events/job-watch.ts';
import type { JobWatch } from '../../src/services/events/job-watch.ts';
import { createQueueView } from '../../src/services/execution/capacity/queue-view.ts';
import { notePause } from '../../src/services/job-records/pending-pause.ts';
import { jobStatus } from '../../src/services/jobs/status.ts';
import { NOTHING_TO_FINISH } from '../../src/services/jobs/to-finish.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const toFinish = async () => NOTHING_TO_FINISH;
const LIMITS = { totalVcpus: 8, accountVcpus: 4 };

const tools = createToolRegistry({ testTools: TEST_TOOLS });

describe('a status', () => {
  let world: ComputeWorld;
  let watch: JobWatch;
  before(async () => {
    world = await openComputeWorld();
    watch = createJobWatch(world.database.db);
  });
  after(() => {
    watch.close();
    return world.close();
  });

  const deps = () => {
    const { db } = world.database;
    return { db, queue: createQueueView(() => readQueue(db, LIMITS), 0), watch, tools, toFinish };
  };
  /** A running job with the execution row that admission writes. */
  const seed = async (tasks: number) => {
    const job = await world.seedJob({}, tasks);
    const pricing = {
      model: 'fixed',
      classes: oneClass(tasks, 10_000),
      currency: 'GBP',
      startFeeMicro: 0,
      softwareMicro: 0,
      storageMicro: 0,
      egressMicro: 0,
      licenceNames: [],
    } as const;
    const offer = quote('test', 1_000_000, pricing, tasks);
    await world.database.tamper(
      `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro)
       values ($1, 1, $2, $3, $4, 'GBP', 'test', 1000000)`,
      [job.jobId, randomUUID(), JSON.stringify(offer), offer.estimatedMicro],
    );
    return job;
  };
  const claim = (token: string, ...ordinals: number[]) =>
    world.call('/v1/tasks/claim', token, { execution: 1, kind: 'task', ordinals });

  it('has another version when tasks start, and when what they show of their progress starts again', async () => {
    const { jobId, accountId, token } = await seed(3);
    const actor = ownerOf(accountId);
    const read = (wait = {}) => jobStatus(deps(), actor, jobId, wait);

    const queued = await read();
    expect((await read()).version).to.equal(queued.version);
    await claim(token, 0, 1);
    const running = await read();
    expect(running.status.progress.running).to.equal(2);
    expect(running.version).to.not.equal(queued.version);

    await claim(token, 0, 1);
    expect((await read()).version, 'a repeated claim').to.equal(running.version);

    await world.database.db.query(
      `update tasks set progress_percent = 40 where job_id = $1 and ordinal = 0`,
      [jobId],
    );
    expect((await read()).version).to.not.equal(running.version);
  });

  it('says whether its tasks go on after a loss, as the preparation of the job has found', async () => {
    const { jobId, accountId } = await seed(1);
    const shown = async (): Promise<unknown> => {
      const { resumable, resumableReason } = (await jobStatus(deps(), ownerOf(accountId), jobId, {})).status
        .recovery;
      return [resumable, resumableReason];
    };
    expect(await shown()).to.deep.equal([true, null]);
    const prepared = { resumable: false, resumableReason: 'the nest needs its parent' };
    await world.database.db.query(
      `insert into tasks (job_id, kind, ordinal, item_id, state, summary) values ($1, 'prepare', 0, 'prepare', 'SUCCEEDED', $2)`,
      [jobId, JSON.stringify(prepared)],
    );
    expect(await shown()).to.deep.equal([false, 'the nest needs its parent']);
  });

  it('says of a job whose instances boot that they start, until one has called', async () => {
    const { jobId, accountId } = await seed(1);
    const standing = async (status: string, hasCalled: boolean) => {
      await world.database.tamper('update jobs set status = $2 where id = $1', [jobId, status]);
      await world.database.db.query(
        'update instances set last_contact_at = case when $2 then now() end where job_id = $1',
        [jobId, hasCalled],
      );
      const read = await jobStatus(deps(), ownerOf(accountId), jobId, {});
      return { reason: read.status.statusReason, version: read.version };
    };
    const booting = await standing('PROVISIONING', false);
    expect(booting.reason).to.equal('INSTANCE_STARTING');
    const called = await standing('PROVISIONING', true);
    expect(called.reason).to.equal(null);
    expect(called.version, 'who waits for a change is told').to.not.equal(booting.version);
    expect((await standing('RUNNING', false)).reason).to.equal(null);
  });

  it('says of a job that a cancel was asked for, whatever its state says, until the job carries it out', async () => {
    const { jobId, accountId } = await seed(1);
    await world.database.db.query('update jobs set cancel_requested_at = now() where id = $1', [jobId]);
    const reasons: (string | null)[] = [];
    for (const status of ['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING', 'CANCELLING', 'SUCCEEDED']) {
      await world.database.tamper('update jobs set status = $2 where id = $1', [jobId, status]);
      const read = await jobStatus(deps(), ownerOf(accountId), jobId, {});
      reasons.push(read.status.statusReason);
    }
    const asked = 'CANCEL_REQUESTED';
    expect(reasons).to.deep.equal([asked, asked, asked, asked, null, null]);
  });

  it('says of a job that it is about to pause and why, until it has paused; a cancel counts before that', async () => {
    const { jobId, accountId } = await seed(1);
    const { db } = world.database;
    const actor = ownerOf(accountId);
    const before = (await jobStatus(deps(), actor, jobId, {})).version;
    expect(await notePause(db.manager, jobId, 'CREDITS')).to.equal(true);
    expect(await notePause(db.manager, jobId, 'OPERATOR'), 'the first reason stays').to.equal(false);
    const reasons: (string | null)[][] = [];
    for (const status of ['QUEUED', 'RUNNING', 'FINALIZING', 'PAUSED', 'RUNNING']) {
      await world.database.tamper('update jobs set status = $2 where id = $1', [jobId, status]);
      if (status === 'PAUSED')
        await db.query('update jobs set cancel_requested_at = now() where id = $1', [jobId]);
      const read = await jobStatus(deps(), actor, jobId, {});
      expect(read.version, 'who waits for a change is told').to.not.equal(before);
      reasons.push([read.status.statusReason, read.status.pauseReason]);
    }
    expect(reasons).to.deep.equal([
      ['PAUSE_REQUESTED', 'CREDITS'],
      ['PAUSE_REQUESTED', 'CREDITS'],
      [null, null],
      ['CANCEL_REQUESTED', 'CREDITS'],
      ['CANCEL_REQUESTED', 'CREDITS'],
    ]);
  });

  it('never shows more cost than the job can be charged, whatever its counts say', async () => {
    const { jobId, accountId } = await seed(3);
    const shown = async (verified: number): Promise<number> => {
      await world.database.tamper('update jobs set tasks_verified = $2 where id = $1', [jobId, verified]);
      const { status } = await jobStatus(deps(), ownerOf(accountId), jobId, {});
      expect(status.cost.accruedCost).to.be.at.most(status.cost.estimatedCost);
      return status.cost.accruedCost;
    };
    expect(await shown(2)).to.equal(0.02);
    expect(await shown(4), 'more than there are').to.equal(0.03);
  });

  it('tells the time left of a job that goes on by what this execution has done, since it runs', async () => {
    const { jobId, accountId } = await seed(8);
    const left = async () =>
      (await jobStatus(deps(), ownerOf(accountId), jobId, {})).status.progress.etaSeconds;
    const standing = (ordinals: readonly number[], state: string, execution: number, secondsAgo: number) =>
      world.database.tamper(
        `update tasks set state = $3, execution = $4, started_at = now() - make_interval(secs => $5)
         where job_id = $1 and ordinal = any($2)`,
        [jobId, ordinals, state, execution, secondsAgo],
      );
    // Two were verified within an hour, then the job lay for a day; the others were begun then, and are to be done again.
    const day = 86_400;
    await standing([0, 1], 'SUCCEEDED', 1, day + 3_600);
    await standing([2, 3, 4, 5, 6, 7], 'PENDING', 2, day);
    await world.database.tamper(
      `insert into job_executions select (jsonb_populate_record(e, '{"n": 2}')).* from job_executions e where job_id = $1`,
      [jobId],
    );
    await world.database.tamper(
      `update jobs set status = 'RUNNING', execution = 2, tasks_verified = 2, started_at = now() - make_interval(secs => $2)
       where id = $1`,
      [jobId, day + 3_600],
    );
    expect(await left(), 'nothing is done yet').to.equal(null);
    await standing([2, 3], 'SUCCEEDED', 2, 60);
    await standing([4], 'RUNNING', 2, 10);
    await world.database.tamper('update jobs set tasks_verified = 4 where id = $1', [jobId]);
    expect(await left(), 'two of the six that were left took a minute').to.be.closeTo(120, 2);
  });

  it('tells the place in the order of granting, which is not that of age', async () => {
    const { db } = world.database;
    const ask = (job: SeededJob, vcpus: number) =>
      requestCapacity(
        db,
        { ...{ jobId: job.jobId, execution: 1 }, accountId: job.accountId, vcpus, priority: 0 },
        LIMITS,
      );
    const queued = async (accountId?: string): Promise<SeededJob> => {
      const job = await seed(1);
      const owner = accountId ?? job.accountId;
      await world.database.tamper(`update jobs set status = 'QUEUED', account_id = $2 where id = $1`, [
        job.jobId,
        owner,
      ]);
      return { ...job, accountId: owner };
    };
    const queueOf = async (job: SeededJob): Promise<unknown> =>
      (await jobStatus(deps(), ownerOf(job.accountId), job.jobId, {})).status.queue;

    const [light, full, other] = [await queued(), await queued(), await queued()];
    for (const [job, vcpus] of [
      [light, 2],
      [full, 4],
      [other, 2],
    ] as const)
      expect((await ask(job, vcpus)).granted).to.equal(true);
    const [barred, older] = [await queued(full.accountId), await queued(light.accountId)];
    const younger = await queued();
    expect(await queueOf(older)).to.deep.equal({ position: null, reason: 'Waiting for capacity.' });
    for (const job of [barred, older, younger]) await ask(job, 2);

    expect(await queueOf(younger)).to.deep.equal({ position: 1, reason: 'CAPACITY' });
    expect(await queueOf(older)).to.deep.equal({ position: 2, reason: 'CAPACITY' });
    expect(await queueOf(barred)).to.deep.equal({ position: 3, reason: 'ACCOUNT_LIMIT' });
    expect((await releaseCapacity(db, other.jobId, 1, LIMITS)).newlyGranted).to.deep.equal([younger.jobId]);
    expect(await queueOf(younger)).to.deep.equal({ position: null, reason: 'Waiting for capacity.' });
    expect(await queueOf(older)).to.deep.equal({ position: 1, reason: 'CAPACITY' });
    // The reason is that of now, although no request has been looked at since: the account has room, the deployment has none.
    const filler = await queued();
    await ask(filler, 2);
    expect(
      (await releaseCapacity(db, full.jobId, 1, { ...LIMITS, totalVcpus: 4 })).newlyGranted,
    ).to.deep.equal([]);
    expect(await queueOf(barred)).to.include({ reason: 'CAPACITY' });
  });

  it('ends a long poll when a task starts', async () => {
    const { jobId, accountId, token } = await seed(1);
    const actor = ownerOf(accountId);
    const read = (wait = {}) => jobStatus(deps(), actor, jobId, wait);
    const { version } = await read();
    const waiting = read({ knownVersion: version, waitSeconds: 20 });
    const startedAt = performance.now();
    await claim(token, 0);
    expect((await waiting).status.progress.running).to.equal(1);
    expect(performance.now() - startedAt).to.be.below(10_000);
  });
});
