/**
 * The status of a job is read by one statement, so that counts, money and state belong together. Only the place in the
 * queue and the price of finishing are read apart, because the order of granting yields the one and the tool the other. The
 * version of a status changes with everything that the status shows, except the expected end, the forecast, the place in the queue and what
 * finishing takes, which change by themselves; a long poll waits for another
 * version. A task that starts does not write the job's row, which is the busiest row of all, so the version also names how
 * many tasks run, how far these tasks are, and the instances.
 */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../domain/access.ts';
import { RESUMABLE_STATES } from '../../domain/job-state.ts';
import type { JobWatch, Watcher } from '../events/job-watch.ts';
import { MAY_PAUSE_SQL } from '../job-records/pending-pause.ts';
import type { QueueView } from '../job-records/queue-place.ts';
import { exactTime } from '../exact-time.ts';
import { TERMINAL_SQL } from '../job-state-sql.ts';
import { STATUS_REASON } from '../full-store.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from './owned.ts';
import { forecastOfRow, uncoveredForecast } from './forecast.ts';
import { presentStatus } from './present-status.ts';
import type { StatusRow } from './present-status.ts';
import { NOTHING_TO_FINISH } from './to-finish.ts';
import type { ReadToFinish } from './to-finish.ts';
import { CONTROL_MISSED } from '../../domain/required-control.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { needsVerifiedTasks, verifiedTasks } from '../prices/verified.ts';
import type { JobStatusResponse } from '../../domain/answers.ts';

/** The version that the caller knows, and how long to wait for another version. */
export interface StatusWait {
  readonly knownVersion?: string;
  readonly waitSeconds?: number;
}

/** A status with its version. */
export interface VersionedStatus {
  readonly version: string;
  readonly status: JobStatusResponse;
}

/** The database, the view of the queue, the watch that wakes long polls, and the tools. */
export interface StatusDependencies {
  readonly db: DataSource;
  readonly queue: QueueView;
  readonly watch: JobWatch;
  readonly tools: ToolRegistry;
  readonly toFinish: ReadToFinish;
}

/** SQL: the states in which a job goes on by itself, once its tasks are known. */
const GOES_ON_SQL = `('QUEUED', 'PROVISIONING', 'RUNNING', 'RECOVERING')`;
const SHOWN_FAILURES = 20;
const SHOWN_RECOVERIES = 50;

/** Reads a status, after waiting while the version is the one that the caller knows. @throws NOT_FOUND. */
export async function jobStatus(
  { db, queue, watch, tools, toFinish }: StatusDependencies,
  actor: Actor,
  jobId: string,
  wait: StatusWait,
): Promise<VersionedStatus> {
  const owned = ownedJob(actor, jobId);
  await awaitChange(db, watch.join(jobId), owned, wait);
  const [row] = await db.query<(StatusRow & VersionRow)[]>(STATUS, [...owned]);
  if (row === undefined) throw jobNotFound();
  const request = { jobId, execution: row.execution };
  const place = row.status === 'QUEUED' ? await queue.placeOf(request) : null;
  const isStopped = RESUMABLE_STATES.some((state) => state === row.status);
  const left = isStopped ? await toFinish(actor, jobId) : NOTHING_TO_FINISH;
  const forecast = forecastOfRow(row);
  const uncovered = forecast === null ? null : await uncoveredForecast(db, actor, jobId, { row, forecast });
  return {
    version: versionOf(row),
    status: presentStatus(tools, row, { place, toFinish: left, forecast, warning: uncovered }),
  };
}

/** Returns once the version is another than the known one, or when the time is over. */
async function awaitChange(
  db: DataSource,
  watcher: Watcher,
  owned: readonly [string, string],
  { knownVersion, waitSeconds = 0 }: StatusWait,
): Promise<void> {
  const until = performance.now() + waitSeconds * 1000;
  try {
    // The watcher notices what changes from here on, so no change falls between the look and the wait.
    while (knownVersion !== undefined && performance.now() < until) {
      if ((await readVersion(db, owned)) !== knownVersion) return;
      // A timer may fire a millisecond early, and the wait would end with one more look.
      await watcher.next(Math.max(1, Math.ceil(until - performance.now()) + 1));
    }
  } finally {
    watcher.leave();
  }
}

