/**
 * Covers tasks before they are dispatched: what is verified, what was covered before and what is asked for must fit in the hold of
 * the execution. Where it does not, the hold is extended at the same prices and exchange rate; where that is refused, as many of
 * the tasks as still fit are covered, and the job is to pause.
 *
 * Idempotency key: (job, execution, ordinal). A task that is covered already counts once, however often it is asked for, so an
 * attempt that is repeated extends nothing a second time. Everything happens under the lock of the job's row, which commits and
 * the settlement take too, so no two dispatches count on the same credits.
 */
import type { DataSource } from 'typeorm';

import type { JobExecution } from '../../../../entities/jobs.ts';
import type { Hold } from '../../../../entities/ledger.ts';
import type { CoverRequest, CoverResult, RefusedCover } from '../../../contracts/job.ts';
import { coverMs, extensionsFor, neededPence } from '../../../domain/cover.ts';
import type { DispatchedWork, OpenTasks } from '../../../domain/cover.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import type { Quote } from '../../../domain/pricing.ts';
import { announceJob } from '../../events/announce.ts';
import { extendHold } from '../../ledger/holds.ts';
import type { HoldRefusal } from '../../ledger/holds.ts';
import { verifiedTasks } from '../../prices/verified.ts';
import type { VerifiedColumn } from '../../prices/verified.ts';
import type { Documents, Row } from '../../row.ts';
import { notePause } from '../../job-records/pending-pause.ts';
import { inTransaction } from '../../transaction.ts';
import type { Tx } from '../../transaction.ts';

interface AskedTask {
  readonly ordinal: number;
  readonly priceClass: string | null;
  readonly keptMs: number;
}

interface WorkRow
  extends
    Row<JobExecution, 'holdId' | 'limitPence'>,
    Documents<JobExecution, { quote: Quote }>,
    Row<Hold, 'heldPence' | 'extensions'>,
    VerifiedColumn {
  readonly settled: boolean;
  readonly charged_before: boolean;
  readonly longest_ms: number;
  readonly open: readonly OpenTasks[];
  readonly asked: readonly AskedTask[];
}

/** SQL: the milliseconds of work that the checkpoint of a task holds and no pause has charged. */
const KEPT_MS = 'greatest(0, t.kept_ms - t.paid_ms)';
const UNCHARGED = `t.job_id = $1 and t.kind = 'task' and t.charged_in is null`;

const WORK = `
  select e.hold_id, e.limit_pence, e.quote, e.settled_at is not null as settled, h.held_pence, h.extensions,
    ${verifiedTasks('t.job_id = $1 and t.execution = $2')} as verified,
    exists (select from holds b where b.job_id = $1 and b.execution < $2 and b.charged_pence > 0) as charged_before,
    (select coalesce(max(t.metered_ms), 0)::bigint from tasks t
      where t.job_id = $1 and t.kind = 'task' and t.state = 'SUCCEEDED' and t.execution = $2) as longest_ms,
    (select coalesce(jsonb_agg(o), '[]') from (
      select t.price_class as "priceClass", count(*)::int as tasks, sum(${KEPT_MS})::bigint as "keptMs",
        min(case when t.covered_in = $2 then t.covered_ms end) as "coveredMs" from tasks t
      where ${UNCHARGED} and not t.ordinal = any($3::int[])
        and (t.state = 'RUNNING' or t.state = 'PENDING' and t.covered_in = $2)
      group by t.price_class, case when ${KEPT_MS} > 0 then t.ordinal end order by t.price_class) o) as open,
    (select coalesce(jsonb_agg(a), '[]') from (
      select t.ordinal, t.price_class as "priceClass", ${KEPT_MS} as "keptMs" from tasks t
      where ${UNCHARGED} and t.ordinal = any($3::int[]) and t.state in ('PENDING', 'RUNNING')
      order by array_position($3::int[], t.ordinal)) a) as asked
  from job_executions e join holds h on h.id = e.hold_id where e.job_id = $1 and e.n = $2`;

const MARK = `
  update tasks t set covered_in = $2, covered_ms = c.covered_ms
  from unnest($3::int[], $4::bigint[]) as c (ordinal, covered_ms)
  where t.job_id = $1 and t.kind = 'task' and t.ordinal = c.ordinal
    and (t.covered_in is distinct from $2 or t.covered_ms is distinct from c.covered_ms)`;

/** The database, and the longest leg of a task that keeps checkpoints. */
export interface CoverDependencies {
  readonly db: DataSource;
  readonly legSeconds: number;
}

