/** Facts of a receipt, read from the rows of a settled execution in one transaction, so that all of it is of one moment. */
import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { Hold } from '../../../entities/ledger.ts';
import { dueLines, totalMicro } from '../../domain/charge.ts';
import { rateMicroOf } from '../../domain/pricing.ts';
import type { Quote, VerifiedTasks } from '../../domain/pricing.ts';
import { RECEIPT_SCHEMA } from '../../domain/receipts.ts';
import { exactTime } from '../exact-time.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { Documents, ExactTimes, OuterRow, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';
import type { SignedReceipt } from '../../domain/answers.ts';

type AdoptedTask = NonNullable<SignedReceipt['receipt']['adopted']>[number];
type Receipt = SignedReceipt['receipt'];
type ReceiptInput = SignedReceipt['receipt']['inputs'][number];
type ReceiptOutput = SignedReceipt['receipt']['outputs'][number];
type ReceiptRecovery = SignedReceipt['receipt']['recoveries'][number];
type ReceiptTransaction = SignedReceipt['receipt']['transactions'][number];
type RepeatedTask = SignedReceipt['receipt']['attempts']['repeated'][number];

/** The execution that a receipt is of. */
export interface ReceiptOf {
  readonly jobId: string;
  readonly execution: number;
}

interface ExecutionRow
  extends
    Row<Job, 'jobType' | 'simulator' | 'toolId' | 'fingerprint' | 'effectiveSeed' | 'taskTotal'>,
    ExactTimes<Job, 'submittedAt'>,
    Row<JobExecution, 'outcome' | 'priceBookVersion'>,
    ExactTimes<JobExecution, 'startedAt' | 'settledAt'>,
    Documents<JobExecution, { quote: Quote; charged: readonly VerifiedTasks[] | null }>,
    OuterRow<Hold, 'heldPence' | 'extendedPence' | 'chargedPence' | 'releasedPence'> {
  readonly charged_before: boolean;
  readonly verified: number;
  readonly failed: number;
  readonly started: number;
  readonly repeated: RepeatedTask[];
  readonly toolchains: string[];
  readonly cpu_classes: string[];
}

const OF_TASKS = `from tasks t where t.job_id = j.id and t.kind = 'task'`;
const OF_RESULTS = 'from docking_results r where r.job_id = j.id';

const EXECUTION = `
  select j.job_type, j.simulator, j.tool_id, j.fingerprint, j.effective_seed, j.task_total,
    ${exactTime('j.submitted_at')} as submitted_at, ${exactTime('e.started_at')} as started_at,
    ${exactTime('e.settled_at')} as settled_at, e.outcome, e.price_book_version, e.quote, e.charged,
    h.held_pence, h.extended_pence, h.charged_pence, h.released_pence,
    exists (select from holds b where b.job_id = j.id and b.execution < e.n and b.charged_pence > 0) as charged_before,
    (select count(*)::int ${OF_TASKS} and t.state = 'SUCCEEDED') as verified,
    (select count(*)::int ${OF_TASKS} and t.state = 'FAILED') as failed,
    (select coalesce(sum(t.attempts), 0)::int ${OF_TASKS}) as started,
    (select coalesce(jsonb_agg(jsonb_build_object('taskIndex', t.ordinal, 'attempts', t.attempts) order by t.ordinal), '[]')
      ${OF_TASKS} and t.attempts > 1 and t.state = 'SUCCEEDED') as repeated,
    array(select distinct r.toolchain_sha256 ${OF_RESULTS} and r.toolchain_sha256 is not null order by 1) as toolchains,
    array(select distinct r.cpu_class ${OF_RESULTS} and r.cpu_class is not null order by 1) as cpu_classes
  from jobs j join job_executions e on e.job_id = j.id left join holds h on h.id = e.hold_id
  where j.id = $1 and e.n = $2 and e.receipt_due and e.settled_at is not null and not j.internal`;

const INPUTS = `select storage_key as "storageKey", byte_size as "byteSize", sha256 from job_inputs
  where job_id = $1 and sha256 is not null order by storage_key`;

