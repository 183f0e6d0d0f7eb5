/**
 * Stops a job at a task, where its recorder says so in the transaction that has decided tasks. Everything behind that task is cancelled
 * with a reason, whatever has become of it: what waits at once, what runs as soon as it is decided, and what is verified already,
 * with its outputs and records. So counts and price of the job are the same on any number of workers. A task that an earlier execution
 * was paid for stays. The objects of outputs that are cancelled go with the next look for what no artifact names.
 */
import type { Job } from '../../../entities/jobs.ts';
import { STOP_MESSAGE, STOP_RULE } from '../../domain/stop-rule.ts';
import type { Row } from '../row.ts';
import type { Tx } from '../transaction.ts';
import type { Recorder } from './recorder.ts';

const REMEMBER = 'update jobs set stopped_after = $2 where id = $1 and stopped_after is null';

/** A verified task is cancelled where no execution has charged for it, and none has where it is of the present one or adopted. */
const CANCEL = `
  with behind as (select t.ordinal, t.state from tasks t join jobs j on j.id = t.job_id
         where t.job_id = $1 and t.kind = 'task' and t.ordinal >= $2 and (t.state in ('PENDING', 'FAILED')
           or t.state = 'SUCCEEDED' and (t.charged_in = 0 or t.charged_in is null and t.execution = j.execution))),
       ended as (update tasks t set state = 'CANCELLED', progress_percent = 0, summary = null, charged_in = nullif(t.charged_in, 0), failure_code = $3,
           failure_message = $4, finished_at = now()
         from behind where t.job_id = $1 and t.kind = 'task' and t.ordinal = behind.ordinal),
       unnamed as (delete from artifacts a using behind
         where a.job_id = $1 and a.task_kind = 'task' and a.task_ordinal = behind.ordinal)
  select ordinal, state from behind where state <> 'PENDING'`;

const COUNT_AGAIN = `
  update jobs j set tasks_verified = c.verified, tasks_failed = c.failed, version = version + 1, updated_at = now()
  from (select count(*) filter (where state = 'SUCCEEDED')::int as verified, count(*) filter (where state = 'FAILED')::int as failed
    from tasks where job_id = $1 and kind = 'task') c where j.id = $1`;

/** Stops the job where its recorder says so. The caller has decided tasks, under the lock of the job's row. @returns whether it has stopped. */
export async function stopWhereDecided(
  tx: Tx,
  recorder: Pick<Recorder, 'decided' | 'lost'>,
  jobId: string,
): Promise<boolean> {
  const place = await recorder.decided(tx, jobId);
  if (place === null) return false;
  await tx.query(REMEMBER, [jobId, place]);
  const undone = await cancelFrom(tx, jobId, place);
  if (undone.length > 0) await recorder.lost(tx, jobId, undone);
  return true;
}

/** Cancels what was set back or has failed behind the stop of a job since. The caller has locked the job's row. */
export async function cancelBehindStop(tx: Tx, jobId: string): Promise<void> {
  const [job] = await tx.query<Row<Job, 'stoppedAfter'>[]>('select stopped_after from jobs where id = $1', [
    jobId,
  ]);
  if (job?.stopped_after != null) await cancelFrom(tx, jobId, job.stopped_after);
}

/** Answers which verified tasks are cancelled. */
async function cancelFrom(tx: Tx, jobId: string, place: number): Promise<readonly number[]> {
  const decided = await tx.query<{ readonly ordinal: number; readonly state: string }[]>(CANCEL, [
    jobId,
    place,
    STOP_RULE,
    STOP_MESSAGE,
  ]);
  if (decided.length > 0) await tx.query(COUNT_AGAIN, [jobId]);
  return decided.filter(({ state }) => state === 'SUCCEEDED').map(({ ordinal }) => ordinal);
}
