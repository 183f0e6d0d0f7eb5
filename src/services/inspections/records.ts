/**
 * The rows of inspections. The state of an inspection is the state of its job, so no second state can disagree with it.
 * One lock for each account decides which request starts a job, so equal questions share one job, and the limit of
 * inspections that run at once is kept.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { InspectionEntity } from '../../../entities/inspections.ts';
import type { Inspection } from '../../../entities/inspections.ts';
import type { Job } from '../../../entities/jobs.ts';
import type { Artifact } from '../../../entities/storage.ts';
import type { Task } from '../../../entities/tasks.ts';
import { AppError } from '../../domain/errors.ts';
import type { CodeWords } from '../../domain/codes/code.ts';
import { WAIT_WORDS } from '../../domain/codes/jobs.ts';
import { isTerminal } from '../../domain/job-state.ts';
import type { JobState, TerminalState } from '../../domain/job-state.ts';
import { CONVERSION_REPORT_KIND } from '../../tools/format-convert/report.ts';
import { INSPECTION_REPORT_KIND } from '../../tools/receptor-inspect/report.ts';
import { exactTime } from '../exact-time.ts';
import type { AdmissionRecords } from '../jobs/admission.ts';
import type { ExactTimes, OuterRow, Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable } from '../transaction.ts';

/** An inspection and how its job stands. */
export interface InspectionRecord {
  readonly id: string;
  readonly jobId: string;
  readonly createdAt: string;
  readonly startBy: Date;
  readonly state: InspectionState;
}

