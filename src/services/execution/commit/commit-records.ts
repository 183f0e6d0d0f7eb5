/**
 * Records of a commit: artifacts, records, task states and the job's counts, in one transaction that checks the fence again and
 * takes the job's row first. The answer of a commit is read from the rows as they then stand, so an attempt whose work an earlier
 * one has recorded already answers what that one did.
 */
import { v7 as uuidv7 } from 'uuid';

import type { Task } from '../../../../entities/tasks.ts';
import type { InstanceClaims, StagedOutput, TaskReport } from '../../../contracts/instance.ts';
import type { WorkKind } from '../../../contracts/job.ts';
import { MAX_UNVERIFIED_ATTEMPTS } from '../../../domain/lost-output.ts';
import type { ToolRecord } from '../../../tools/tool.ts';
import { UNFENCED, fenceOf } from '../fence.ts';
import { IS_LAST_LOSS, MOST_KILLS } from '../losses.ts';
import type { Row } from '../../row.ts';
import type { Queryable, Tx } from '../../transaction.ts';
import type { OutputFault } from './bad-outputs.ts';
import type { CommittedTask, Recorder } from '../recorder.ts';
import { stopWhereDecided } from '../stop.ts';
import { recordSummaries } from './record-summaries.ts';

/** A batch of reports of one instance generation. */
export interface CommitRequest {
  readonly jobId: string;
  readonly execution: number;
  readonly slot: number;
  readonly generation: number;
  readonly kind: WorkKind;
  readonly reports: readonly TaskReport[];
}

/** The result of a batch. `redo` names the tasks whose outputs did not verify, which are to be run again. */
export interface CommitResult {
  readonly fenced: boolean;
  readonly verified: number;
  readonly failed: number;
  readonly redo: readonly number[];
  /** The job has stopped by a rule: nothing that waits is done any more. Absent for every other job. */
  readonly stopped?: true;
}

/** The report of a task that says it is complete. */
export type DoneReport = Extract<TaskReport, { end: 'done' }>;
type FailedReport = Extract<TaskReport, { end: 'failed' }>;

/** A task that runs on the reporting generation. */
export interface OpenTask {
  readonly itemId: string;
  readonly attempts: number;
}

/** An output and the key of the copy that is made of it. */
export interface OutputCopy {
  readonly output: StagedOutput;
  readonly key: string;
}

/** A report, the copies that were made of its outputs, and the verdict on these copies. */
export interface Judged {
  readonly report: DoneReport;
  readonly task: OpenTask;
  readonly copies: readonly OutputCopy[];
  /** Null when every copy verified, else why not. */
  readonly fault: OutputFault | null;
  /** Record that the tool has read of the copies; null where there is a fault or nothing to record. */
  readonly record: ToolRecord | null;
}

/** Account of a job, the recorder of its tool, and the key of its preparation. */
export interface Owner {
  readonly accountId: string;
  readonly cacheKey: string | null;
  readonly recorder: Recorder;
  /** The key of the preparation that a summary of the prepare step names. */
  readonly preparedAs: (summary: unknown) => string | null;
}

/**
 * Records of the transaction: the tasks that it, and no other attempt, decided or set back. `killed`: how many it gave up because
 * their tools were killed again and again.
 */
export interface Recorded {
  readonly result: CommitResult;
  readonly succeeded: readonly number[];
  /** Failed by what their reports say. */
  readonly failed: readonly number[];
  /** Outputs of these tasks do not count: they are to be run again, or are exhausted. */
  readonly setBack: readonly number[];
  /** Failed after their last attempt. */
  readonly exhausted: readonly number[];
  readonly killed: number;
}

/** The answer to an instance that may not act any more. */
export const FENCED: CommitResult = { fenced: true, verified: 0, failed: 0, redo: [] };

const OF_THIS_GENERATION = `t.job_id = $1 and t.kind = $2 and t.state = 'RUNNING' and t.slot = $3 and t.generation = $4`;

/** The reporting instance, in the form that the fence takes. */
export function claimsOf(request: CommitRequest): InstanceClaims {
  return { jobId: request.jobId, slot: request.slot, generation: request.generation, expiresAt: 0 };
}

/**
 * The reported tasks that are still open. A task that an earlier attempt has decided is not looked at again: its staged files are
 * gone by then, and a verified output would be taken for a missing one.
 */