/** Covers tasks of one dispatch, or their next legs; an execution that is settled covers nothing any more. */
export async function coverTasks(
  { db, legSeconds }: CoverDependencies,
  request: CoverRequest,
): Promise<CoverResult> {
  const { isTold, result } = await inTransaction(db, (tx) => cover(tx, { ...request, legSeconds }));
  if (isTold) await announceJob(db, request.jobId);
  return result;
}

async function cover(
  tx: Tx,
  { jobId, execution, ordinals, ...times }: CoverRequest & Pick<CoverDependencies, 'legSeconds'>,
): Promise<{ readonly isTold: boolean; readonly result: CoverResult }> {
  await tx.query('select 1 from jobs where id = $1 for no key update', [jobId]);
  const [row] = await tx.query<WorkRow[]>(WORK, [jobId, execution, ordinals]);
  if (row === undefined) throw invariantBroken(`job ${jobId} has no execution ${String(execution)}`);
  if (row.settled) return { isTold: false, result: { covered: [], refused: null } };
  const { refused, heldPence } = await hold(tx, row, neededFor(row, row.asked, times));
  const fitting =
    refused === null
      ? row.asked.length
      : row.asked.findLastIndex((_, at) => neededFor(row, row.asked.slice(0, at + 1), times) <= heldPence) +
        1;
  const left = new Set(row.asked.slice(fitting).map(({ ordinal }) => ordinal));
  const covered = ordinals.filter((ordinal) => !left.has(ordinal));
  await tx.query(MARK, [
    jobId,
    execution,
    covered,
    covered.map((ordinal) => coveredMsOf(row, ordinal, times)),
  ]);
  const isExtended = heldPence > row.held_pence;
  // The status shows what is held, so it has another version.
  if (isExtended)
    await tx.query('update jobs set version = version + 1, updated_at = now() where id = $1', [jobId]);
  const isPausing = refused !== null && (await notePause(tx, jobId, refused.reason));
  return { isTold: isExtended || isPausing, result: { covered, refused } };
}

type Times = Pick<DispatchedWork, 'taskSeconds' | 'legSeconds'>;

/** The milliseconds of work of a task that its dispatch covers; null where nothing is measured, and for a task that is decided. */
function coveredMsOf(
  { quote, asked, longest_ms: longestMs }: WorkRow,
  ordinal: number,
  times: Times,
): number | null {
  const task = asked.find((one) => one.ordinal === ordinal);
  if (task === undefined || quote.pricing.model === 'fixed') return null;
  return coverMs(quote, { keptMs: task.keptMs, coveredMs: null }, { longestMs, ...times });
}

/** Computes the hold that the dispatch of the asked tasks needs. */
function neededFor(row: WorkRow, asked: readonly AskedTask[], times: Times): number {
  const { quote, verified, open, longest_ms: longestMs, charged_before: chargedBefore } = row;
  const next = asked.map(({ priceClass, keptMs }) => ({ priceClass, tasks: 1, keptMs, coveredMs: null }));
  const work: DispatchedWork = {
    verified: verified ?? [],
    open: [...open, ...next],
    longestMs,
    ...times,
    startFeeDue: !chargedBefore,
  };
  return neededPence(quote, work);
}

/** Extends the hold where more is needed; answers why not, and what is held then. */
async function hold(
  tx: Tx,
  row: WorkRow,
  needed: number,
): Promise<{ readonly refused: RefusedCover | null; readonly heldPence: number }> {
  const { hold_id: holdId, held_pence: heldPence, limit_pence: limitPence, extensions } = row;
  if (needed <= heldPence) return { refused: null, heldPence };
  let refused: RefusedCover = { reason: 'COST_LIMIT', cause: null };
  for (const amountPence of extensionsFor(needed, heldPence, limitPence)) {
    const extended = await extendHold(tx, { holdId, part: extensions + 1, amountPence });
    if (extended.held) return { refused: null, heldPence: heldPence + amountPence };
    refused = refusedFor(extended);
  }
  return { refused, heldPence };
}

/** The pause that follows when no more is held. An account that may hold nothing waits for an operator. */
function refusedFor(refusal: HoldRefusal): RefusedCover {
  if ('accountState' in refusal) return { reason: 'OPERATOR', cause: `ACCOUNT_${refusal.accountState}` };
  return { reason: 'limit' in refusal ? 'COST_LIMIT' : 'CREDITS', cause: null };
}
