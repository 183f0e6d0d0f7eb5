/** Many jobs of an account as rows: each has one instance, 0.1, and one task, which runs on the instance. */
import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

/** Makes so many jobs of the account of an open job; answers their ids. */
export async function oneInstanceJobs(db: DataSource, like: string, count: number): Promise<string[]> {
  const jobIds = Array.from({ length: count }, () => randomUUID());
  await db.query(
    `insert into jobs (id, account_id, user_id, job_type, tool_id, provider, status, request, fingerprint, submit_response, first_run_id, unit, task_total)
     select made.id, j.account_id, j.user_id, j.job_type, j.tool_id, j.provider, 'RUNNING', '{}', '', '{}', '', 'task', 1
     from jobs j, unnest($2::uuid[]) as made (id) where j.id = $1`,
    [like, jobIds],
  );
  await db.query(
    `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus)
     select id, 0, 1, 'local', 'token of ' || id, 'RUNNING', 2 from unnest($1::uuid[]) id`,
    [jobIds],
  );
  await db.query(
    `insert into tasks (job_id, kind, ordinal, item_id, state, attempts, slot, generation, started_at)
     select id, 'task', 0, 'only', 'RUNNING', 1, 0, 1, now() from unnest($1::uuid[]) id`,
    [jobIds],
  );
  return jobIds;
}