async function readVersion(db: DataSource, owned: readonly [string, string]): Promise<string> {
  const [row] = await db.query<VersionRow[]>(VERSION, [...owned]);
  if (row === undefined) throw jobNotFound();
  return versionOf(row);
}

interface VersionRow extends Pick<StatusRow, 'version' | 'running' | 'running_percent'> {
  /** How many instances there are, and a digest of what is shown of them. */
  readonly instances_version: string;
}

function versionOf(row: VersionRow): string {
  const { version, running, running_percent: percent, instances_version: instances } = row;
  return [version, running, Math.round(percent * 10), instances].join('-');
}

const ALIVE = `i.job_id = j.id and i.fenced_at is null and i.state <> 'TERMINATED'`;
/** State in which an instance is shown. */
const INSTANCE_STATE = `case when i.drained_at is not null then 'LEAVING' when i.last_contact_at is null then 'STARTING' else 'WORKING' end`;

const INSTANCES_VERSION = `
  (select count(*)::text || coalesce(left(md5(string_agg(
      concat_ws(' ', i.slot, i.generation, i.instance_type, i.zone, ${INSTANCE_STATE}), ',' order by i.slot, i.generation)), 8), '')
    from instances i where ${ALIVE}) as instances_version`;

const INSTANCES = `
  (select coalesce(jsonb_agg(jsonb_build_object('slot', i.slot, 'generation', i.generation, 'state', ${INSTANCE_STATE},
      'type', i.instance_type, 'market', i.market, 'zone', i.zone, 'gpus', i.gpus, 'since', ${exactTime('i.launched_at')})
      order by i.slot, i.generation), '[]')
    from instances i where ${ALIVE}) as instances`;

const RUNNING = `
  cross join lateral (
    select count(*)::int as tasks, coalesce(sum(progress_percent), 0)::float8 as percent from tasks t
    where t.job_id = j.id and t.state = 'RUNNING' and t.kind = 'task') running`;

/** Of an execution that goes on with a job: how long its tasks run, and how many were verified before; no rows of first executions are read. */
const RESUMED = `
  left join lateral (
    select extract(epoch from now() - min(t.started_at) filter (where t.execution = j.execution and t.state <> 'PENDING'))::float8 as seconds,
      count(*) filter (where t.state = 'SUCCEEDED' and t.execution < j.execution)::int as tasks_before
    from tasks t where j.execution > 1 and t.job_id = j.id and t.kind = 'task') resumed on j.execution > 1`;

/** Of a measured execution that runs: what its forecast is made from. Progress below a percent says nothing, nor does a result that was reused. */
const SEEN_WORK = `
  left join lateral (
    select count(*) filter (where s.state = 'SUCCEEDED' and s.metered_ms is not null)::int as "verifiedTasks",
      coalesce(sum(s.metered_ms) filter (where s.state = 'SUCCEEDED'), 0)::float8 as "verifiedMs",
      count(*) filter (where s.moves)::int as "movingTasks",
      coalesce(sum(s.ms) filter (where s.moves), 0)::float8 as "movingMs",
      coalesce(sum(s.ms * 100 / s.progress_percent) filter (where s.moves), 0)::float8 as "wholeMs",
      (j.task_total - count(*) filter (where s.state in ('SUCCEEDED', 'FAILED') or s.moves))::int as "waitingTasks",
      coalesce(sum(s.paid_ms) filter (where s.state in ('PENDING', 'RUNNING')), 0)::float8 as "paidMs"
    from (select t.state, t.metered_ms, t.paid_ms, t.progress_percent,
        t.state = 'RUNNING' and t.tool_run is not null and t.progress_percent >= 1 as moves,
        t.kept_ms + 1000 * greatest(0, extract(epoch from now() - greatest(t.tool_started_at, t.checkpoint_at))) as ms
      from tasks t where t.job_id = j.id and t.kind = 'task') s) seen
  on e.quote #>> '{pricing,model}' = 'measured' and j.status in ${GOES_ON_SQL}`;

const VERSION = `
  select j.version, running.tasks as running, running.percent as running_percent, ${INSTANCES_VERSION}
  from jobs j ${RUNNING}
  where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER}`;