/** An inspection is under way, done with a stored report, or ended without a report. */
export type InspectionState =
  | { readonly kind: 'open'; readonly message: string }
  | { readonly kind: 'done'; readonly storageKey: string; readonly byteSize: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** A question that an internal job is to answer, with the limits of the account. */
export interface InspectionClaim {
  readonly kind: Inspection['kind'];
  readonly accountId: string;
  readonly cacheKey: string;
  /** An older report is not answered again. */
  readonly maxAgeSeconds: number;
  /** How long the job may take to be admitted. */
  readonly startWithinSeconds: number;
  /** Inspections of the account that may be open at once. */
  readonly atOnce: number;
}

interface InspectionRow
  extends
    Row<Inspection, 'id' | 'jobId' | 'startBy' | 'kind'>,
    ExactTimes<Inspection, 'createdAt'>,
    OuterRow<Job, 'status' | 'statusReason'>,
    OuterRow<Artifact, 'storageKey' | 'byteSize'>,
    OuterRow<Task, 'failureCode' | 'failureMessage'> {
  readonly is_late: boolean;
  /** Reason for which the job waits; null when it waits for nothing. */
  readonly queue_reason: string | null;
}

/** Sentence about a question, by the state of its job. */
const STEPS = {
  SUBMITTED: (kind) => `The ${kind} is about to start.`,
  QUEUED: (kind) => `The ${kind} waits for a machine.`,
  PROVISIONING: (kind) => `A machine is being made ready for the ${kind}.`,
  RUNNING: (kind) => `The ${kind === 'inspection' ? 'receptor' : 'file'} is being read.`,
  RECOVERING: (kind) => `The machine of the ${kind} was lost; another one takes over.`,
  FINALIZING: (kind) => `The ${kind === 'inspection' ? 'report' : 'file'} is being stored.`,
  CANCELLING: (kind) => `The ${kind} is being ended.`,
} as const satisfies Readonly<
  Record<Exclude<JobState, TerminalState | 'PAUSED'>, (kind: Inspection['kind']) => string>
>;
/** The refusal of one more question than may be open at once. */
const LIMITS = {
  inspection: { code: 'INSPECTION_LIMIT', what: 'receptors of an account are inspected' },
  conversion: { code: 'CONVERSION_LIMIT', what: 'files of an account are converted' },
} as const satisfies Readonly<Record<Inspection['kind'], object>>;
const WAITS: ReadonlyMap<string, CodeWords> = new Map(Object.entries(WAIT_WORDS));
const LOCK = 'dockyard.inspections/';
const RETRY_AFTER_SECONDS = 5;

const READ = `
  select i.id, i.kind, i.job_id, ${exactTime('i.created_at')} as created_at, i.start_by, i.start_by < now() as is_late, j.status,
    j.status_reason, (select c.reason from capacity_requests c
      where c.job_id = j.id and c.execution = j.execution and c.state = 'WAITING') as queue_reason,
    a.storage_key, a.byte_size, t.failure_code, t.failure_message
  from inspections i left join jobs j on j.id = i.job_id
    left join artifacts a on a.job_id = i.job_id and a.kind in ('${INSPECTION_REPORT_KIND}', '${CONVERSION_REPORT_KIND}')
    left join tasks t on t.job_id = i.job_id and t.state = 'FAILED' and t.kind = 'task'`;

/**
 * Counts inspections whose jobs run or may still be admitted. A job that an operator paused is not counted, because it
 * may rest for days.
 */
const OPEN = `
  select count(*)::int as open from inspections i left join jobs j on j.id = i.job_id
  where i.account_id = $1 and i.kind = $2
    and case when j.id is null then i.start_by > now() else j.finished_at is null and j.status <> 'PAUSED' end`;

/**
 * The inspection that answers a claim: one that is under way or done, else a new one. `isNew` is true for a new
 * inspection, whose job the caller has to start. @throws INSPECTION_LIMIT, CONVERSION_LIMIT when the account has as many open
 * questions of the kind as it may have.
 */
export async function claimInspection(
  db: DataSource,
  claim: InspectionClaim,
): Promise<{ readonly isNew: boolean; readonly inspection: InspectionRecord }> {
  const { kind, accountId, cacheKey, maxAgeSeconds, startWithinSeconds, atOnce } = claim;
  return inTransaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${LOCK}${accountId}`]);
    const [known] = await tx.query<InspectionRow[]>(
      `${READ} where i.account_id = $1 and i.cache_key = $2 and i.created_at > now() - make_interval(secs => $3)
       order by i.created_at desc, i.id desc limit 1`,
      [accountId, cacheKey, maxAgeSeconds],
    );
    const before = known === undefined ? null : recordOf(known);
    if (before !== null && before.state.kind !== 'failed' && (await isRenewed(tx, before)))
      return { isNew: false, inspection: before };
    const [count] = await tx.query<{ open: number }[]>(OPEN, [accountId, kind]);
    if ((count?.open ?? 0) >= atOnce) throw tooMany(kind, atOnce);
    const id = uuidv7();
    await tx.query(
      `insert into inspections (id, account_id, cache_key, job_id, start_by, kind)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5), $6)`,
      [id, accountId, cacheKey, uuidv7(), startWithinSeconds, kind],
    );
    return { isNew: true, inspection: await mustRead(tx, accountId, kind, id) };
  });
}

/** Lets the sweep keep an answer that was asked for again; false where the sweep has just taken it. */
async function isRenewed(tx: Queryable, { id }: InspectionRecord): Promise<boolean> {
  const [, renewed] = await tx.query<[unknown[], number]>(
    'update inspections set used_at = now() where id = $1',
    [id],
  );
  return renewed === 1;
}

/** An inspection of the account; null when there is none. */
export async function readInspection(
  db: Queryable,
  accountId: string,
  kind: Inspection['kind'],
  id: string,
): Promise<InspectionRecord | null> {
  const [row] = await db.query<InspectionRow[]>(
    `${READ} where i.account_id = $1 and i.kind = $2 and i.id = $3`,
    [accountId, kind, id],
  );
  return row === undefined ? null : recordOf(row);
}

/** Forgets an inspection whose job was never admitted, so that the next question starts another. */
export async function forgetInspection(db: Queryable, id: string): Promise<void> {
  await db.query(
    'delete from inspections i where id = $1 and not exists (select from jobs j where j.id = i.job_id)',
    [id],
  );
}

/** An inspection whose job is refused is forgotten here, because the caller who asked for it may not wait for the decision any more. */
export const INSPECTION_ADMISSION: AdmissionRecords = {
  async notAdmitted(db, { internal, jobId }, { kind }) {
    if (internal && kind === 'refused') await db.getRepository(InspectionEntity).delete({ jobId });
  },
};

async function mustRead(
  db: Queryable,
  accountId: string,
  kind: Inspection['kind'],
  id: string,
): Promise<InspectionRecord> {
  const inspection = await readInspection(db, accountId, kind, id);
  if (inspection === null) throw new Error('The inspection that was noted is not there.');
  return inspection;
}

function recordOf(row: InspectionRow): InspectionRecord {
  const { id, job_id: jobId, created_at: createdAt, start_by: startBy } = row;
  return { id, jobId, createdAt, startBy, state: stateOf(row) };
}

function stateOf(row: InspectionRow): InspectionState {
  const { kind, status, is_late: isLate, storage_key: storageKey, byte_size: byteSize } = row;
  if (status === null)
    return isLate
      ? notDone(`The ${kind} was never started.`)
      : { kind: 'open', message: STEPS.SUBMITTED(kind) };
  if (status === 'SUCCEEDED' && storageKey !== null && byteSize !== null) {
    return { kind: 'done', storageKey, byteSize };
  }
  if (status === 'PAUSED') return notDone(`The ${kind} could not be done for the moment.`);
  if (!isTerminal(status)) return { kind: 'open', message: messageOf(status, row) };
  const { failure_code: code, failure_message: message } = row;
  if (code !== null) return { kind: 'failed', code, message: message ?? `The ${kind} failed.` };
  return notDone(`The ${kind} was ended before it was done.`);
}

/** How far an inspection that runs is: the step, and what it waits for. */
function messageOf(
  status: keyof typeof STEPS,
  { kind, queue_reason: waits, status_reason: reason }: InspectionRow,
): string {
  const why = WAITS.get(waits ?? reason ?? '');
  const step = STEPS[status](kind);
  return status === 'QUEUED' && why !== undefined ? `${step} ${why.meaning}` : step;
}

function notDone(message: string): InspectionState {
  return { kind: 'failed', code: 'SERVICE_UNAVAILABLE', message: `${message} Ask for it again.` };
}

function tooMany(kind: Inspection['kind'], atOnce: number): AppError {
  const { code, what } = LIMITS[kind];
  return new AppError(code, `At most ${atOnce} ${what} at once. Repeat the request when one is done.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
