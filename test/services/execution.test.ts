import { randomUUID } from 'node:crypto';

import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createInstanceActivities } from '../../activities/instances.ts';
import type { Database } from '../../src/adapters/database.ts';
import type { InstanceProvider } from '../../src/adapters/instances/instances.ts';
import { inquire } from '../../src/services/execution/instances/inquiry.ts';
import { launchInstance } from '../../src/services/execution/instances/launch.ts';
import type { LaunchDependencies, InstanceLaunch } from '../../src/services/execution/instances/launch.ts';
import { launched, providerOf } from '../support/instance-providers.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { cancelJob, requestCancel as cancelForService } from '../../src/services/jobs/cancel.ts';
import { abandonedJobs } from '../../src/services/execution/sweep/abandoned.ts';
import { endLongPauses } from '../../src/services/execution/sweep/long-pauses.ts';
import { outstanding } from '../../src/services/execution/pending.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import type { Ending } from '../../src/services/execution/settle/settle.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { balancesOf, endPeriod, startPeriod } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';
import { runningJob } from '../support/running-job.ts';
import { until } from '../support/until.ts';

describe('the execution of a job', () => {
  const home = suiteHome();

  it('is not set back by a late attempt to record an earlier state, so that it can be settled', async () => {
    const { jobId } = await runningJob(home);
    await recordState(home.db, { jobId, transition: 5, to: 'FINALIZING', reason: null });
    await recordState(home.db, { jobId, transition: 4, to: 'RECOVERING', reason: 'late' });
    const [row] = await home.db.query<{ status: string }[]>('select status from jobs where id = $1', [jobId]);
    expect(row?.status).to.equal('FINALIZING');
    const ending = {
      jobId,
      execution: 1,
      transition: 6,
      to: 'FAILED',
      reason: null,
      pauseReason: null,
    } as const;
    const settled = await settleJob(home.db, ending);
    expect(settled).to.include({ chargedPence: 0, releasedPence: 42 });
    expect(await settleJob(home.db, ending), 'once more').to.deep.equal(settled);
  });

  /** Brings the job to the moment before its settlement, with its first task verified. */
  const finalizing = async (): Promise<Finalizing> => {
    const { jobId, accountId } = await runningJob(home);
    await home.db.query(`update tasks set state = 'SUCCEEDED' where job_id = $1 and ordinal = 0`, [jobId]);
    await recordState(home.db, { jobId, transition: 4, to: 'FINALIZING', reason: null });
    const ending = { jobId, execution: 1, transition: 5, reason: null, pauseReason: null } as const;
    return { accountId, ending: { ...ending, to: 'PARTIALLY_SUCCEEDED' } };
  };
  const requestCancel = (jobId: string): Promise<unknown> =>
    home.db.query('update jobs set cancel_requested_at = now() where id = $1', [jobId]);
  const statusOf = async (jobId: string): Promise<string | undefined> => {
    const [row] = await home.db.query<{ status: string }[]>('select status from jobs where id = $1', [jobId]);
    return row?.status;
  };

  it('ends cancelled when that was asked for before its settlement, and charges what is verified', async () => {
    const { ending } = await finalizing();
    await requestCancel(ending.jobId);
    const settled = await settleJob(home.db, ending);
    expect(settled).to.deep.include({ to: 'CANCELLED', chargedPence: 3, releasedPence: 39, verified: 1 });
    expect(await statusOf(ending.jobId)).to.equal('CANCELLED');
    expect(await settleJob(home.db, ending), 'once more').to.deep.equal(settled);
  });

  it('stays as it was settled when a cancel comes after it', async () => {
    const { ending } = await finalizing();
    const settled = await settleJob(home.db, ending);
    expect(settled).to.deep.include({ to: 'PARTIALLY_SUCCEEDED', chargedPence: 3 });
    await requestCancel(ending.jobId);
    expect(await settleJob(home.db, ending), 'once more').to.deep.equal(settled);
    expect(await statusOf(ending.jobId)).to.equal('PARTIALLY_SUCCEEDED');
  });

  it('that has failed for a reason keeps it although a cancel was asked for', async () => {
    const { ending } = await finalizing();
    await requestCancel(ending.jobId);
    const failed = { ...ending, reason: 'RECEPTOR_EMPTY' };
    expect(await settleJob(home.db, failed)).to.deep.include({ to: 'PARTIALLY_SUCCEEDED' });
  });

  it('is not said to be cancelled by a request that waited while it was settled', async () => {
    const { ending, accountId } = await finalizing();
    const { jobId } = ending;
    const settled = Promise.withResolvers<null>();
    const asked = Promise.withResolvers<null>();
    const settlement = home.db.transaction(async (tx) => {
      await tx.query(`update jobs set status = 'PARTIALLY_SUCCEEDED', finished_at = now() where id = $1`, [
        jobId,
      ]);
      settled.resolve(null);
      await asked.promise;
    });
    await settled.promise;
    const workflows = { cancel: () => Promise.resolve(true) };
    const takeUp = (): Promise<boolean> => Promise.reject(new Error('the workflow runs'));
    const cancel = cancelJob(
      { db: home.db, workflows, takeUp, log: { warn: () => undefined } },
      ownerOf(accountId),
      jobId,
      {},
    );
    await until('the request waits for the row of the job', async () => {
      const waiting = await home.db.query<unknown[]>(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%cancel_requested_at = now()%'
           and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    asked.resolve(null);
    await settlement;
    expect(await cancel).to.deep.include({ changed: false });
    expect((await cancel).response).to.include({ status: 'PARTIALLY_SUCCEEDED', cancelRequestedAt: null });
  });

  it('is settled while rows of its plan are still being written', async () => {
    const { ending } = await finalizing();
    const planning = home.db.createQueryRunner();
    try {
      await planning.startTransaction();
      await planning.query(
        `insert into tasks (job_id, kind, ordinal, item_id, execution) values ($1, 'task', 999, 'late', 1)`,
        [ending.jobId],
      );
      expect(await settleJob(home.db, ending)).to.deep.include({ to: 'PARTIALLY_SUCCEEDED' });
    } finally {
      await planning.rollbackTransaction();
      await planning.release();
    }
  });

  for (const [pauseReason, reason, wallet] of [
    ['OPERATOR', null, 42],
    ['OPERATOR', 'LAUNCH_REFUSED', 42],
    ['CREDITS', null, 0],
  ] as const)
    it(`that pauses for ${pauseReason}${reason === null ? '' : `, because of ${reason},`} gives ${wallet} pence of a month that has ended to the wallet`, async () => {
      const owner = await newAccount(home.db, 0);
      await startPeriod(home.db, owner.accountId, 100);
      const admission = admissionOf(owner, { inputs: [] });
      const { jobId } = admission;
      await admitJob(home.db, admission, randomUUID());
      for (const [index, to] of (['QUEUED', 'PROVISIONING'] as const).entries())
        await recordState(home.db, { jobId, transition: index + 1, to, reason: null });
      await endPeriod(home.db, owner.accountId);
      const ending = { jobId, execution: 1, transition: 3, to: 'PAUSED', reason, pauseReason } as const;
      const settled = await settleJob(home.db, ending);
      expect(settled).to.include({ chargedPence: 0, releasedPence: 42 });
      expect(await settleJob(home.db, ending), 'once more').to.deep.equal(settled);
      expect(await balancesOf(home.db, owner.accountId)).to.include({
        wallet,
        monthly_held: 0,
        wallet_held: 0,
      });
    });

  it('tells of a cancel whose message was lost', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query(
      `update jobs set cancel_requested_at = now(), cancel_reason = 'changed my mind' where id = $1`,
      [jobId],
    );
    expect(await outstanding(home.db, { jobId, partStarts: [0] })).to.deep.equal({
      parts: [0],
      controlOpen: false,
      mergeOpen: false,
      cancelRequested: true,
      cancelReason: 'changed my mind',
    });
  });

  it('is cancelled by the service where it is the service’s own, and by no customer', async () => {
    const { jobId, accountId } = await runningJob(home);
    await home.db.query('update jobs set internal = true where id = $1', [jobId]);
    const deps = {
      ...{ db: home.db, workflows: { cancel: () => Promise.resolve(true) } },
      ...{ takeUp: () => Promise.resolve(false), log: { warn: () => undefined } },
    };
    expect(await codeOf(cancelJob(deps, ownerOf(accountId), jobId, {}))).to.equal('NOT_FOUND');
    expect(await cancelForService(deps, { jobId, accountId }, 'a sample')).to.include({ changed: true });
  });

  it('is found when no workflow works on it any more', async () => {
    const { jobId } = await runningJob(home);
    const found = async (): Promise<string[]> =>
      (await abandonedJobs(home.db, () => Promise.resolve(false))).map((one) => one.subject);
    expect(await found(), 'at once, since its workflow has written its state').to.include(jobId);
    await home.db.query(`update jobs set status = 'SUBMITTED', updated_at = now() where id = $1`, [jobId]);
    expect(await found(), 'the workflow of one that was just resumed may be on its way').not.to.include(
      jobId,
    );
    await home.db.query(`update jobs set updated_at = now() - interval '6 minutes' where id = $1`, [jobId]);
    expect(await found()).to.include(jobId);
    expect(await abandonedJobs(home.db, () => Promise.resolve(true))).to.deep.equal([]);
  });

  it('is found however many quieter jobs are open, unless it ends while Temporal is asked', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query(
      `insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(),
         'status', 'QUEUED', 'updated_at', now() - interval '2 days'))).*
       from jobs j, generate_series(1, 2100) where j.id = $1`,
      [jobId],
    );
    await home.db.query(`update jobs set updated_at = now() - interval '6 minutes' where id = $1`, [jobId]);
    // One more job is lost, and its id is the last of all, so only an audit that reads to the end finds it.
    const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    await home.db.query(
      `update jobs set id = $1 where id = (select max(id::text)::uuid from jobs where status = 'QUEUED')`,
      [last],
    );
    let asked = 0;
    let most = 0;
    const look = (end: (id: string) => Promise<unknown>) =>
      abandonedJobs(home.db, async (id) => {
        asked += 1;
        most = Math.max(most, asked);
        await end(id);
        asked -= 1;
        return id !== jobId && id !== last;
      });
    const lastFound = {
      check: 'open-job-has-workflow',
      subject: last,
      detail: 'QUEUED, but no workflow runs',
    };
    expect(await look(async () => null)).to.deep.equal([
      { check: 'open-job-has-workflow', subject: jobId, detail: 'RUNNING, but no workflow runs' },
      lastFound,
    ]);
    expect(most, 'asked at once').to.be.at.most(16);
    const ends = (id: string): Promise<unknown> =>
      home.db.query('update jobs set finished_at = now() where id = $1 and id = $2', [id, jobId]);
    expect(await look(ends)).to.deep.equal([lastFound]);
    await home.database.tamper(`delete from jobs where status = 'QUEUED'`);
  });

  it('needs no workflow while it is paused, unless a cancel was noted', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query(
      `update jobs set status = 'PAUSED', updated_at = now() - interval '1 hour' where id = $1`,
      [jobId],
    );
    const found = async (): Promise<boolean> =>
      (await abandonedJobs(home.db, () => Promise.resolve(false))).some(({ subject }) => subject === jobId);
    expect(await found()).to.equal(false);
    await requestCancel(jobId);
    expect(await found()).to.equal(true);
  });

  it('ends after a pause of 14 days that is the customer’s, and after no other', async () => {
    const pausedFor = async (reason: string | null, time: string): Promise<string> => {
      const { jobId } = await runningJob(home);
      await home.db.query(`update jobs set status = 'PAUSED', pause_reason = $2 where id = $1`, [
        jobId,
        reason,
      ]);
      await home.db.query(`update jobs set status_at = now() - $2::interval where id = $1`, [jobId, time]);
      return jobId;
    };
    const due = [await pausedFor('CREDITS', '14 days 1 hour'), await pausedFor('COST_LIMIT', '15 days')];
    const own = await pausedFor('OPERATOR', '15 days');
    await home.db.query('update jobs set internal = true where id = $1', [own]);
    due.push(own);
    await pausedFor('COST_LIMIT', '13 days 23 hours');
    await pausedFor('OPERATOR', '30 days');
    await pausedFor('LICENSE', '30 days');
    const told: string[] = [];
    const ended = await endLongPauses(home.db, async (jobId, message) => {
      expect(message).to.deep.equal({ kind: 'endPause' });
      told.push(jobId);
      if (jobId === due[0]) throw new Error('Temporal does not answer');
      return true;
    }).catch((error: unknown) => error);
    expect(told).to.have.members(due);
    expect(ended).to.include({ message: '1 paused jobs were not told that their pause is over.' });
    expect(await endLongPauses(home.db, async () => true)).to.equal(3);
  });

  it('launches nothing for a job that rests or has ended', async () => {
    const { jobId } = await runningJob(home);
    await recordState(home.db, { jobId, transition: 4, to: 'FINALIZING', reason: null });
    let asked = 0;
    const provider = providerOf({
      ensure: () => {
        asked += 1;
        return Promise.reject(new Error('must not be asked'));
      },
    });
    await launchInstance(launching(home.db), provider, launchOf(jobId));
    expect(asked).to.equal(0);
  });

  it('does not take an instance for silent that its provider could not launch for long', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    await home.db.query(
      `insert into service_heartbeats (service, up_since, beat_at) values ('gateway', now() - interval '1 day', now())
       on conflict (service) do update set up_since = excluded.up_since, beat_at = excluded.beat_at`,
    );
    const provider = providerOf({
      ensure: async () => {
        await home.db.query(
          `update instances set launched_at = now() - interval '1 hour' where job_id = $1 and generation = 2`,
          [jobId],
        );
        return launched('any', 'at last');
      },
    });
    await launchInstance(launching(home.db), provider, launchOf(jobId));
    const inquiry = {
      db: home.db,
      providers: new Map([['local', provider]]),
      leases: {
        silenceSeconds: 10,
        giveUpSeconds: 60,
        launchSeconds: 900,
        goneConfirmSeconds: 5,
        goneMinAgeSeconds: 60,
      },
    };
    expect(await inquire(inquiry, launchOf(jobId), 'launch'), 'waits for its first contact').to.equal(null);
    // A launch that is repeated because its answer was lost does not become younger.
    await home.db.query(
      `update instances set launched_at = now() - interval '901 seconds' where job_id = $1 and generation = 2`,
      [jobId],
    );
    await launchInstance(launching(home.db), provider, launchOf(jobId));
    await home.db.query(`update service_heartbeats set beat_at = now() where service = 'gateway'`);
    expect(await inquire(inquiry, launchOf(jobId), 'launch')).to.deep.equal({
      state: 'lost',
      cause: 'INSTANCE_SILENT',
    });
  });

  it('believes a provider that answers exactly before it believes a contact of a moment ago', async () => {
    const { jobId } = await runningJob(home);
    const id = { ...launchOf(jobId), generation: 1 };
    await home.db.query('update instances set last_contact_at = now() where job_id = $1', [jobId]);
    await home.db.query(
      `insert into service_heartbeats (service, up_since, beat_at) values ('gateway', now() - interval '1 day', now())
       on conflict (service) do update set up_since = excluded.up_since, beat_at = excluded.beat_at`,
    );
    const gone = { token: 'any', providerId: 'gone', state: 'gone', launchedAt: '2026-11-22' } as const;
    for (const [answersExactly, cause] of [
      [true, 'INSTANCE_GONE'],
      [false, 'CONTACT'],
    ] as const) {
      const provider = { ...providerOf(), answersExactly };
      const inquiry = {
        db: home.db,
        providers: new Map([['local', { ...provider, describe: () => Promise.resolve(gone) }]]),
        leases: {
          launchSeconds: 900,
          silenceSeconds: 10,
          giveUpSeconds: 60,
          // An hour: nobody waits for a second answer.
          goneConfirmSeconds: 3600,
          goneMinAgeSeconds: 0,
        },
      };
      expect(await inquire(inquiry, id, 'running')).to.include({ cause });
    }
  });

  it('ends its look with the first word of the instance', async () => {
    const { jobId } = await runningJob(home);
    let looks = 0;
    const provider: InstanceProvider = {
      ...providerOf(),
      describe: async () => {
        looks += 1;
        if (looks === 3)
          await home.db.query(
            'update instances set last_contact_at = now() where job_id = $1 and generation = 2',
            [jobId],
          );
        return null;
      },
    };
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    await launchInstance(launching(home.db), provider, launchOf(jobId));
    const activities = createInstanceActivities({
      ...{ db: home.db, providers: new Map([['local', provider]]), secret: '0'.repeat(64) },
      leases: {
        silenceSeconds: 10,
        giveUpSeconds: 60,
        launchSeconds: 900,
        goneConfirmSeconds: 5,
        goneMinAgeSeconds: 60,
      },
    });
    const id = { ...launchOf(jobId), lookMs: 60_000 };
    const verdict = await new MockActivityEnvironment().run(() => activities.awaitInstance(id));
    expect(verdict).to.deep.equal({ state: 'alive', cause: 'CONTACT' });
    expect(looks, 'the look in which it was heard of is the last').to.equal(3);
  });
});

interface Finalizing {
  readonly accountId: string;
  readonly ending: Ending;
}

function launching(db: Database): LaunchDependencies {
  return { db, secret: '0'.repeat(64) };
}

function launchOf(jobId: string): InstanceLaunch {
  return { jobId, slot: 0, generation: 2, provider: 'local', vcpus: 2, toolSlots: 2 };
}
