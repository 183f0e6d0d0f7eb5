import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createInstanceActivities } from '../../activities/instances.ts';
import type { InstanceActivities } from '../../activities/instances.ts';
import type { InstanceProvider, InstanceSpec } from '../../src/adapters/instances/instances.ts';
import { launchInstance } from '../../src/services/execution/instances/launch.ts';
import type { InstanceLaunch, LaunchAnswer } from '../../src/services/execution/instances/launch.ts';
import { launched, providerOf as plainProvider } from '../support/instance-providers.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

const LEASES = { silenceSeconds: 10, giveUpSeconds: 60, goneConfirmSeconds: 5, goneMinAgeSeconds: 60 };
const LAUNCH_SECONDS = 900;
const SECRET = '0'.repeat(64);

/** A provider whose instances are running and have not made contact. */
const providerOf = (own: Partial<InstanceProvider> = {}): InstanceProvider =>
  plainProvider({
    ...{ name: 'slow', answersExactly: false },
    describe: (token) => Promise.resolve(launched(token).instance),
    ...own,
  });
const launchOf = (jobId: string): InstanceLaunch => ({
  ...{ jobId, slot: 0, generation: 2, provider: 'slow', vcpus: 2, toolSlots: 2 },
});

describe('launches of instances that boot for minutes', () => {
  const home = suiteHome();

  const activitiesOf = (provider: InstanceProvider): InstanceActivities =>
    createInstanceActivities({
      ...{ db: home.db, providers: new Map([['slow', provider]]), secret: SECRET },
      leases: { ...LEASES, launchSeconds: LAUNCH_SECONDS },
    });

  const launchedJob = async (provider: InstanceProvider): Promise<string> => {
    const { jobId } = await runningJob(home);
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    await launchInstance({ db: home.db, secret: SECRET }, provider, launchOf(jobId));
    return jobId;
  };

  /** One look at an instance that was launched so long ago, with a gateway that is up all the time. */
  const look = async (jobId: string, seconds: number): Promise<unknown> => {
    await home.db.query(
      `update instances set launched_at = now() - make_interval(secs => $2) where job_id = $1 and generation = 2`,
      [jobId, seconds],
    );
    await home.db.query(
      `insert into service_heartbeats (service, up_since, beat_at) values ('gateway', now() - interval '1 day', now())
       on conflict (service) do update set up_since = excluded.up_since, beat_at = excluded.beat_at`,
    );
    const activities = activitiesOf(providerOf());
    return new MockActivityEnvironment().run(() => activities.awaitInstance(launchOf(jobId)));
  };

  it('without a definite answer are asked for again after pauses that grow, not all at the same moment', async () => {
    const { jobId } = await runningJob(home);
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    const throttled = providerOf({ ensure: () => Promise.reject(new Error('RequestLimitExceeded')) });
    const pauseAfter = async (attempt: number): Promise<number> => {
      const environment = new MockActivityEnvironment({ attempt });
      const failure: unknown = await environment
        .run(() => activitiesOf(throttled).launchInstance(launchOf(jobId)))
        .catch((error: unknown) => error);
      if (!(failure instanceof ApplicationFailure)) throw failure;
      expect(failure.message).to.equal('RequestLimitExceeded');
      return Number(failure.nextRetryDelay);
    };
    expect(await pauseAfter(1)).to.be.within(200, 400);
    expect(await pauseAfter(4)).to.be.within(1_600, 3_200);
    const late = await Promise.all([20, 20, 20, 20, 20].map(pauseAfter));
    for (const pause of late) expect(pause).to.be.within(30_000, 60_000);
    expect(new Set(late).size).to.be.above(1);
  });

  it('are waited for as long as the lease of a launch says, however long a running one may be silent', async () => {
    const jobId = await launchedJob(providerOf());
    expect(await look(jobId, LEASES.giveUpSeconds + 1), 'a boot of a minute').to.equal(null);
    expect(await look(jobId, LAUNCH_SECONDS - 10), 'a boot of almost a quarter of an hour').to.equal(null);
    expect(await look(jobId, LAUNCH_SECONDS + 1)).to.deep.equal({ state: 'lost', cause: 'INSTANCE_SILENT' });
    await home.db.query('update instances set last_contact_at = now() where job_id = $1 and generation = 2', [
      jobId,
    ]);
    expect(await look(jobId, LAUNCH_SECONDS + 1)).to.deep.equal({ state: 'alive', cause: 'CONTACT' });
  });

  it('send the same request in each attempt, also after a while', async () => {
    const asked: InstanceSpec[] = [];
    const provider = providerOf({
      ensure: async (spec) => {
        asked.push(spec);
        if (asked.length === 1) throw new Error('no answer');
        return launched(spec.token);
      },
    });
    const { jobId } = await runningJob(home);
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    const attempt = (): Promise<unknown> =>
      launchInstance({ db: home.db, secret: SECRET }, provider, launchOf(jobId));
    await attempt().then(
      () => expect.fail('the first attempt must fail'),
      () => undefined,
    );
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await attempt();
    expect(asked).to.have.length(2);
    expect(asked[1]).to.deep.equal({ ...asked[0], isRepeat: true });
    expect(asked[0]).to.include({ isRepeat: false });
  });

  it('end beside each other, at most eight at a time, each noted', async () => {
    const jobId = await launchedJob(providerOf());
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, vcpus)
       select $1, slot, 1, 'slow', gen_random_uuid(), 2 from generate_series(1, 19) slot`,
      [jobId],
    );
    let now = 0;
    let most = 0;
    const provider = providerOf({
      terminate: async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 20));
        now -= 1;
        return true;
      },
    });
    // The job's first generation belongs to another provider, which is not here.
    await home.db.query(
      `update instances set state = 'TERMINATED' where job_id = $1 and provider <> 'slow'`,
      [jobId],
    );
    const activities = activitiesOf(provider);
    await new MockActivityEnvironment().run(() =>
      activities.terminateInstances({ jobId, slot: null, generation: null }),
    );
    expect(most).to.equal(8);
    const [left] = await home.db.query<{ count: number }[]>(
      `select count(*)::int as count from instances where job_id = $1 and state <> 'TERMINATED'`,
      [jobId],
    );
    expect(left).to.deep.equal({ count: 0 });
  });
});

describe('launches of a provider with a spot market', () => {
  const home = suiteHome();
  const WAIT_SECONDS = 30;

  const jobIn = async (mode: 'standard' | 'resumable'): Promise<string> => {
    const { jobId } = await runningJob(home);
    await home.db.query('update jobs set recovery_mode = $2 where id = $1', [jobId, mode]);
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    return jobId;
  };
  /** A provider that has spot instances as long as `left` says, and notes which market it was asked. */
  const marketOf = (left: { spot: number; onDemand?: number }) => {
    const asked: string[] = [];
    const provider = providerOf({
      offersSpot: true,
      ensure: async ({ terms: { market }, token }) => {
        asked.push(market);
        const free = market === 'SPOT' ? left.spot : (left.onDemand ?? 1);
        return free > 0 ? launched(token) : { state: 'capacity', cause: 'none is free' };
      },
    });
    return { asked, provider };
  };
  const launch = (provider: InstanceProvider, request: InstanceLaunch): Promise<unknown> =>
    launchInstance({ db: home.db, secret: SECRET, spotWaitSeconds: WAIT_SECONDS }, provider, request);
  const rowOf = async (jobId: string): Promise<unknown> => {
    const [row] = await home.db.query<unknown[]>(
      'select market, state, fence_cause from instances where job_id = $1 and generation = 2',
      [jobId],
    );
    return row;
  };
  const olderBy = (jobId: string, seconds: number): Promise<unknown> =>
    home.db.query(
      'update instances set launched_at = launched_at - make_interval(secs => $2) where job_id = $1 and generation = 2',
      [jobId, seconds],
    );

  it('ask for spot in resumable recovery, and for instances on demand in standard recovery', async () => {
    for (const [mode, market] of [
      ['resumable', 'SPOT'],
      ['standard', 'ON_DEMAND'],
    ] as const) {
      const jobId = await jobIn(mode);
      const { asked, provider } = marketOf({ spot: 1 });
      expect(await launch(provider, launchOf(jobId))).to.deep.equal({ state: 'asked' });
      expect(asked).to.deep.equal([market]);
      expect(await rowOf(jobId)).to.deep.equal({ market, state: 'RUNNING', fence_cause: null });
    }
  });

  it('never ask for spot where the provider offers none', async () => {
    const jobId = await jobIn('resumable');
    const { asked, provider } = marketOf({ spot: 1 });
    await launch({ ...provider, offersSpot: false }, launchOf(jobId));
    expect(asked).to.deep.equal(['ON_DEMAND']);
    expect(await rowOf(jobId)).to.include({ market: 'ON_DEMAND' });
  });

  it('wait while no spot instance is to be had, and take one that comes in time', async () => {
    const jobId = await jobIn('resumable');
    const left = { spot: 0 };
    const { asked, provider } = marketOf(left);
    expect(await launch(provider, launchOf(jobId))).to.deep.equal({ state: 'no-spot', againSeconds: 10 });
    await olderBy(jobId, WAIT_SECONDS - 2);
    const late = (await launch(provider, launchOf(jobId))) as LaunchAnswer;
    expect(late.state).to.equal('no-spot');
    expect(late.againSeconds).to.be.within(0.1, 2);
    left.spot = 1;
    expect(await launch(provider, launchOf(jobId))).to.deep.equal({ state: 'asked' });
    expect(asked).to.deep.equal(['SPOT', 'SPOT', 'SPOT']);
    expect(await rowOf(jobId)).to.deep.equal({ market: 'SPOT', state: 'RUNNING', fence_cause: null });
  });

  it('give spot up after the wait, once and for the generation, without a loss; the next generation is on demand', async () => {
    const jobId = await jobIn('resumable');
    const left = { spot: 0, onDemand: 0 };
    const { asked, provider } = marketOf(left);
    await launch(provider, launchOf(jobId));
    await olderBy(jobId, WAIT_SECONDS + 1);
    for (const attempt of ['the first attempt', 'a repeat'])
      expect(await launch(provider, launchOf(jobId)), attempt).to.deep.equal({ state: 'spot-given-up' });
    left.spot = 1;
    expect(await launch(provider, launchOf(jobId)), 'a late attempt').to.deep.equal({
      state: 'spot-given-up',
    });
    expect(await rowOf(jobId)).to.deep.equal({
      ...{ market: 'SPOT', state: 'LAUNCHING', fence_cause: 'SPOT_UNAVAILABLE' },
    });
    const next: InstanceLaunch = { ...launchOf(jobId), generation: 3, market: 'ON_DEMAND' };
    expect(await launch(provider, next), 'the job queues again').to.deep.equal({ state: 'exhausted' });
    left.onDemand = 1;
    expect(await launch(provider, { ...next, generation: 4 })).to.deep.equal({ state: 'asked' });
    expect(asked).to.deep.equal(['SPOT', 'SPOT', 'ON_DEMAND', 'ON_DEMAND']);
    expect(await home.db.query('select 1 from recoveries where job_id = $1', [jobId])).to.deep.equal([]);
  });
});
