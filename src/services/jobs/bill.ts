/**
 * The bill of a job: what each execution is due for, line by line, with the conversion, the rounding and the transfers of
 * the ledger. The lines are those that the settlement charges by (`src/domain/charge.ts`). One statement reads quote,
 * verified tasks and hold together, so a bill that is read beside a settlement is the bill before it or after it. The
 * bill of an execution that is not settled says what is due so far.
 */
import type { DataSource } from 'typeorm';

import type { JobExecution } from '../../../entities/jobs.ts';
import type { Hold, LedgerTransfer } from '../../../entities/ledger.ts';
import type { Actor } from '../../domain/access.ts';
import { dueCredits, dueLines, totalMicro } from '../../domain/charge.ts';
import type { BillLine } from '../../domain/charge.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { Quote } from '../../domain/pricing.ts';
import { exactTime } from '../exact-time.ts';
import { answeredFxOrigin, answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import { verifiedTasks } from '../prices/verified.ts';
import type { VerifiedColumn } from '../prices/verified.ts';
import type { Documents, ExactTimes, OuterRow, Row } from '../row.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from './owned.ts';
import type { JobBillResponse } from '../../domain/answers.ts';

type BillItem = JobBillResponse['executions'][number]['lines'][number];
type BilledExecution = JobBillResponse['executions'][number];

interface ExecutionRow
  extends
    Row<JobExecution, 'n' | 'outcome' | 'priceBookVersion'>,
    ExactTimes<JobExecution, 'startedAt' | 'settledAt'>,
    Documents<JobExecution, { quote: Quote }>,
    OuterRow<Hold, 'heldPence' | 'extendedPence' | 'chargedPence' | 'releasedPence'>,
    VerifiedColumn {
  /** Whether an execution before this one was charged, and with it the start fee. */
  readonly charged_before: boolean;
  readonly transfers: {
    readonly transferId: LedgerTransfer['id'];
    readonly type: LedgerTransfer['kind'];
    readonly amountCents: number;
  }[];
}

const MICRO_PER_PENNY = 10_000;

const EXECUTIONS = `
  select e.n, e.outcome, e.price_book_version, e.quote, ${exactTime('e.started_at')} as started_at,
    ${exactTime('e.settled_at')} as settled_at, h.held_pence, h.extended_pence, h.charged_pence,
    h.released_pence,
    coalesce(e.charged, ${verifiedTasks('t.job_id = e.job_id and t.execution = e.n')}) as verified,
    exists (select from holds b where b.job_id = e.job_id and b.execution < e.n and b.charged_pence > 0) as charged_before,
    (select coalesce(jsonb_agg(jsonb_build_object('transferId', l.id, 'type', l.kind, 'amountCents',
        (select sum(a) from unnest(l.amounts_pence) a where a > 0)) order by l.version), '[]')
      from ledger_transfers l where l.hold_id = e.hold_id) as transfers
  from jobs j join job_executions e on e.job_id = j.id left join holds h on h.id = e.hold_id
  where j.id = $1 and j.account_id = $2 and ${OF_CUSTOMER} order by e.n`;

/** Reads the bill of a job. @throws NOT_FOUND. */
export async function jobBill(db: DataSource, actor: Actor, jobId: string): Promise<JobBillResponse> {
  const rows = await db.query<ExecutionRow[]>(EXECUTIONS, [...ownedJob(actor, jobId)]);
  if (rows.length === 0) throw jobNotFound();
  const executions = rows.map((row) => presentExecution(jobId, row));
  return {
    jobId,
    creditCurrency: CREDIT_CURRENCY,
    chargedCents: executions.reduce((sum, { chargedCents }) => sum + chargedCents, 0),
    executions,
  };
}

function presentExecution(jobId: string, row: ExecutionRow): BilledExecution {
  const { quote } = row;
  const lines = dueLines(quote, row.verified ?? [], !row.charged_before, row.extended_pence ?? 0);
  const { convertedMicro, duePence } = dueCredits(quote, lines);
  const chargedCents = row.charged_pence ?? 0;
  if (row.settled_at !== null && chargedCents !== duePence)
    throw invariantBroken(
      `job ${jobId}, execution ${String(row.n)}: ${String(chargedCents)} pence were charged, and its lines come to ${String(duePence)}`,
    );
  const converted = Number(convertedMicro);
  return {
    execution: row.n,
    outcome: row.outcome,
    startedAt: row.started_at,
    settledAt: row.settled_at,
    priceBookVersion: row.price_book_version,
    currency: quote.pricing.currency,
    lines: lines.map(presentLine),
    totalMicro: Number(totalMicro(lines)),
    fxRate: answeredFxRate(quote),
    ...answeredFxOrigin(quote),
    convertedMicro: converted,
    roundingMicro: duePence * MICRO_PER_PENNY - converted,
    dueCents: duePence,
    heldCents: row.held_pence ?? 0,
    chargedCents,
    releasedCents: row.released_pence ?? 0,
    transfers: row.transfers,
  };
}

function presentLine({ kind, priceClass, tasks, meteredMs, amountMicro }: BillLine): BillItem {
  return { kind, priceClass, tasks, meteredMs, amountMicro: Number(amountMicro) };
}
