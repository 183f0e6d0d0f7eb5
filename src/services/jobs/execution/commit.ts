/**
 * The commit of outputs. Nothing that an instance says is believed: staged objects are copied by the store to a place
 * where no instance may write, the copy's bytes are hashed by the store, and only what agrees with the report counts,
 * in one transaction that checks the fence again. Every step may be repeated.
 */
import { buffer } from 'node:stream/consumers';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { InstanceClaims, ShardInput, StagedOutput, TaskReport } from '../../../contracts/compute.ts';
import { committedKey, stagedKey } from '../../../contracts/names.ts';
import { reportFault } from '../../../contracts/reports.ts';
import type { Tool } from '../../../tools/tool.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import { UNFENCED, fenceOf } from '../../compute/fence.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import { readPinnedFiles } from '../pinned-files.ts';
import { loadJob } from '../request.ts';
import { recordNotes } from './notes.ts';

/** A batch of reports of one instance generation. */
export interface CommitRequest {
  readonly jobId: string;
  readonly execution: number;
  readonly slot: number;
  readonly generation: number;
  readonly kind: ShardInput['kind'];
  readonly reports: readonly TaskReport[];
}

/** What became of a batch. `redo`: outputs that did not verify; their tasks are to be run again. */
export interface CommitResult {
  readonly fenced: boolean;
  readonly verified: number;
  readonly failed: number;
  readonly redo: readonly number[];
}

/** What committing needs. */
export interface CommitDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
}

type DoneReport = Extract<TaskReport, { end: 'done' }>;
type FailedReport = Extract<TaskReport, { end: 'failed' }>;

interface Judged {
  readonly report: DoneReport;
  readonly copies: readonly { readonly output: StagedOutput; readonly key: string }[];
  /** Null when every copy verified, else why not. */
  readonly fault: string | null;
}

/** Whose job it is, and what its preparation is known by. */
interface Owner {
  readonly accountId: string;
  readonly cacheKey: string | null;
}

/** What the transaction wrote. `setBack`: tasks whose outputs did not verify, done again or failed. */
interface Recorded extends CommitResult {
  readonly setBack: readonly number[];
}

const COPIES_AT_ONCE = 16;
/** Attempts after which outputs that do not verify fail their task. */
export const MAX_UNVERIFIED_ATTEMPTS = 4;
const NOTHING: CommitResult = { fenced: true, verified: 0, failed: 0, redo: [] };

/** Commits a batch. */
export async function commitTasks(deps: CommitDependencies, request: CommitRequest): Promise<CommitResult> {
  const [job] = await deps.db.query<{ account_id: string; tool_id: string }[]>(
    `select j.account_id, coalesce(j.simulator, j.job_type) as tool_id ${UNFENCED}`,
    [...fenceOf(claimsOf(request))],
  );
  if (job === undefined) return NOTHING;
  return commitBelieved(deps, job, { ...request, reports: request.reports.flatMap(believable) });
}

/** A report that breaks the rules fails its task, before its names come anywhere near the store. */
function believable(report: TaskReport): TaskReport[] {
  const fault = reportFault(report);
  if (fault === null) return [report];
  const { ordinal } = report;
  if (!Number.isSafeInteger(ordinal) || ordinal < 0) return [];
  return [{ ordinal, end: 'failed', code: 'OUTPUT_UNVERIFIED', message: fault, seconds: 0 }];
}

async function commitBelieved(
  deps: CommitDependencies,
  job: { readonly account_id: string; readonly tool_id: string },
  request: CommitRequest,
): Promise<CommitResult> {
  const tool = deps.tools.find(job.tool_id);
  const limit = pLimit(COPIES_AT_ONCE);
  const earlier = await committedEarlier(deps.db, request);
  const done = request.reports
    .filter((report) => report.end === 'done')
    .filter((report) => earlier.open.has(report.ordinal));
  const judged = await Promise.all(
    done.map((report) =>
      limit(async () => {
        const itemId = earlier.open.get(report.ordinal) ?? '';
        return judge(deps.store, tool, job.account_id, request, { report, itemId });
      }),
    ),
  );
  const cacheKey = await preparationKey(deps, tool, request);
  const result = await inTransaction(deps.db, (tx) =>
    record(tx, { accountId: job.account_id, cacheKey }, request, judged),
  );
  await clearUp(deps.store, request, judged, result);
  if (result.fenced) return NOTHING;
  const { verified, failed, redo } = result;
  return { fenced: false, verified: verified + earlier.verified, failed: failed + earlier.failed, redo };
}

/**
 * What an earlier run of this very commit has decided, when its answer was lost. Its staged files are gone by then, so
 * looking at such a task again would take a verified output for a missing one.
 */