/** In the order in which the outputs of a job are listed, on which the places of downloaded files depend. */
const OUTPUTS = `select a.id as "artifactId", case when a.task_kind = 'task' then a.task_ordinal end as "taskIndex", a.name,
    a.byte_size as "byteSize", a.sha256
  from artifacts a where a.job_id = $1 and a.task_kind is not null order by coalesce(a.task_ordinal, -1), a.name, a.id`;

const ADOPTED = `select r.ordinal as "taskIndex", s.job_id as "fromJobId", s.ordinal as "fromTaskIndex"
  from docking_results r join docking_results s on s.id = r.cached_from_result_id where r.job_id = $1 order by r.ordinal`;

const RECOVERIES = `select ${exactTime('r.created_at')} as at, r.kind, r.cause, r.slot, r.generation,
    r.tasks_kept as "tasksKept", r.tasks_requeued as "tasksSetBack"
  from recoveries r where r.job_id = $1 and r.execution = $2 order by r.created_at, r.id`;

const TRANSACTIONS = `select l.id as "transferId", l.kind as type,
    (select sum(a)::bigint from unnest(l.amounts_pence) a where a > 0) as "amountCents"
  from ledger_transfers l join job_executions e on e.hold_id = l.hold_id where e.job_id = $1 and e.n = $2 order by l.version`;

/** Reads a receipt; null when the execution is not settled, has its receipt already, or is of the service itself. */
export async function readReceiptFacts(
  tx: Queryable,
  { jobId, execution }: ReceiptOf,
  { issuer, toolchainOf }: ReceiptContext,
): Promise<Receipt | null> {
  const [row] = await tx.query<ExecutionRow[]>(EXECUTION, [jobId, execution]);
  if (row?.settled_at == null) return null;
  const { quote, toolchains } = row;
  const lines = dueLines(quote, row.charged ?? [], !row.charged_before, row.extended_pence ?? 0);
  return {
    schema: RECEIPT_SCHEMA,
    issuer,
    jobId,
    execution,
    outcome: row.outcome ?? '',
    jobType: row.job_type,
    simulator: row.simulator,
    requestSha256: row.fingerprint,
    effectiveSeed: row.effective_seed,
    toolchainSha256: toolchains.length > 0 ? toolchains : toolchainOf(row.tool_id),
    cpuClasses: row.cpu_classes,
    submittedAt: row.submitted_at,
    startedAt: row.started_at,
    settledAt: row.settled_at,
    tasks: { total: row.task_total, verified: row.verified, failed: row.failed },
    attempts: { started: row.started, repeated: row.repeated },
    ...(await adoptedTasks(tx, jobId)),
    recoveries: await tx.query<ReceiptRecovery[]>(RECOVERIES, [jobId, execution]),
    inputs: await tx.query<ReceiptInput[]>(INPUTS, [jobId]),
    outputs: await tx.query<ReceiptOutput[]>(OUTPUTS, [jobId]),
    price: {
      priceBookVersion: row.price_book_version,
      currency: quote.pricing.currency,
      totalMicro: Number(totalMicro(lines)),
      fxRateMicro: Number(rateMicroOf(quote)),
      creditCurrency: CREDIT_CURRENCY,
      heldCents: row.held_pence ?? 0,
      chargedCents: row.charged_pence ?? 0,
      releasedCents: row.released_pence ?? 0,
    },
    transactions: await tx.query<ReceiptTransaction[]>(TRANSACTIONS, [jobId, execution]),
  };
}

async function adoptedTasks(tx: Queryable, jobId: string): Promise<Pick<Receipt, 'adopted'>> {
  const adopted = await tx.query<AdoptedTask[]>(ADOPTED, [jobId]);
  return adopted.length === 0 ? {} : { adopted };
}

/** Facts of a receipt that no row has. */
export interface ReceiptContext {
  /** The address of the service. */
  readonly issuer: string;
  /** The digests of the code of a tool, for tools whose results do not tell theirs. */
  readonly toolchainOf: (toolId: string) => string[];
}
