/**
 * The commit of outputs. Nothing that an instance says is believed: what was staged is judged (judge.ts), and only what
 * agrees with the report counts, in one transaction that checks the fence again. Every step may be repeated.
 *
 * No two attempts write the same object: an attempt that slept between its look at the fence and its copy could
 * otherwise put other bytes under a key that is verified already.
 */
import { randomBytes } from 'node:crypto';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import type { Job } from '../../../../entities/jobs.ts';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { TaskReport } from '../../../contracts/instance.ts';
import { stagedKey } from '../../../contracts/names.ts';
import { isOrdinal, reportFault } from '../../../contracts/reports.ts';
import type { CountGivenUp } from '../../../metrics/given-up.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import { createByteBudget } from '../../stored-objects/byte-budget.ts';
import type { ByteBudget } from '../../stored-objects/byte-budget.ts';
import { UNFENCED, fenceOf } from '../fence.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { inTransaction } from '../../transaction.ts';
import { readPinnedFiles } from '../../job-records/pinned-files.ts';
import { loadJob } from '../../job-records/request.ts';
import { adoptVerified } from '../reuse/adopt.ts';
import { NO_COMMIT_METRICS } from './bad-outputs.ts';
import type { CommitMetrics } from './bad-outputs.ts';
import { claimsOf, FENCED, openTasks, recordCommit } from './commit-records.ts';
import type { CommitRequest, CommitResult, Judged, Recorded } from './commit-records.ts';
import { judgeOutputs } from './judge.ts';
import type { Attempt } from './judge.ts';
import type { Recorders } from '../recorder.ts';

export type { CommitRequest, CommitResult } from './commit-records.ts';

export interface CommitDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly tools: ToolRegistry;
  readonly recorders: Recorders;
  /** The memory in which outputs are read; that of the whole process when not given. */
  readonly reads?: ByteBudget;
  /** Nobody counts when not given. */
  readonly metrics?: CommitMetrics;
  readonly countGivenUp?: CountGivenUp;
}

const COPIES_AT_ONCE = 16;
const MARK_BYTES = 8;
/**
 * The memory in which all commits of this process read. An output is read in pieces that take some MiB, so honest outputs
 * do not wait for each other; the largest JSON that is kept as a whole while it is judged takes nearly all of it.
 */
export const READ_BYTES = 64 * 1024 * 1024;
const PROCESS_READS = createByteBudget(READ_BYTES);

/** Commits a batch. */
export async function commitTasks(deps: CommitDependencies, request: CommitRequest): Promise<CommitResult> {
  const [job] = await deps.db.query<Row<Job, 'accountId' | 'toolId'>[]>(
    `select j.account_id, j.tool_id ${UNFENCED}`,
    [...fenceOf(claimsOf(request))],
  );
  if (job === undefined) return FENCED;
  const { reports, broken } = believe(request.reports);
  const recorder = deps.recorders(job.tool_id);
  const attempt = {
    accountId: job.account_id,
    tool: deps.tools.find(job.tool_id),
    recorder,
    isDryRun: request.kind === 'task' && (await recorder.isDryRun(deps.db, request.jobId)),
    request: { ...request, reports },
    mark: randomBytes(MARK_BYTES).toString('hex'),
  };
  const { judged, recorded } = await commitBelieved(deps, attempt);
  count(deps.metrics ?? NO_COMMIT_METRICS, broken, judged, recorded);
  // The job dispatches its tasks when the preparation is committed, so what is known already is adopted before that.
  if (request.kind === 'prepare' && recorded.result.verified > 0) await adoptVerified(deps, request);
  return recorded.result;
}

/**
 * A report that breaks the rules fails its task, before its names come anywhere near the store; of two reports of one
 * task the first counts. `broken`: the tasks whose reports broke them.
 */
function believe(sent: readonly TaskReport[]): { reports: TaskReport[]; broken: ReadonlySet<number> } {
  const reports = new Map<number, TaskReport>();
  const broken = new Set<number>();
  for (const report of sent) {
    const fault = reportFault(report);
    // No task has an ordinal that is none, and the database could not even look for it.
    const ordinal: unknown = Reflect.get(Object(report), 'ordinal');
    if (!isOrdinal(ordinal) || reports.has(ordinal)) continue;
    if (fault === null) {
      reports.set(ordinal, report);
      continue;
    }
    broken.add(ordinal);
    reports.set(ordinal, { ordinal, end: 'failed', code: 'OUTPUT_UNVERIFIED', message: fault, seconds: 0 });
  }
  return { reports: [...reports.values()], broken };
}

/** Counts what this attempt has recorded, so that a commit that is repeated counts once. */
function count(
  metrics: CommitMetrics,
  broken: ReadonlySet<number>,
  judged: readonly Judged[],
  { failed, setBack, succeeded }: Recorded,
): void {
  metrics.committed(succeeded.length);
  for (const ordinal of failed) if (broken.has(ordinal)) metrics.bad('report');
  for (const { report, fault } of judged)
    if (fault !== null && setBack.includes(report.ordinal)) metrics.bad(fault.cause);
}

async function commitBelieved(
  deps: CommitDependencies,
  attempt: Attempt,
): Promise<{ judged: readonly Judged[]; recorded: Recorded }> {
  const { store, reads = PROCESS_READS } = deps;
  const { accountId, request, recorder } = attempt;
  const limit = pLimit(COPIES_AT_ONCE);
  const open = await openTasks(deps.db, request);
  const judged = await Promise.all(
    request.reports.flatMap((report) => {
      const task = open.get(report.ordinal);
      if (report.end !== 'done' || task === undefined) return [];
      return [limit(() => judgeOutputs({ store, reads }, attempt, report, task))];
    }),
  );
  const cacheKey = await preparationKey(deps, attempt);
  const recorded = await inTransaction(deps.db, (tx) =>
    recordCommit(
      tx,
      { accountId, cacheKey, recorder, preparedAs: (summary) => attempt.tool.inputs.preparedAs(summary) },
      request,
      judged,
    ),
  );
  void announceJob(deps.db, request.jobId);
  deps.countGivenUp?.('outputs_unverified', recorded.exhausted.length);
  deps.countGivenUp?.('tool_killed', recorded.killed);
  await clearUp(store, request, judged, recorded);
  return { judged, recorded };
}

/** The key of the preparation that is committed, worked out here: what an instance says of it is not believed. */
async function preparationKey(
  { db, store }: CommitDependencies,
  { tool, request: { jobId, kind } }: Attempt,
): Promise<string | null> {
  if (kind !== 'prepare') return null;
  const job = await loadJob(db, store, jobId);
  return tool.inputs.preparation(job.request, await readPinnedFiles(db, job, tool))?.cacheKey ?? null;
}

/**
 * Copies that do not count go now, as do the staged files of what this attempt has decided; a task that runs again stages over
 * its own. The completeness check and the sweep find objects that this misses.
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
