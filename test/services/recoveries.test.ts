/** The recovery ledger: what a loss and a pause write, and when work has gone on. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { claimTasks } from '../../src/services/execution/claim/claim.ts';
import { replaceInstance } from '../../src/services/execution/instances/replace.ts';
import { failTasks } from '../../src/services/execution/plan/plan.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { listRecoveries } from '../../src/services/jobs/recoveries.ts';
import { ownerOf } from '../support/actors.ts';
import { eventsOf } from '../support/events-of.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';
import { runningJob } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import type { RecoveryListResponse } from '../../src/domain/answers.ts';

type RecoveryItem = RecoveryListResponse['recoveries'][number];

describe('the recovery ledger', () => {
  const home = suiteHome();

  const ledgerOf = async ({ jobId, accountId }: RunningJob): Promise<readonly RecoveryItem[]> =>
    (await listRecoveries(home.db, ownerOf(accountId), jobId, { limit: 100 })).recoveries;
  /** A job whose first task, verified counts and instance are as a loss finds them, with the task at work for ten seconds. */
  const jobAtWork = async (): Promise<RunningJob> => {
    const job = await runningJob(home);
    await home.db.query('update jobs set tasks_verified = 7 where id = $1', [job.jobId]);
    await home.db.query(
      `update tasks set started_at = now() - interval '10 seconds' where job_id = $1 and state = 'RUNNING'`,
      [job.jobId],
    );
    await home.db.query(
      `update instances set last_contact_at = now(), instance_type = 'c7i.large', market = 'SPOT' where job_id = $1`,
      [job.jobId],
    );
    return job;
  };
  const launch = (jobId: string, slot: number, generation: number): Promise<unknown> =>
    home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus, last_contact_at)
       values ($1, $2, $3, 'local', $4, 'RUNNING', 2, now())`,
      [jobId, slot, generation, randomUUID()],
    );
  /** The claim is written before the job's facts are read, of which this job has none. */
  const claim = async (jobId: string, slot: number, generation: number, ordinal: number): Promise<void> => {
    const claims = { jobId, slot, generation, expiresAt: 0 };
    const deps = { db: home.db, factsOf: () => Promise.reject(new Error('no facts')) };
    await claimTasks(deps, claims, { execution: 1, kind: 'task', ordinals: [ordinal] }).catch(
      () => undefined,
    );
  };
  const lose = (jobId: string, slot: number, generation: number, cause = 'INSTANCE_GONE') =>
    replaceInstance(home.db, { jobId, slot, generation, execution: 1, cause });

  it('has a lost instance once, with what was kept, set back and lost, until its task runs again', async () => {
    const job = await jobAtWork();
    const { jobId } = job;
    await launch(jobId, 1, 1);
    await lose(jobId, 0, 1);
    await lose(jobId, 0, 1);
    const [entry, ...others] = await ledgerOf(job);
    expect(others).to.deep.equal([]);
    const { at, secondsLost, ...facts } = entry ?? expect.fail('no entry');
    expect(new Date(at).getTime()).to.be.closeTo(Date.now(), 60_000);
    expect(secondsLost).to.be.within(10, 60);
    expect(facts).to.deep.equal({
      ...{ kind: 'LOSS', execution: 1, cause: 'INSTANCE_GONE', tasksKept: 7, tasksSetBack: 1 },
      instance: { slot: 0, generation: 1, type: 'c7i.large', market: 'SPOT' },
      ...{ secondsUntilWork: null, chargedCents: 0 },
    });
    await claim(jobId, 1, 1, 5);
    expect((await ledgerOf(job))[0], 'another task does not make up for it').to.include({
      secondsUntilWork: null,
    });
    await claim(jobId, 1, 1, 0);
    const wentOn = (await ledgerOf(job))[0]?.secondsUntilWork;
    expect(wentOn).to.be.within(0, 60);
    await claim(jobId, 1, 1, 6);
    expect((await ledgerOf(job))[0]?.secondsUntilWork, 'the first claim counts').to.equal(wentOn);
    const told = await eventsOf(home.db, job.accountId, 'job.recovered');
    expect(told.map(({ payload }) => payload)).to.deep.equal([
      { cause: 'INSTANCE_GONE', tasksKept: 7, seconds: wentOn },
    ]);
  });

  it('has the work until the instance was last heard of, and not until its loss was found; that of a shard once', async () => {
    for (const settle of ['loss', 'pause'] as const) {
      const job = await jobAtWork();
      const { jobId } = job;
      // Two tasks of one shard, and one of another that has kept what it did in its first 15 seconds.
      await home.db.query(
        `update tasks set state = 'RUNNING', slot = 0, generation = 1, started_at = now() - make_interval(secs => case ordinal when 2 then 806 else 811 end),
           checkpoint_at = case ordinal when 2 then now() - interval '796 seconds' end
         where job_id = $1 and kind = 'task' and ordinal < 3`,
        [jobId],
      );
      await home.db.query(
        `update instances set last_contact_at = now() - interval '791 seconds' where job_id = $1`,
        [jobId],
      );
      if (settle === 'loss') await lose(jobId, 0, 1);
      else
        await settleJob(home.db, {
          ...{ jobId, execution: 1, transition: 9, to: 'PAUSED', reason: null, pauseReason: 'CREDITS' },
        });
      const [entry] = await ledgerOf(job);
      expect(entry).to.include({ tasksSetBack: 3 });
      expect(entry?.secondsLost, settle).to.be.within(24, 27);
    }
  });

  it('takes the next task of the slot for work that goes on, where the lost instance ran none', async () => {
    const job = await jobAtWork();
    await launch(job.jobId, 1, 1);
    await lose(job.jobId, 1, 1, 'INSTANCE_SILENT');
    expect((await ledgerOf(job))[0]).to.include({ tasksSetBack: 0, secondsLost: 0, secondsUntilWork: null });
    await claim(job.jobId, 0, 1, 3);
    expect((await ledgerOf(job))[0]).to.include({ secondsUntilWork: null });
    await launch(job.jobId, 1, 2);
    await claim(job.jobId, 1, 2, 4);
    expect((await ledgerOf(job))[0]?.secondsUntilWork).to.be.within(0, 60);
  });

  it('has a pause once, whichever attempt of its settlement writes it', async () => {
    const job = await jobAtWork();
    const pause = { jobId: job.jobId, execution: 1, transition: 9, to: 'PAUSED', reason: null } as const;
    await settleJob(home.db, { ...pause, pauseReason: 'CREDITS' });
    await settleJob(home.db, { ...pause, pauseReason: 'CREDITS' });
    const [entry, ...others] = await ledgerOf(job);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({
      ...{ kind: 'PAUSE', cause: 'CREDITS', instance: null, execution: 1, tasksSetBack: 1 },
      ...{ secondsUntilWork: null, chargedCents: 0 },
    });
    expect(entry?.secondsLost).to.be.within(10, 60);
  });

  it('is read by the account of the job alone', async () => {
    const [job, other] = [await jobAtWork(), await jobAtWork()];
    const read = listRecoveries(home.db, ownerOf(other.accountId), job.jobId, { limit: 1 });
    expect(await codeOf(read)).to.equal('NOT_FOUND');
  });

  it('fails no task of a job that has paused: they wait for the next execution, whatever a late run of the workflow says', async () => {
    const { jobId } = await jobAtWork();
    await lose(jobId, 0, 1);
    const ending = { jobId, execution: 1, transition: 4, to: 'PAUSED', reason: null } as const;
    await settleJob(home.db, { ...ending, pauseReason: 'OPERATOR' });
    const states = (): Promise<unknown[]> =>
      home.db.query(
        'select state, count(*)::int as count from tasks where job_id = $1 group by state order by state',
        [jobId],
      );
    const before = await states();
    await failTasks(home.db, { jobId, code: 'INTERNAL_ERROR', message: 'why' });
    expect(await states()).to.deep.equal(before);
    const [row] = await home.db.query<unknown[]>('select tasks_failed from jobs where id = $1', [jobId]);
    expect(row).to.deep.equal({ tasks_failed: 0 });
  });
});