async function committedEarlier(
  db: DataSource,
  request: CommitRequest,
): Promise<{ open: ReadonlyMap<number, string>; verified: number; failed: number }> {
  const rows = await db.query<{ ordinal: number; state: string; item_id: string }[]>(
    `select ordinal, state, item_id from tasks
     where job_id = $1 and kind = $2 and slot = $3 and generation = $4 and ordinal = any($5::int[])`,
    [...taskKey(request), request.reports.map((report) => report.ordinal)],
  );
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  const running = rows.filter((row) => row.state === 'RUNNING');
  const open = new Map(running.map((row) => [row.ordinal, row.item_id]));
  return { open, verified: count('SUCCEEDED'), failed: count('FAILED') };
}

/** The key of the preparation that is committed, worked out here: what an instance says of it is not believed. */
async function preparationKey(
  { db, store }: CommitDependencies,
  tool: Tool,
  { jobId, kind }: CommitRequest,
): Promise<string | null> {
  if (kind !== 'prepare') return null;
  const job = await loadJob(db, store, jobId);
  return tool.preparation(job.request, await readPinnedFiles(db, job, tool))?.cacheKey ?? null;
}

function claimsOf(request: CommitRequest): InstanceClaims {
  return { jobId: request.jobId, slot: request.slot, generation: request.generation, expiresAt: 0 };
}

/** Copies a task's outputs and compares the copies with the report. */
async function judge(
  store: ObjectStore,
  tool: Tool,
  accountId: string,
  request: CommitRequest,
  { report, itemId }: { readonly report: DoneReport; readonly itemId: string },
): Promise<Judged> {
  const { jobId, slot, generation, kind } = request;
  const copies = report.outputs.map((output) => ({
    output,
    key: committedKey(accountId, jobId, kind, report.ordinal, output),
  }));
  for (const { output, key } of copies) {
    // The digest fixes the bytes; a wrong size in the report shows when the job is proven complete.
    const copy = await store.copy(
      stagedKey(jobId, slot, generation, kind, report.ordinal, output.name),
      key,
      output.mediaType,
    );
    if (copy === null) return { report, copies, fault: `${output.name} was not staged` };
    if (copy !== output.sha256) {
      return { report, copies, fault: `${output.name} changed after it was reported` };
    }
  }
  const read = async (name: string): Promise<Uint8Array> => {
    const copy = copies.find((candidate) => candidate.output.name === name);
    const object = copy === undefined ? null : await store.read(copy.key);
    if (object === null) throw new Error(`${name} is not among the outputs`);
    return buffer(object.stream);
  };
  return { report, copies, fault: await tool.verify(kind, { itemId }, report.outputs, read) };
}

/** The one transaction: fence, artifacts, task states, the job's counts. */
async function record(
  tx: Tx,
  owner: Owner,
  request: CommitRequest,
  judged: readonly Judged[],
): Promise<Recorded> {
  // The job's row first, as the settlement does, else the two deadlock.
  await tx.query('select 1 from jobs where id = $1 for no key update', [request.jobId]);
  const current = await tx.query<unknown[]>(`select 1 ${UNFENCED} for share of i`, [
    ...fenceOf(claimsOf(request)),
  ]);
  if (current.length === 0) return { ...NOTHING, setBack: [] };
  const good = judged.filter((one) => one.fault === null);
  const verified = await succeed(tx, owner, request, good);
  const failed = await fail(tx, request);
  const { redo, exhausted } = await setBack(tx, request, judged);
  if (request.kind === 'task') {
    await tx.query(
      `update jobs set tasks_verified = tasks_verified + $2, tasks_failed = tasks_failed + $3, version = version + 1,
         updated_at = now() where id = $1`,
      [request.jobId, verified, failed + exhausted.length],
    );
  }
  return {
    fenced: false,
    verified,
    failed: failed + exhausted.length,
    redo,
    setBack: [...redo, ...exhausted],
  };
}

const OF_THIS_GENERATION = `t.job_id = $1 and t.kind = $2 and t.state = 'RUNNING' and t.slot = $3 and t.generation = $4`;

function taskKey(request: CommitRequest): unknown[] {
  return [request.jobId, request.kind, request.slot, request.generation];
}

