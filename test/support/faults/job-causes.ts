/**
 * Faults of jobs, instances and schedules, by the alerts that they make true. A fault happens as it would; where an alert means that
 * it has lasted for hours, the hours are passed over by the one time from which the service counts them.
 */
import { loadConfig } from '../../../src/config.ts';
import { signInstanceToken } from '../../../src/services/execution/instances/token.ts';
import { until } from '../until.ts';
import type { FaultCause } from './causes.ts';
import { guestOf } from './guest.ts';
import { instanceOf, reaches, submitNoop, untilRunning } from './jobs.ts';
import type { FaultJob } from './jobs.ts';
import { RawWorker } from './raw-worker.ts';
import { round } from './rounds.ts';
import type { FaultWorld } from './world.ts';

const MOST_LOST = 20;

async function cancelled(world: FaultWorld, jobs: readonly FaultJob[]): Promise<void> {
  await Promise.all(jobs.map(({ jobId, customer }) => customer.client.cancel(jobId)));
  for (const job of jobs) await reaches(world, job, 'CANCELLED');
}

/** Kills every instance that is seen, the ones that boot, too, until so many were lost. */
async function killInstances(world: FaultWorld, lost: number): Promise<void> {
  await until(
    `${String(lost)} instances are lost`,
    async () => {
      const alive = await world.rows<{ provider_id: string }>(
        `select provider_id from instances where state <> 'TERMINATED' and provider_id is not null`,
      );
      for (const { provider_id: id } of alive)
        if (world.stack.pid(`instance/${id}`) !== undefined) world.stack.kill(`instance/${id}`);
      const [row] = await world.rows<{ n: number }>(
        `select count(*)::int as n from recoveries where kind = 'LOSS' and created_at > now() - interval '1 hour'`,
      );
      return (row?.n ?? 0) >= lost;
    },
    240_000,
  );
}

/** Faults of jobs and instances. */
export const JOB_FAULTS: Readonly<Record<string, FaultCause>> = {
  JobStuck: async ({ world }) => {
    await world.stack.stopChild('compute');
    const job = await submitNoop(world, { tasks: 1, seconds: 0 });
    await reaches(world, job, 'PROVISIONING');
    await world.rows(`update jobs set status_at = status_at - interval '1 hour' where id = $1`, [job.jobId]);
    return async () => {
      await world.stack.startChild('compute');
      await reaches(world, job, 'SUCCEEDED');
    };
  },
  QueueLong: async ({ world }) => {
    const customer = await world.customer();
    // The account may have four vCPUs, and each job takes two.
    const jobs: FaultJob[] = [];
    for (let n = 0; n < 3; n += 1) jobs.push(await submitNoop(world, { tasks: 2, seconds: 600 }, customer));
    // A request that is granted waits for a moment, too, so the others must have theirs first.
    const states = (): Promise<{ state: string }[]> =>
      world.rows('select state from capacity_requests where job_id = any($1) order by state', [
        jobs.map(({ jobId }) => jobId),
      ]);
    await until(
      'two have what they need, and one waits',
      async () => (await states()).map(({ state }) => state).join() === 'GRANTED,GRANTED,WAITING',
    );
    await world.rows(
      `update capacity_requests set requested_at = requested_at - interval '3 hours' where state = 'WAITING'`,
    );
    return () => cancelled(world, jobs);
  },
  GrantedNotLaunched: async ({ world }) => {
    // One launch at a time is asked of the host, which answers none; the others have their grants and wait.
    world.stack.pause('compute');
    const jobs = await Promise.all([1, 2, 3, 4].map(() => submitNoop(world, { tasks: 2, seconds: 0 })));
    return async () => {
      world.stack.resume('compute');
      for (const job of jobs) await reaches(world, job, 'SUCCEEDED');
    };
  },
  'InstancesLost, LaunchesFail': async ({ world }) => {
    const jobs = await Promise.all(
      [1, 2, 3, 4].map(() => submitNoop(world, { tasks: 2, seconds: 600, mode: 'resumable' })),
    );
    await killInstances(world, MOST_LOST + 1);
    return async () => {
      await cancelled(world, jobs);
      await world.rows(`update recoveries set created_at = created_at - interval '2 hours'`);
      await world.rows(`update instances set launched_at = launched_at - interval '2 hours'`);
    };
  },
  InstancesIdle: async ({ world }) => {
    // The database takes no claim, so an instance is there and gets no task.
    await world.rows(`create function test_no_claim() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`);
    await world.rows(`create trigger test_no_claim before update on tasks for each row
      when (new.state = 'RUNNING') execute function test_no_claim()`);
    const job = await submitNoop(world, { tasks: 2, seconds: 0 });
    await reaches(world, job, 'RUNNING');
    return async () => {
      await world.rows('drop function test_no_claim cascade');
      await reaches(world, job, 'SUCCEEDED');
    };
  },
  FalseRecoveries: async ({ world }) => {
    const job = await submitNoop(world, { tasks: 1, seconds: 600, mode: 'resumable' });
    for (let generation = 1; generation <= 4; generation += 1) {
      await untilRunning(world, job);
      const name = await instanceOf(world, job);
      // The instance hangs, is replaced for its silence, and comes back as the machine of a network that was cut would.
      world.stack.pause(name);
      await until(
        'the instance is replaced',
        async () => {
          const [row] = await world.rows<{ fenced: boolean }>(
            'select fenced_at is not null as fenced from instances where job_id = $1 and generation = $2',
            [job.jobId, generation],
          );
          return row?.fenced === true;
        },
        60_000,
      );
      await guestOf(world, { jobId: job.jobId, slot: 0, generation }).post('/v1/contact', { running: [] });
    }
    return () => cancelled(world, [job]);
  },
  InstanceTriesMore: async ({ world }) => {
    const job = await submitNoop(world, { tasks: 1, seconds: 600 });
    await untilRunning(world, job);
    const { secret } = loadConfig('gateway', world.stack.env);
    const expiresAt = Math.floor(Date.now() / 1000) + 600;
    const token = signInstanceToken(secret, { jobId: job.jobId, slot: 0, generation: 1, expiresAt });
    const worker = new RawWorker(world.stack.gatewayUrl, token);
    await worker.code('PollActivityTaskQueue', worker.poll('control'));
    worker.close();
    return () => cancelled(world, [job]);
  },
  ScheduleLate: async ({ world }) => {
    const handle = (await world.temporal()).schedule.getHandle('sweep');
    await handle.pause('by the test');
    await until(
      'the last round is over',
      async () => (await handle.describe()).info.runningActions.length === 0,
    );
    await world.rows(
      `update schedule_rounds set succeeded_at = succeeded_at - interval '1 hour' where schedule = 'sweep'`,
    );
    return () => handle.unpause();
  },
};

