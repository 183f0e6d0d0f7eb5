/**
 * State of the deployment: jobs by state, the queue for capacity, holds, instances and recoveries. Each number comes from an
 * index over open rows, so ten thousand jobs that have ended cost nothing. Holds are found by their open jobs, because an index
 * over open holds would be one write more in every reservation and every settlement.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import type { Row } from '../row.ts';

/** Open jobs in one state, and for how long the oldest has been there. */
export interface JobsInState {
  readonly status: string;
  /** Why jobs are paused; empty in other states. */
  readonly pauseReason: string;
  readonly jobs: number;
  readonly oldestSeconds: number;
}

/** Requests for capacity that wait, of one priority and one class of instances. */
export interface WaitingRequests {
  /** `high` for plans that are granted first, `low` for the others. */
  readonly priority: 'high' | 'low';
  /** The class of the instances that are waited for. */
  readonly instanceClass: string;
  readonly requests: number;
  readonly oldestSeconds: number;
}

/** The whole standing. */
export interface Standing {
  readonly jobs: readonly JobsInState[];
  readonly waiting: readonly WaitingRequests[];
  readonly grantedVcpus: number;
  readonly grantedGpus: number;
  /** Seats that are granted, by software. */
  readonly grantedSeats: readonly { readonly software: string; readonly seats: number }[];
  /** vCPUs of instances that are not ended. */
  readonly launchedVcpus: number;
  readonly instances: readonly { readonly state: string; readonly count: number }[];
  readonly holds: { readonly count: number; readonly pence: number };
  /** Mails of alerts that were not taken, again and again. */
  readonly mailsUnsent: number;
  /** Payments that do not agree with their top-ups. */
  readonly topupsParked: number;
  /** Recoveries of the last hour by cause. */
  readonly recoveries: readonly { readonly cause: string; readonly count: number }[];
}

const age = (column: string): string => `extract(epoch from now() - min(${column}))::float8`;

const JOBS = `
  select status, case when status = 'PAUSED' then coalesce(pause_reason, '') else '' end as pause_reason, count(*)::int as jobs, ${age('status_at')} as oldest
  from jobs where finished_at is null group by 1, 2`;
const WAITING = `
  select case when priority > 0 then 'high' else 'low' end as priority, class, count(*)::int as requests, ${age('requested_at')} as oldest
  from capacity_requests where state = 'WAITING' group by 1, 2`;
const SUMS = `
  select (select coalesce(sum(vcpus), 0)::int from capacity_requests where state = 'GRANTED') as granted,
    (select coalesce(sum(gpus), 0)::int from capacity_requests where state = 'GRANTED') as gpus,
    (select coalesce(sum(vcpus), 0)::int from instances where state <> 'TERMINATED') as launched,
    (select count(*)::int from alert_mails m join alerts a on a.id = m.alert_id
      where m.sent_at is null and m.attempts >= 3 and a.created_at > now() - interval '1 day') as mails,
    (select count(*)::int from topups where parked is not null and created_at > now() - interval '3 days') as parked,
    open.holds, open.pence
  from (select count(*)::int as holds, coalesce(sum(h.held_pence), 0)::float8 as pence
    from jobs j join holds h on h.job_id = j.id and h.execution = j.execution
    where j.finished_at is null and h.state = 'OPEN') open`;
const SEATS = `
  select licence as software, sum(seats)::int as seats from capacity_requests where state = 'GRANTED' and licence <> '' group by 1`;
const INSTANCES = `select state, count(*)::int as count from instances where state <> 'TERMINATED' group by 1`;
const RECOVERIES = `
  select cause, count(*)::int as count from recoveries where kind = 'LOSS' and created_at > now() - interval '1 hour' group by 1 order by 2 desc limit 20`;

interface Sums {
  readonly granted: number;
  readonly gpus: number;
  readonly launched: number;
  readonly holds: number;
  readonly pence: number;
  readonly mails: number;
  readonly parked: number;
}

/** Reads where the deployment stands. */
export async function readStanding(db: DataSource): Promise<Standing> {
  const jobs = await db.query<(Row<Job, 'status'> & JobRow)[]>(JOBS);
  const waiting = await db.query<WaitingRow[]>(WAITING);
  const [sums] = await db.query<Sums[]>(SUMS);
  return {
    jobs: jobs.map(({ status, pause_reason: pauseReason, jobs: count, oldest }) => ({
      status,
      pauseReason,
      jobs: count,
      oldestSeconds: oldest,
    })),
    waiting: waiting.map(({ priority, class: instanceClass, requests, oldest }) => ({
      priority,
      instanceClass,
      requests,
      oldestSeconds: oldest,
    })),
    grantedVcpus: sums?.granted ?? 0,
    grantedGpus: sums?.gpus ?? 0,
    grantedSeats: await db.query<Standing['grantedSeats'][number][]>(SEATS),
    launchedVcpus: sums?.launched ?? 0,
    instances: await db.query<Standing['instances'][number][]>(INSTANCES),
    mailsUnsent: sums?.mails ?? 0,
    topupsParked: sums?.parked ?? 0,
    holds: { count: sums?.holds ?? 0, pence: sums?.pence ?? 0 },
    recoveries: await db.query<Standing['recoveries'][number][]>(RECOVERIES),
  };
}

interface JobRow {
  readonly pause_reason: string;
  readonly jobs: number;
  readonly oldest: number;
}

interface WaitingRow extends Pick<WaitingRequests, 'priority' | 'requests'> {
  readonly class: string;
  readonly oldest: number;
}