async function succeed(
  tx: Tx,
  { accountId, cacheKey }: Owner,
  request: CommitRequest,
  good: readonly Judged[],
): Promise<number> {
  if (good.length === 0) return 0;
  const rows = await tx.query<{ ordinal: number; item_id: string }[]>(
    `with good as (select * from unnest($5::int[], $6::jsonb[]) as g (ordinal, summary)),
          done as (update tasks t set state = 'SUCCEEDED', execution = $7, progress_percent = 100, summary = nullif(good.summary, 'null'),
            failure_code = null, failure_message = null, finished_at = now()
            from good where t.ordinal = good.ordinal and ${OF_THIS_GENERATION} returning t.ordinal, t.item_id)
     select ordinal, item_id from done`,
    [
      ...taskKey(request),
      good.map((one) => one.report.ordinal),
      good.map((one) => JSON.stringify(one.report.summary)),
      request.execution,
    ],
  );
  const itemOf = new Map(rows.map((row) => [row.ordinal, row.item_id]));
  const committed = good.filter((one) => itemOf.has(one.report.ordinal));
  const summaries = committed.map(({ report }) => ({
    itemId: request.kind === 'task' ? (itemOf.get(report.ordinal) ?? null) : null,
    summary: report.summary,
  }));
  await recordNotes(tx, request.jobId, summaries, cacheKey);
  await insertArtifacts(tx, accountId, request, committed, itemOf);
  return rows.length;
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
    `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256, frame, ligand_id)
     select r.id, $1, $2, $3, r.ordinal, r.key, r.name, r.kind, r.media_type, r.format, r.byte_size, r.sha256,
       case when j.unit = 'frame' then r.item_id::int end, case when j.unit = 'ligand' then r.item_id end
     from jobs j, jsonb_to_recordset($4::jsonb) as r (id uuid, ordinal int, key text, name text, kind text, media_type text,
       format text, byte_size bigint, sha256 text, item_id text)
     where j.id = $2 on conflict do nothing`,
    [accountId, request.jobId, request.kind, JSON.stringify(rows)],
  );
}

/** Tasks whose tool failed: final, with the tool's code. */
async function fail(tx: Tx, request: CommitRequest): Promise<number> {
  const reports = request.reports.filter((report): report is FailedReport => report.end === 'failed');
  if (reports.length === 0) return 0;
  const rows = await tx.query<unknown[]>(
    `with bad as (select * from unnest($5::int[], $6::text[], $7::text[]) as b (ordinal, code, message)),
          done as (update tasks t set state = 'FAILED', failure_code = bad.code, failure_message = bad.message, finished_at = now()
            from bad where t.ordinal = bad.ordinal and ${OF_THIS_GENERATION} returning 1)
     select * from done`,
    [
      ...taskKey(request),
      reports.map((report) => report.ordinal),
      reports.map((report) => report.code.slice(0, 64)),
      reports.map((report) => readable(report.message)),
    ],
  );
  return rows.length;
}

/** Tasks whose outputs did not verify: run again, until they have had their attempts. */
async function setBack(
  tx: Tx,
  request: CommitRequest,
  judged: readonly Judged[],
): Promise<{ redo: number[]; exhausted: number[] }> {
  const bad = judged.filter((one) => one.fault !== null);
  if (bad.length === 0) return { redo: [], exhausted: [] };
  const rows = await tx.query<{ ordinal: number; state: string }[]>(
    `with bad as (select * from unnest($5::int[], $6::text[]) as b (ordinal, fault)),
          done as (update tasks t set
              state = case when t.attempts >= $7 then 'FAILED' else 'PENDING' end, progress_percent = 0,
              failure_code = case when t.attempts >= $7 then 'OUTPUT_UNVERIFIED' end,
              failure_message = case when t.attempts >= $7 then bad.fault end,
              finished_at = case when t.attempts >= $7 then now() end
            from bad where t.ordinal = bad.ordinal and ${OF_THIS_GENERATION} returning t.ordinal, t.state)
     select ordinal, state from done`,
    [
      ...taskKey(request),
      bad.map((one) => one.report.ordinal),
      bad.map((one) => readable(one.fault ?? '')),
      MAX_UNVERIFIED_ATTEMPTS,
    ],
  );
  const ordinalsOf = (state: string): number[] =>
    rows.filter((row) => row.state === state).map((row) => row.ordinal);
  return { redo: ordinalsOf('PENDING'), exhausted: ordinalsOf('FAILED') };
}

/**
 * Copies that do not count and staged files that are committed go now; what this misses, a sweep finds. A copy is
 * removed only when this transaction set its task back: else another run of the commit may have made it count.
 */
async function clearUp(
  store: ObjectStore,
  request: CommitRequest,
  judged: readonly Judged[],
  result: Recorded,
): Promise<void> {
  if (result.fenced) return;
  const { jobId, slot, generation, kind } = request;
  const unwanted = judged.flatMap(({ report, copies }) => [
    ...(result.setBack.includes(report.ordinal) ? copies.map((copy) => copy.key) : []),
    ...copies.map(({ output }) => stagedKey(jobId, slot, generation, kind, report.ordinal, output.name)),
  ]);
  if (unwanted.length > 0) await store.remove(unwanted).catch(() => undefined);
}

/** A tool's words as data: no control characters, bounded. */
function readable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 1000);
}