/** Faults of what lies outside: the source of exchange rates and the provider of payments. */
export const OUTSIDE_FAULTS: Readonly<Record<string, FaultCause>> = {
  ExchangeRateOld: async ({ world, rates }) => {
    const states = async (): Promise<readonly string[]> =>
      (await world.rows<{ state: string }>('select state from fx_rates')).map(({ state }) => state);
    rates.answer = '{"rate":1.2}';
    await until('the jump waits', async () => {
      await round(world, 'fx-rate');
      return (await states()).includes('PENDING');
    });
    return async () => {
      rates.answer = '{"rate":0.8}';
      await until('the jump is over', async () => {
        await round(world, 'fx-rate');
        return !(await states()).includes('PENDING');
      });
    };
  },
  ScheduleFails: async ({ world, rates }) => {
    const failures = async (): Promise<number> => {
      const [row] = await world.rows<{ failures: number }>(
        `select failures from schedule_rounds where schedule = 'fx-rate'`,
      );
      return row?.failures ?? 0;
    };
    const { answer } = rates;
    rates.answer = 'no rate';
    await until(
      'three rounds have failed',
      async () => {
        await round(world, 'fx-rate');
        return (await failures()) > 2;
      },
      120_000,
    );
    return async () => {
      rates.answer = answer;
      await until(
        'a round succeeds',
        async () => {
          await round(world, 'fx-rate');
          return (await failures()) === 0;
        },
        120_000,
      );
    };
  },
  BooksDisagree: async ({ world, stripe }) => {
    const { key } = await world.customer();
    const bought = await fetch(`${world.stack.apiUrl}/api/v1/credits/topup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tierId: 'topup-10' }),
    });
    if (!bought.ok) throw new Error(`The top-up was refused: ${await bought.text()}`);
    const payment = { object: 'charge', payment_intent: 'pi_of_nobody' };
    const found = (n: number): Promise<void> =>
      until(
        `${String(n)} differences`,
        async () => {
          await round(world, 'reconciliation');
          // A movement of this moment may still be under way at the provider, so it becomes one of two hours ago.
          await world.rows(
            `update provider_transactions set created_at = now() - interval '2 hours' where created_at > now() - interval '1 hour'`,
          );
          const [row] = await world.rows<{ n: number }>(
            'select count(*)::int as n from reconciliation_differences where ended_at is null',
          );
          return row?.n === n;
        },
        120_000,
      );
    stripe.returns.move('charge', 77, { id: 'ch_of_nobody', ...payment });
    await found(1);
    return async () => {
      stripe.returns.move('refund', -77, { id: 're_of_nobody', ...payment, object: 'refund' });
      await found(0);
    };
  },
};
