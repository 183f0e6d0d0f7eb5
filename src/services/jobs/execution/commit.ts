/**
 * The commit of outputs. Nothing that an instance says is believed: staged objects are copied by the store to a place
 * where no instance may write, the copy's bytes are hashed by the store, and only what agrees with the report counts,
 * in one transaction that checks the fence again. Every step may be repeated.
 *
 * No two attempts write the same object: an attempt that slept between its look at the fence and its copy could
 * otherwise put other bytes under a key that is verified already.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { TaskReport } from '../../../contracts/compute.ts';
import { copiedKey, stagedKey } from '../../../contracts/names.ts';
import { reportFault } from '../../../contracts/reports.ts';
import type { CountGivenUp } from '../../../metrics/given-up.ts';
import type { Tool } from '../../../tools/tool.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import { UNFENCED, fenceOf } from '../../compute/fence.ts';
import { inTransaction } from '../../transaction.ts';
import { readPinnedFiles } from '../pinned-files.ts';
import { loadJob } from '../request.ts';
import { claimsOf, FENCED, openTasks, recordCommit } from './commit-records.ts';
import type {
  CommitRequest,
  CommitResult,
  DoneReport,
  Judged,
  OpenTask,
  Recorded,
} from './commit-records.ts';

export type { CommitRequest, CommitResult } from './commit-records.ts';

/** What committing needs. */
export interface CommitDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
  readonly countGivenUp?: CountGivenUp;
}

/** One attempt at a batch. */
interface Attempt {
  readonly accountId: string;
  readonly tool: Tool;
  readonly request: CommitRequest;
  /** What its copies are known by. */
  readonly mark: string;
}

const COPIES_AT_ONCE = 16;
const MARK_BYTES = 8;

/** Commits a batch. */
export async function commitTasks(deps: CommitDependencies, request: CommitRequest): Promise<CommitResult> {
  const [job] = await deps.db.query<{ account_id: string; tool_id: string }[]>(
    `select j.account_id, coalesce(j.simulator, j.job_type) as tool_id ${UNFENCED}`,
    [...fenceOf(claimsOf(request))],
  );
  if (job === undefined) return FENCED;
  return commitBelieved(deps, {
    accountId: job.account_id,
    tool: deps.tools.find(job.tool_id),
    request: { ...request, reports: request.reports.flatMap(believable) },
    mark: randomBytes(MARK_BYTES).toString('hex'),
  });
}

/** A report that breaks the rules fails its task, before its names come anywhere near the store. */
function believable(report: TaskReport): TaskReport[] {
  const fault = reportFault(report);
  if (fault === null) return [report];
  const { ordinal } = report;
  if (!Number.isSafeInteger(ordinal) || ordinal < 0) return [];
  return [{ ordinal, end: 'failed', code: 'OUTPUT_UNVERIFIED', message: fault, seconds: 0 }];
}

async function commitBelieved(deps: CommitDependencies, attempt: Attempt): Promise<CommitResult> {
  const { accountId, request } = attempt;
  const limit = pLimit(COPIES_AT_ONCE);
  const open = await openTasks(deps.db, request);
  const judged = await Promise.all(
    request.reports.flatMap((report) => {
      const task = open.get(report.ordinal);
      if (report.end !== 'done' || task === undefined) return [];
      return [limit(() => judge(deps.store, attempt, report, task))];
    }),
  );
  const cacheKey = await preparationKey(deps, attempt);
  const recorded = await inTransaction(deps.db, (tx) =>
    recordCommit(tx, { accountId, cacheKey }, request, judged),
  );
  deps.countGivenUp?.('outputs_unverified', recorded.exhausted.length);
  deps.countGivenUp?.('tool_killed', recorded.killed);
  await clearUp(deps.store, request, judged, recorded);
  return recorded.result;
}

/** The key of the preparation that is committed, worked out here: what an instance says of it is not believed. */
async function preparationKey(
  { db, store }: CommitDependencies,
  { tool, request: { jobId, kind } }: Attempt,
): Promise<string | null> {
  if (kind !== 'prepare') return null;
  const job = await loadJob(db, store, jobId);
  return tool.preparation(job.request, await readPinnedFiles(db, job, tool))?.cacheKey ?? null;
}

/** Copies a task's outputs and compares the copies with the report. */
async function judge(
  store: ObjectStore,
  { accountId, tool, request, mark }: Attempt,
  report: DoneReport,
  task: OpenTask,
): Promise<Judged> {
  const { jobId, slot, generation, kind } = request;
  const copies = report.outputs.map((output) => ({
    output,
    key: copiedKey(accountId, jobId, kind, report.ordinal, { ...output, mark }),
  }));
  for (const { output, key } of copies) {
    // The digest fixes the bytes; a wrong size in the report shows when the job is proven complete.
    const copy = await store.copy(
      stagedKey(jobId, slot, generation, kind, report.ordinal, output.name),
      key,
      output.mediaType,
    );
    if (copy === null) return { report, task, copies, fault: `${output.name} was not staged` };
    if (copy !== output.sha256) {
      return { report, task, copies, fault: `${output.name} changed after it was reported` };
    }
  }
  const read = async (name: string): Promise<Uint8Array> => {
    const copy = copies.find((candidate) => candidate.output.name === name);
    const object = copy === undefined ? null : await store.read(copy.key);
    if (object === null) throw new Error(`${name} is not among the outputs`);
    return buffer(object.stream);
  };
  const { itemId } = task;
  return { report, task, copies, fault: await tool.verify(kind, { itemId }, report.outputs, read) };
}

/**
 * Copies that do not count go now, as do the staged files of what this attempt has decided; a task that runs again
 * stages over its own. What this misses, the completeness check and the sweep find.
 */
async function clearUp(
  store: ObjectStore,
  request: CommitRequest,
  judged: readonly Judged[],
  { succeeded, exhausted }: Recorded,
): Promise<void> {
  const { jobId, slot, generation, kind } = request;
  const decided = [...succeeded, ...exhausted];
  const unwanted = judged.flatMap(({ report: { ordinal }, copies }) => [
    ...(succeeded.includes(ordinal) ? [] : copies.map((copy) => copy.key)),
    ...(decided.includes(ordinal)
      ? copies.map(({ output }) => stagedKey(jobId, slot, generation, kind, ordinal, output.name))
      : []),
  ]);
  if (unwanted.length > 0) await store.remove(unwanted).catch(() => undefined);
}