export async function openTasks(
  db: Queryable,
  request: CommitRequest,
): Promise<ReadonlyMap<number, OpenTask>> {
  const rows = await db.query<Row<Task, 'ordinal' | 'itemId' | 'attempts'>[]>(
    `select ordinal, item_id, attempts from tasks t where ${OF_THIS_GENERATION} and ordinal = any($5::int[])`,
    [...taskKey(request), ordinalsOf(request.reports)],
  );
  return new Map(rows.map((row) => [row.ordinal, { itemId: row.item_id, attempts: row.attempts }]));
}

/** The one transaction: fence, artifacts, records, task states, the job's counts. */
export async function recordCommit(
  tx: Tx,
  owner: Owner,
  request: CommitRequest,
  judged: readonly Judged[],
): Promise<Recorded> {
  // The job's row is locked first, as in the settlement: in another order a commit and a settlement would deadlock.
  await tx.query('select 1 from jobs where id = $1 for no key update', [request.jobId]);
  const current = await tx.query<unknown[]>(`select 1 ${UNFENCED} for share of i`, [
    ...fenceOf(claimsOf(request)),
  ]);
  if (current.length === 0)
    return { result: FENCED, succeeded: [], failed: [], setBack: [], exhausted: [], killed: 0 };
  const good = judged.filter((one) => one.fault === null);
  const succeeded = await succeed(tx, owner, request, good);
  const { failed, killed } = await fail(tx, request);
  const back = await setBack(tx, request, judged);
  const exhausted = back.filter((row) => row.state === 'FAILED').map((row) => row.ordinal);
  if (request.kind === 'task') {
    await tx.query(COUNT, [request.jobId, succeeded.length, failed.length + exhausted.length]);
  }
  const stopped = request.kind === 'task' && (await stopWhereDecided(tx, owner.recorder, request.jobId));
  const result = { ...(await answer(tx, request)), ...(stopped ? { stopped } : {}) };
  return { result, succeeded, failed, setBack: back.map((row) => row.ordinal), exhausted, killed };
}

/** Counts decided tasks; a tenth of the job that is passed on the way is an event, and the end is told by the job's state. */
const COUNT = `
  with counted as (
    update jobs set tasks_verified = tasks_verified + $2::int, tasks_failed = tasks_failed + $3::int, version = version + 1,
      updated_at = now()
    where id = $1
    returning id, account_id, internal, version, task_total, tasks_verified, tasks_failed, tasks_verified + tasks_failed as done
  )
  insert into events (account_id, kind, subject, payload)
  select account_id, 'job.progress', id, jsonb_build_object('percent', 10 * (10 * done / task_total), 'completed', tasks_verified,
    'failed', tasks_failed, 'total', task_total, 'version', version)
  from counted
  where not internal and done < task_total and 10 * done / task_total > 10 * (done - $2::int - $3::int) / task_total`;

interface Outcome extends Row<Task, 'ordinal' | 'state'> {
  readonly digests: Readonly<Record<string, string>> | null;
}

/**
 * Answers with the states of the reported tasks. A task that succeeded counts for the report of these very outputs only. One that
 * is open again is to be run again, whichever attempt set it back: nobody else would send it.
 */
async function answer(tx: Tx, request: CommitRequest): Promise<CommitResult> {
  const rows = await tx.query<Outcome[]>(
    `select t.ordinal, t.state, (select jsonb_object_agg(a.name, a.sha256) from artifacts a
         where a.job_id = t.job_id and a.task_ordinal = t.ordinal and a.task_kind = t.kind) as digests
     from tasks t where t.job_id = $1 and t.kind = $2 and t.slot = $3 and t.generation = $4 and t.ordinal = any($5::int[])
     order by t.ordinal`,
    [...taskKey(request), ordinalsOf(request.reports)],
  );
  const reports = new Map(request.reports.map((report) => [report.ordinal, report]));
  const counts = rows.filter((row) => row.state === 'SUCCEEDED' && isOf(row, reports.get(row.ordinal)));
  const open = rows.filter((row) => row.state === 'PENDING' || row.state === 'RUNNING');
  return {
    fenced: false,
    verified: counts.length,
    failed: rows.filter((row) => row.state === 'FAILED').length,
    redo: open.map((row) => row.ordinal),
  };
}

