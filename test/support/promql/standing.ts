/** Rows as they stand after a fault that lasts, by the alerts that they make true. */
import { randomUUID } from 'node:crypto';

import { fanOut } from '../../../src/services/webhooks/index.ts';
import { runningJob } from '../running-job.ts';
import type { JobHome } from '../running-job.ts';

/** Makes alerts true by rows; it answers what makes the rows as they were. */
export type StandingCause = (home: JobHome) => Promise<() => Promise<unknown>>;

/** A job in the database that no workflow works on, in a state and with an instance of its own. */
export async function jobIn(home: JobHome, status: string): Promise<string> {
  const { jobId } = await runningJob(home);
  await home.db.query(`update jobs set status = $2 where id = $1`, [jobId, status]);
  return jobId;
}

/** Ends what `jobIn` has made. */
export function ended(home: JobHome, jobId: string): () => Promise<unknown> {
  return async () => {
    await home.db.query(`update jobs set status = 'CANCELLED', finished_at = now() where id = $1`, [jobId]);
    await home.db.query(`update instances set state = 'TERMINATED' where job_id = $1`, [jobId]);
    await home.db.query(`update tasks set state = 'CANCELLED' where job_id = $1 and state = 'RUNNING'`, [
      jobId,
    ]);
    await home.db.query(`update capacity_requests set state = 'RELEASED' where job_id = $1`, [jobId]);
  };
}

/** A mail that no server took, and a payment that differs from its top-up. */
export async function unsentAndParked(db: JobHome['db'], accountId: string): Promise<() => Promise<unknown>> {
  const [alertId, topupId] = [randomUUID(), randomUUID()];
  await db.query(
    `insert into alerts (id, account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
     values ($1, $2, 'low-balance', $2, current_date, 0, 100, 50, false)`,
    [alertId, accountId],
  );
  await db.query(
    `insert into alert_mails (alert_id, user_id, attempts, claimed_at)
     select $1, id, 3, now() from users where account_id = $2 limit 1`,
    [alertId, accountId],
  );
  await db.query(
    `insert into topups (id, account_id, tier_id, amount_pence, bonus_pence, fingerprint, success_url, cancel_url, expires_at, parked)
     values ($1, $2, 't', 100, 0, 'f', 'https://a.example', 'https://a.example', now(), 'amount')`,
    [topupId, accountId],
  );
  return async () => {
    await db.query('update alert_mails set sent_at = now() where alert_id = $1', [alertId]);
    await db.query('update topups set parked = null where id = $1', [topupId]);
  };
}

/** Rows as they stand after a fault that lasts. */
export const STANDING: Readonly<Record<string, StandingCause>> = {
  BooksDisagree: async (home) => {
    await home.db.query(
      `insert into reconciliation_differences (id, check_name, subject, detail, first_seen_at, last_seen_at)
       values ($1, 'balance', 'a payment', 'differs', now(), now())`,
      [randomUUID()],
    );
    return () => home.db.query(`update reconciliation_differences set ended_at = now()`);
  },
  ExchangeRateOld: async (home) => {
    await home.db.query(
      `insert into fx_rates (rate_micro, source, rate_date, state, fetched_at) values (900000, 'test', current_date, 'PENDING', now())`,
    );
    return () => home.db.query(`update fx_rates set state = 'SUPERSEDED' where state = 'PENDING'`);
  },
  JobStuck: async (home) => {
    const jobId = await jobIn(home, 'PROVISIONING');
    await home.db.query(`update jobs set status_at = now() - interval '1 hour' where id = $1`, [jobId]);
    return ended(home, jobId);
  },
  'QueueLong, GrantedNotLaunched': async (home) => {
    const jobId = await jobIn(home, 'QUEUED');
    await home.db.query(
      `insert into capacity_requests (job_id, execution, account_id, vcpus, priority, state, requested_at, granted_at, noticed_at)
       select id, n, account_id, 1000, 0, state, now() - interval '3 hours', now(), now()
       from jobs, (values (7, 'GRANTED'), (8, 'WAITING')) as asked (n, state) where id = $1`,
      [jobId],
    );
    return ended(home, jobId);
  },
  'InstancesLost, LaunchesFail': async (home) => {
    const jobId = await jobIn(home, 'RECOVERING');
    await home.db.query(
      `insert into recoveries (id, job_id, execution, slot, generation, cause, tasks_kept, tasks_requeued, seconds_lost)
       select gen_random_uuid(), $1, 1, 1, n, 'INSTANCE_GONE', 0, 1, 1 from generate_series(1, 21) n`,
      [jobId],
    );
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus, fenced_at, fence_cause, terminated_at)
       select $1, 1, n, 'local', gen_random_uuid(), 'TERMINATED', 1, now(), 'INSTANCE_GONE', now() from generate_series(1, 21) n`,
      [jobId],
    );
    return async () => {
      await ended(home, jobId)();
      await home.db.query(`update recoveries set created_at = now() - interval '2 hours'`);
      await home.db.query(`update instances set launched_at = now() - interval '2 hours'`);
    };
  },
  InstancesIdle: async (home) => {
    const jobId = await jobIn(home, 'RUNNING');
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus, last_contact_at)
       select $1, n, 1, 'local', gen_random_uuid(), 'RUNNING', 1, now() from generate_series(1, 40) n`,
      [jobId],
    );
    return ended(home, jobId);
  },
  'MailsUnsent, TopupsParked': async (home) => {
    const { accountId } = await runningJob(home);
    return unsentAndParked(home.db, accountId);
  },
  FanOutLate: async (home) => {
    const { accountId } = await runningJob(home);
    await home.db.query(
      `insert into events (account_id, kind, subject, payload, at) values ($1, 'topup.paid', 'x', '{}', now() - interval '10 minutes')`,
      [accountId],
    );
    return () => fanOut(home.db);
  },
  WebhooksLate: async (home) => {
    const { accountId } = await runningJob(home);
    const webhookId = randomUUID();
    await home.db.query(
      `insert into webhooks (id, account_id, url, types, request_sha256, created_by) values ($1, $2, 'https://a.example', '{topup.paid}', 'f', $2)`,
      [webhookId, accountId],
    );
    await home.db.query(
      `insert into webhook_deliveries (webhook_id, event_id, type, body, state, due_at, claimed_until)
       select $1, gen_random_uuid(), 'topup.paid', '{}', 'PENDING', now() - interval '10 minutes', now() - interval '1 minute' from generate_series(1, 3)`,
      [webhookId],
    );
    // A sender works on it.
    return () =>
      home.db.query(
        `update webhook_deliveries set claimed_until = now() + interval '1 minute' where webhook_id = $1`,
        [webhookId],
      );
  },
  ScheduleLate: async (home) => {
    const at = (age: string): Promise<unknown> =>
      home.db.query(
        `update schedule_rounds set succeeded_at = now() - $1::interval where schedule = 'fx-rate'`,
        [age],
      );
    await at('4 hours');
    return () => at('1 second');
  },
  ScheduleFails: async (home) => {
    const failures = (count: number): Promise<unknown> =>
      home.db.query(`update schedule_rounds set failures = $1 where schedule = 'reconciliation'`, [count]);
    await failures(3);
    return () => failures(0);
  },
};
