/** Faults of processes, tools and stores, by the alerts that they make true. */
import { randomUUID } from 'node:crypto';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { createJobWorkflows } from '../../../src/adapters/temporal/client.ts';
import { loadConfig } from '../../../src/config.ts';
import { pauseJob } from '../../../src/services/operator.ts';
import type { TestRedis } from '../redis.ts';
import type { StripeStandIn } from '../stripe.ts';
import { unsentAndParked } from '../promql/standing.ts';
import { sessionOf } from '../session-of.ts';
import { until } from '../until.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { bootstrap } from './guest.ts';
import { JOB_FAULTS, OUTSIDE_FAULTS } from './job-causes.ts';
import { reaches, submitNoop } from './jobs.ts';
import { round } from './rounds.ts';
import type { FaultWorld } from './world.ts';

/** Makes alerts true by a fault; it answers what ends the fault. */
export type FaultCause = (parts: {
  readonly world: FaultWorld;
  readonly redis: TestRedis;
  /** Answer of the source of exchange rates. */
  readonly rates: { answer: string };
  readonly stripe: StripeStandIn;
}) => Promise<() => Promise<unknown>>;

const SWEEP_PAUSE_MS = 300;
const NOTHING = (): Promise<void> => Promise.resolve();

/** Changes whatever is staged until it is stopped, as a store or an instance that lies would. */
function tamper(world: FaultWorld, jobId: string): () => Promise<void> {
  const folder = world.fileOf(`staging/${jobId}`);
  let isOn = true;
  const done = (async () => {
    while (isOn) {
      const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      for (const file of found)
        if (file.isFile()) await appendFile(join(file.parentPath, file.name), 'x').catch(NOTHING);
      await sleep(20);
    }
  })();
  return async () => {
    isOn = false;
    await done;
  };
}

async function withoutChild(
  { stack }: FaultWorld,
  name: Parameters<FaultWorld['stack']['stopChild']>[0],
): Promise<() => Promise<unknown>> {
  await stack.stopChild(name);
  return () => stack.startChild(name);
}