function isOf({ digests }: Outcome, report: TaskReport | undefined): boolean {
  if (report?.end !== 'done') return false;
  const committed = digests ?? {};
  return (
    report.outputs.length === Object.keys(committed).length &&
    report.outputs.every(({ name, sha256 }) => committed[name] === sha256)
  );
}

function ordinalsOf(reports: readonly TaskReport[]): number[] {
  return reports.map((report) => report.ordinal);
}

function taskKey(request: CommitRequest): unknown[] {
  return [request.jobId, request.kind, request.slot, request.generation];
}

/**
 * The milliseconds of the tool's work that is in the result; null when the task is not measured, or its start or end was not told:
 * what the checkpoint holds, and what the last run has worked since it kept that. The seconds of the run are
 * never more than the time since the claim, nor than the instance itself says: an end that an outage kept from being told in time
 * would otherwise count the outage.
 */
const METERED_MS = `case when t.tool_run is not null and t.tool_ended_at is not null then t.kept_ms + floor(1000 * greatest(0, least(
              extract(epoch from t.tool_ended_at - t.tool_started_at), extract(epoch from clock_timestamp() - t.started_at),
              good.seconds) - greatest(0, extract(epoch from coalesce(t.checkpoint_at, t.tool_started_at) - t.tool_started_at)))) end`;

/** The class in which a task is charged: the planned one, or a lesser one of it; one that an earlier commit wrote is written over. */
const PRICE_CLASS = `case when good.class_ending is null then t.price_class
              else regexp_replace(t.price_class, ' of .*$', '') || good.class_ending end`;

async function succeed(
  tx: Tx,
  { accountId, cacheKey, preparedAs, recorder }: Owner,
  request: CommitRequest,
  good: readonly Judged[],
): Promise<number[]> {
  if (good.length === 0) return [];
  // A late commit must not decide a later attempt of the task, so the attempt that was judged is compared with the row's.
  const rows = await tx.query<Row<Task, 'ordinal' | 'itemId'>[]>(
    `with good as (select * from unnest($5::int[], $6::jsonb[], $8::int[], $9::float8[], $10::text[])
            as g (ordinal, summary, attempts, seconds, class_ending)),
          done as (update tasks t set state = 'SUCCEEDED', execution = $7, progress_percent = 100, summary = nullif(good.summary, 'null'),
            failure_code = null, failure_message = null, finished_at = now(), metered_ms = ${METERED_MS},
            price_class = ${PRICE_CLASS}
            from good where t.ordinal = good.ordinal and t.attempts = good.attempts and ${OF_THIS_GENERATION}
            returning t.ordinal, t.item_id)
     select ordinal, item_id from done`,
    [
      ...taskKey(request),
      good.map((one) => one.report.ordinal),
      good.map((one) => JSON.stringify(one.report.summary)),
      request.execution,
      good.map((one) => one.task.attempts),
      good.map((one) => one.report.seconds),
      good.map(({ record }) => (record === null ? null : recorder.classEnding(record))),
    ],
  );
  const itemOf = new Map(rows.map((row) => [row.ordinal, row.item_id]));
  const committed = good.filter((one) => itemOf.has(one.report.ordinal));
  const summaries = committed.map(({ report }) => ({
    itemId: request.kind === 'task' ? (itemOf.get(report.ordinal) ?? null) : null,
    summary: report.summary,
  }));
  await recordSummaries(tx, request.jobId, summaries, { cacheKey, preparedAs });
  await insertArtifacts(tx, accountId, request, committed, itemOf);
  if (request.kind === 'task') await recorder.committed(tx, request, recordedOf(committed, itemOf));
  return rows.map((row) => row.ordinal);
}

/** The committed tasks with a record, under the ids that the rows of the tasks have. */
function recordedOf(committed: readonly Judged[], itemOf: ReadonlyMap<number, string>): CommittedTask[] {
  return committed.flatMap(({ report: { ordinal }, record }) => {
    const itemId = itemOf.get(ordinal);
    return record === null || itemId === undefined ? [] : [{ ordinal, itemId, record }];
  });
}