const STATUS = `
  select j.id, j.job_type, j.tool_id, j.job_name, j.status, j.execution, j.provider, ${STATUS_REASON} as status_reason, j.pause_reason, j.cancel_reason, j.unit,
    j.task_total, j.tasks_verified, j.tasks_failed, j.recovery_mode, j.recovery_count, j.warnings, j.version,
    j.cancel_requested_at is not null and j.status <> 'CANCELLING' and j.status not in ${TERMINAL_SQL} as is_cancel_requested,
    j.pause_reason is not null and j.status in ${MAY_PAUSE_SQL} as is_pause_requested,
    ${exactTime('j.submitted_at')} as submitted_at, ${exactTime('j.started_at')} as started_at,
    ${exactTime('j.updated_at')} as updated_at, ${exactTime('j.finished_at')} as finished_at,
    coalesce(resumed.seconds, extract(epoch from now() - j.started_at)::float8) as running_seconds, coalesce(resumed.tasks_before, 0) as tasks_before,
    e.quote, e.limit_pence, case when j.execution > 1 or ${needsVerifiedTasks('e.quote')}
      or exists (select from docking_results r where r.job_id = j.id and r.cached_from_result_id is not null)
      or j.stopped_after is not null
      or j.status_reason = '${CONTROL_MISSED}' then
      coalesce(e.charged, ${verifiedTasks('t.job_id = j.id and t.execution = j.execution')}) end as verified,
    case when seen."waitingTasks" is not null then to_jsonb(seen) end as seen_work,
    (select coalesce(sum(b.charged_micro), 0)::bigint from job_executions b where b.job_id = j.id and b.n < j.execution) as charged_before_micro,
    running.tasks as running, running.percent as running_percent, ${INSTANCES}, ${INSTANCES_VERSION},
    money.held_pence, money.extended_pence, money.charged_pence, money.released_pence,
    (select c.reason from capacity_requests c
      where c.job_id = j.id and c.execution = j.execution and c.state = 'WAITING') as queue_reason,
    (select coalesce(jsonb_agg(jsonb_build_object('at', ${exactTime('r.created_at')}, 'cause', r.cause, 'tasksKept', r.tasks_kept,
        'secondsLost', round(r.seconds_lost::numeric, 3)::float8, 'chargedCents', r.charged_pence) order by r.created_at), '[]')
      from (select * from recoveries where job_id = j.id and kind = 'LOSS' order by created_at desc limit ${SHOWN_RECOVERIES}) r) as recoveries,
    (select jsonb_build_object('tasksSetBack', coalesce(sum(tasks_requeued), 0), 'chargedCents', coalesce(sum(charged_pence), 0),
        'secondsLost', coalesce(round(sum(seconds_lost)::numeric, 3), 0)) from recoveries where job_id = j.id and kind = 'LOSS') as recovered,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'ordinal', f.ordinal, 'id', f.item_id, 'code', f.failure_code,
        'message', f.failure_message, 'attempts', f.attempts) order by f.place, f.ordinal), '[]')
      from (select t.*, case kind when 'prepare' then 0 when 'merge' then 1 when 'task' then 2 else 3 end as place from tasks t
        where t.job_id = j.id and t.state = 'FAILED' order by place, ordinal limit ${SHOWN_FAILURES}) f) as failures,
    exists (select 1 from artifacts where job_id = j.id) as outputs_available,
    (select jsonb_object_agg(s.kind, s.summary) from tasks s
      where s.job_id = j.id and s.kind in ('prepare', 'control') and s.state = 'SUCCEEDED') as steps
  from jobs j
  join job_executions e on e.job_id = j.id and e.n = j.execution ${RUNNING} ${RESUMED} ${SEEN_WORK}
  cross join lateral (
    select coalesce(sum(held_pence), 0)::bigint as held_pence,
      coalesce(sum(extended_pence) filter (where execution = j.execution), 0)::bigint as extended_pence, coalesce(sum(charged_pence), 0)::bigint as charged_pence,
      coalesce(sum(released_pence), 0)::bigint as released_pence from holds h where h.job_id = j.id) money
  where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER}`;
