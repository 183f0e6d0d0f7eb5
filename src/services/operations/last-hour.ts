/**
 * Work of instances in the last hour, and now. Each number comes from an index over a time or over open rows, so old rows cost
 * nothing, every process answers the same, and a restart forgets nothing.
 */
import type { DataSource } from 'typeorm';

import { LOSS_WORDS } from '../../domain/codes/jobs.ts';

/** Work of an instance that has not ended: it boots, runs at least one task, or is paid for nothing. */
export const INSTANCE_WORK = ['starting', 'at_work', 'idle'] as const;
/** Work of an instance. */
export type InstanceWork = (typeof INSTANCE_WORK)[number];

/** Why instances are given up; the list is closed, so that no text can make the number of series grow. */
export const LOSS_CAUSES: readonly string[] = Object.keys(LOSS_WORDS);

/** Counts of the last hour, and the present work of instances. */
export interface LastHour {
  /** Requests for capacity that were granted vCPUs, or more of them. */
  readonly grants: number;
  readonly launches: number;
  /** Generations that were launched and given up without a single contact. */
  readonly launchFailures: readonly { readonly cause: string; readonly count: number }[];
  /** Tasks and steps that are run again because their instance was lost. */
  readonly tasksRedone: number;
  readonly work: readonly { readonly work: InstanceWork; readonly count: number }[];
}

const HOUR = `now() - interval '1 hour'`;

const COUNTS = `
  select (select count(*)::int from capacity_requests where granted_at > ${HOUR}) as grants,
    (select count(*)::int from instances where launched_at > ${HOUR}) as launches,
    (select coalesce(sum(tasks_requeued), 0)::int from recoveries where created_at > ${HOUR}) as redone`;
const LAUNCH_FAILURES = `
  select fence_cause as cause, count(*)::int as count from instances
  where launched_at > ${HOUR} and last_contact_at is null and fence_cause = any($1) group by 1`;
const WORK = `
  with live as (select job_id, slot, generation, last_contact_at from instances where state <> 'TERMINATED'),
  busy as (select distinct t.job_id, t.slot, t.generation from (select distinct job_id from live) j
    join tasks t on t.job_id = j.job_id and t.state = 'RUNNING')
  select case when live.last_contact_at is null then 'starting' when busy.job_id is null then 'idle' else 'at_work' end as work,
    count(*)::int as count
  from live left join busy using (job_id, slot, generation) group by 1`;

interface Counts {
  readonly grants: number;
  readonly launches: number;
  readonly redone: number;
}

/** Reads the last hour. */
export async function readLastHour(db: DataSource): Promise<LastHour> {
  const [counts] = await db.query<Counts[]>(COUNTS);
  return {
    grants: counts?.grants ?? 0,
    launches: counts?.launches ?? 0,
    tasksRedone: counts?.redone ?? 0,
    launchFailures: await db.query<LastHour['launchFailures'][number][]>(LAUNCH_FAILURES, [LOSS_CAUSES]),
    work: await db.query<LastHour['work'][number][]>(WORK),
  };
}
