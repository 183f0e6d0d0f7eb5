import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Actor } from '../../src/domain/access.ts';
import { quote } from '../../src/domain/pricing.ts';
import { jobStatus } from '../../src/services/jobs/status.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld } from '../support/compute-world.ts';

const ownerIn = (accountId: string): Actor => ({
  accountId,
  userId: randomUUID(),
  keyId: randomUUID(),
  environment: 'live',
  scopes: [],
  plan: 'free',
});

describe('the version of a status', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());

  /** A running job with the execution that admission writes. */
  const seed = async (tasks: number) => {
    const job = await world.seedJob({}, tasks);
    const pricing = {
      currency: 'GBP',
      perTaskMicro: 10_000,
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

  it('changes when tasks start, and when what they show of their progress starts again', async () => {
    const { jobId, accountId, token } = await seed(3);
    const actor = ownerIn(accountId);
    const read = (wait = {}) => jobStatus(world.database.db, actor, jobId, wait);

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

  it('ends a long poll when a task starts', async () => {
    const { jobId, accountId, token } = await seed(1);
    const actor = ownerIn(accountId);
    const { version } = await jobStatus(world.database.db, actor, jobId, {});
    const waiting = jobStatus(world.database.db, actor, jobId, { knownVersion: version, waitSeconds: 20 });
    const startedAt = performance.now();
    await claim(token, 0);
    expect((await waiting).status.progress.running).to.equal(1);
    expect(performance.now() - startedAt).to.be.below(10_000);
  });
});