async function insertArtifacts(
  tx: Tx,
  accountId: string,
  request: CommitRequest,
  committed: readonly Judged[],
  itemOf: ReadonlyMap<number, string>,
): Promise<void> {
  const rows = committed.flatMap(({ report, copies }) =>
    copies.map(({ output, key }) => ({
      id: uuidv7(),
      ordinal: report.ordinal,
      key,
      name: output.name,
      kind: output.kind,
      media_type: output.mediaType,
      format: output.format,
      byte_size: output.byteSize,
      sha256: output.sha256,
      item_id: request.kind === 'task' ? (itemOf.get(report.ordinal) ?? null) : null,
    })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256, item_id)
     select r.id, $1, $2, $3, r.ordinal, r.key, r.name, r.kind, r.media_type, r.format, r.byte_size, r.sha256, r.item_id
     from jsonb_to_recordset($4::jsonb) as r (id uuid, ordinal int, key text, name text, kind text, media_type text,
       format text, byte_size bigint, sha256 text, item_id text)
     on conflict do nothing`,
    [accountId, request.jobId, request.kind, JSON.stringify(rows)],
  );
}

/** The tool or its session was killed, and the task may be started once more. */
const AGAIN = `bad.lost and t.kills < ${String(MOST_KILLS)} and not ${IS_LAST_LOSS}`;

/**
 * Tasks whose tool failed: final, with the tool's code. One whose tool did not end by itself was lost to
 * infrastructure: it is set back, so that its next start is another attempt, until it was lost too often.
 */
async function fail(
  tx: Tx,
  request: CommitRequest,
): Promise<{ readonly failed: readonly number[]; readonly killed: number }> {
  const reports = request.reports.filter((report): report is FailedReport => report.end === 'failed');
  if (reports.length === 0) return { failed: [], killed: 0 };
  const rows = await tx.query<(Row<Task, 'ordinal'> & { readonly lost: boolean })[]>(
    `with bad as (select * from unnest($5::int[], $6::text[], $7::text[], $8::boolean[]) as b (ordinal, code, message, lost)),
          done as (update tasks t set
              state = case when ${AGAIN} then 'PENDING' else 'FAILED' end,
              losses = t.losses + bad.lost::int, kills = t.kills + bad.lost::int,
              progress_percent = case when ${AGAIN} then 0 else t.progress_percent end,
              failure_code = case when ${AGAIN} then null else bad.code end,
              failure_message = case when ${AGAIN} then null
                else bad.message || case when bad.lost then ' It was started ' || t.attempts || ' times.' else '' end end,
              finished_at = case when ${AGAIN} then null else now() end
            from bad, jobs j where j.id = t.job_id and t.ordinal = bad.ordinal and ${OF_THIS_GENERATION}
            returning t.ordinal, t.state, bad.lost)
     select ordinal, lost from done where state = 'FAILED'`,
    [
      ...taskKey(request),
      reports.map((report) => report.ordinal),
      reports.map((report) => report.code.slice(0, 64)),
      reports.map((report) => readable(report.message)),
      reports.map((report) => report.lost === true),
    ],
  );
  return {
    failed: rows.map((row) => row.ordinal),
    killed: rows.filter(({ lost }) => lost).length,
  };
}

/** Tasks whose outputs did not verify: run again, until they have had their attempts; answers what they are now. */
async function setBack(
  tx: Tx,
  request: CommitRequest,
  judged: readonly Judged[],
): Promise<readonly Row<Task, 'ordinal' | 'state'>[]> {
  const bad = judged.filter((one) => one.fault !== null);
  if (bad.length === 0) return [];
  return tx.query<Row<Task, 'ordinal' | 'state'>[]>(
    `with bad as (select * from unnest($5::int[], $6::text[], $8::int[]) as b (ordinal, fault, attempts)),
          done as (update tasks t set
              state = case when t.attempts >= $7 then 'FAILED' else 'PENDING' end, progress_percent = 0,
              failure_code = case when t.attempts >= $7 then 'OUTPUT_UNVERIFIED' end,
              failure_message = case when t.attempts >= $7 then bad.fault end,
              finished_at = case when t.attempts >= $7 then now() end
            from bad where t.ordinal = bad.ordinal and t.attempts = bad.attempts and ${OF_THIS_GENERATION}
            returning t.ordinal, t.state)
     select ordinal, state from done`,
    [
      ...taskKey(request),
      bad.map((one) => one.report.ordinal),
      bad.map((one) => readable(one.fault?.text ?? '')),
      MAX_UNVERIFIED_ATTEMPTS,
      bad.map((one) => one.task.attempts),
    ],
  );
}

/** A tool's message without control characters and cut to a bounded length, because the tool may print anything. */
function readable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 1000);
}