/** Faults of processes, tools and stores, as they happen. */
export const FAULTS = {
  // The wrong sum in the database is the fault itself.
  'LedgerAuditFails, LedgerImbalance': async ({ world }) => {
    const { accountId } = await world.customer();
    const change = (pence: number): Promise<unknown> =>
      world.db.query(`set session_replication_role = 'replica';
        update ledger_balances set wallet = wallet + (${String(pence)}) where account_id = '${accountId}';
        set session_replication_role = 'origin'`);
    await change(1);
    await round(world, 'ledger-audit');
    return async () => {
      await change(-1);
      // A round that is asked for while another one runs is not made.
      await until('an audit finds nothing', async () => {
        await round(world, 'ledger-audit');
        const [row] = await world.rows<{ failures: number }>(
          `select failures from schedule_rounds where schedule = 'ledger-audit'`,
        );
        return row?.failures === 0;
      });
    };
  },
  'OutputsBad, TasksGivenUp': async ({ world }) => {
    const job = await submitNoop(world, { tasks: 1, seconds: 0.2 });
    const stop = tamper(world, job.jobId);
    await reaches(world, job, 'FAILED');
    return stop;
  },
  JobsPausedForOperator: async ({ world }) => {
    const job = await submitNoop(world, { tasks: 60, seconds: 1 });
    await reaches(world, job, 'RUNNING');
    const workflows = createJobWorkflows(loadConfig('cli', world.stack.env));
    const takeUp = (): Promise<boolean> => Promise.resolve(false);
    try {
      await pauseJob({ db: world.db, workflows, takeUp }, job.jobId);
    } finally {
      await workflows.close();
    }
    await reaches(world, job, 'PAUSED');
    return () => job.customer.client.cancel(job.jobId);
  },
  BootsSlow: async ({ world }) => {
    // As if the boot had taken six minutes: with the first contact the launch is noted that much earlier.
    await world.rows(`create function test_slow_boot() returns trigger language plpgsql as
      $$ begin new.launched_at := now() - interval '6 minutes'; return new; end $$`);
    await world.rows(`create trigger test_slow_boot before update of last_contact_at on instances for each row
      when (old.last_contact_at is null) execute function test_slow_boot()`);
    const job = await submitNoop(world, { tasks: 1, seconds: 0 });
    await reaches(world, job, 'SUCCEEDED');
    return () => world.rows('drop function test_slow_boot cascade');
  },
  CredentialsMisused: async ({ world }) => {
    await bootstrap(world.stack.gatewayUrl, 'dkb1.e30.forged', 'a-nonce-of-the-test');
    return NOTHING;
  },
  WorkflowTasksFail: async ({ world }) => {
    const { workflow } = await world.temporal();
    // No release can go on with such a start.
    const handles = await Promise.all(
      Array.from({ length: 4 }, () =>
        workflow.start('job', { taskQueue: 'control', workflowId: `job/${randomUUID()}`, args: [{}] }),
      ),
    );
    return () => Promise.all(handles.map((handle) => handle.terminate('the test is over')));
  },
  'ProviderFails, SweepStepFails': async ({ world }) => {
    await world.stack.stopChild('compute');
    // The sweeps of the schedule alone would be too few for the window, which passes sooner on a quick machine.
    const end = new AbortController();
    const sweeps = (async () => {
      while (!end.signal.aborted) {
        await round(world, 'sweep');
        await sleep(SWEEP_PAUSE_MS);
      }
    })();
    return async () => {
      end.abort();
      await sweeps;
      await world.stack.startChild('compute');
    };
  },
  RequestsFail: async ({ world }) => {
    await world.stack.stopChild('gateway');
    return () => world.stack.startChild('gateway');
  },
  'ApiGone, ProcessDown': ({ world }) => withoutChild(world, 'api'),
  GatewayGone: ({ world }) => withoutChild(world, 'gateway'),
  ControlGone: ({ world }) => withoutChild(world, 'control'),
  DependencyAway: ({ world }) => withoutChild(world, 'storage'),
  'MailsUnsent, TopupsParked': async ({ world }) =>
    unsentAndParked(world.db, (await world.customer()).accountId),
  // The events of a job, and what is due of them, are left alone while their rows are locked.
  'FanOutLate, WebhooksLate': async ({ world }) => {
    const receiver = await new WebhookReceiver().open();
    const customer = await world.customer();
    const { headers } = await sessionOf(world, customer.accountId);
    const made = await fetch(`${world.stack.apiUrl}/api/v1/webhooks`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ url: receiver.url, types: ['job.succeeded'] }),
    });
    const { id, ...refusal } = (await made.json()) as { readonly id?: string };
    if (id === undefined) throw new Error(`No webhook was made: ${JSON.stringify(refusal)}`);
    const client = new pg.Client({ connectionString: world.stack.env['DOCKYARD_DATABASE_URL'] });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from webhooks where id = $1 for no key update', [id]);
    await reaches(world, await submitNoop(world, { tasks: 1, seconds: 0 }, customer), 'SUCCEEDED');
    await until('the delivery is made', async () => {
      const moved = await world.rows(
        `with moved as (
           update webhook_deliveries set due_at = due_at - interval '10 minutes' where webhook_id = $1 returning 1)
         select 1 from moved`,
        [id],
      );
      return moved.length > 0;
    });
    await client.query('select 1 from webhook_fan_out for update');
    await reaches(world, await submitNoop(world, { tasks: 1, seconds: 0 }, customer), 'SUCCEEDED');
    await world.rows(
      `update events set at = at - interval '10 minutes' where id is null or id > (select position from webhook_fan_out)`,
    );
    return async () => {
      await client.query('rollback');
      await client.end();
      // The event that is older than the webhook now is none of its events.
      await until('what was due has come', () => receiver.ids.length > 0);
      await receiver.close();
    };
  },
  SharedLimitsAway: async ({ redis }) => {
    await redis.kill();
    return () => redis.start();
  },
  ControlQueueSlow: async ({ world }) => {
    const client = new pg.Client({ connectionString: world.stack.env['DOCKYARD_DATABASE_URL'] });
    await client.connect();
    await client.query('begin; lock table capacity_requests in share row exclusive mode');
    // Each job that is admitted takes one of the two slots and keeps it; what comes then waits.
    const jobs = [1, 2, 3, 4].map(() => submitNoop(world, { tasks: 1, seconds: 0 }).catch(() => null));
    return async () => {
      await client.query('rollback');
      await client.end();
      for (const job of await Promise.all(jobs)) if (job !== null) await reaches(world, job, 'SUCCEEDED');
    };
  },
  ...JOB_FAULTS,
  ...OUTSIDE_FAULTS,
  EventLoopSlow: async ({ world }) => {
    world.stack.pause('control');
    await sleep(1_500);
    world.stack.resume('control');
    return NOTHING;
  },
} satisfies Readonly<Record<string, FaultCause>>;
