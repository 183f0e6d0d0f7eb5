/**
 * Jobs that are open in Postgres and that no workflow works on: terminated by hand, or lost with Temporal's database. The
 * audit takes them up from their rows. A job whose workflow failed by itself would fail again, so that one is left to an
 * operator, as is a job that cannot be taken up.
 */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import type { Job } from '../../../../entities/jobs.ts';
import type { WorkflowEnd } from '../../../adapters/temporal/client.ts';
import type { Row } from '../../row.ts';
import type { TakeUp } from '../../job-records/take-up.ts';
import { tellJobs } from './tell-jobs.ts';

/** An open job without a workflow; its hold and capacity wait for an operator. */
export interface AbandonedJob {
  readonly check: 'open-job-has-workflow';
  readonly subject: string;
  readonly detail: string;
}

/**
 * A job that has just been made or resumed may be seen sooner than its workflow; every further state is written by the workflow. A
 * paused job has no workflow, unless a cancel was noted whose message was lost, or is under way.
 */
const QUIET = `finished_at is null and (status not in ('SUBMITTED', 'PAUSED')
  or (status = 'SUBMITTED' or cancel_requested_at is not null) and updated_at < now() - interval '5 minutes')`;
const PAGE = 1_000;
const ASKED_AT_ONCE = 16;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type OpenJob = Row<Job, 'id' | 'status'>;

/**
 * Looks at every open job that has been quiet, page by page: queued ones are always the quietest, so no
 * number of them may hide another. `isOpen` asks Temporal for each, by id: what is searched there may lag behind.
 */
export async function abandonedJobs(
  db: DataSource,
  isOpen: (jobId: string) => Promise<boolean>,
): Promise<readonly AbandonedJob[]> {
  const limit = pLimit(ASKED_AT_ONCE);
  const abandoned: AbandonedJob[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const page: readonly OpenJob[] = await db.query(
      `select id, status from jobs where ${QUIET} and id > $1 order by id limit ${String(PAGE)}`,
      [after],
    );
    const answers = await Promise.all(page.map(({ id }) => limit(() => isOpen(id))));
    const missing = page.filter((_job, index) => answers[index] === false).map(({ id }) => id);
    abandoned.push(...(await stillOpen(db, missing)));
    after = page.at(-1)?.id;
  }
  return abandoned;
}

/** Takes abandoned jobs up from their rows; answers those that were, and those that an operator has to look at. */
export async function takeUpAbandoned(
  db: DataSource,
  endOf: (jobId: string) => Promise<WorkflowEnd | null>,
  takeUp: TakeUp,
): Promise<{ readonly takenUp: readonly AbandonedJob[]; readonly left: readonly AbandonedJob[] }> {
  const ends = new Map<string, WorkflowEnd | null>();
  const found = await abandonedJobs(db, async (jobId) => {
    const end = await endOf(jobId);
    ends.set(jobId, end);
    return end === null;
  });
  const limit = pLimit(ASKED_AT_ONCE);
  const isTakenUp = await Promise.all(
    found.map(({ subject }) =>
      limit(async () => ends.get(subject) === 'gone' && (await takeUp(subject, { kind: 'capacity' }))),
    ),
  );
  return {
    takenUp: found.filter((_job, index) => isTakenUp[index] === true),
    left: found.filter((_job, index) => isTakenUp[index] !== true),
  };
}

/**
 * Takes up resumed jobs whose next execution nobody was told of: the message was lost with the process that had it, or Temporal was
 * away. A workflow that has the message plans the job within seconds; one whose plan takes longer takes no notice of another message.
 * @throws Error where some could not be told.
 */
export async function takeUpResumed(db: DataSource, takeUp: TakeUp): Promise<void> {
  const jobs = await db.query<Row<Job, 'id'>[]>(
    `select id from jobs where finished_at is null and execution > 1 and status = 'SUBMITTED' and updated_at < now() - interval '1 minute'
     order by id limit ${String(PAGE)}`,
  );
  await tellJobs(jobs, takeUp, { kind: 'resume' }, 'resumed jobs were not told that they go on');
}

/**
 * Gives back the capacity of executions that were settled by a run that did not live to give it back. The grantor gives it to
 * others.
 */
export async function releaseForgotten(db: DataSource): Promise<void> {
  await db.query(
    `update capacity_requests c set state = 'RELEASED', released_at = now() from job_executions e
     where e.job_id = c.job_id and e.n = c.execution and c.state <> 'RELEASED' and e.settled_at < now() - interval '5 minutes'`,
  );
}

/** The abandoned jobs that have not ended while Temporal was asked. */
async function stillOpen(db: DataSource, ids: readonly string[]): Promise<AbandonedJob[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<OpenJob[]>(
    `select id, status from jobs where id = any($1) and ${QUIET} order by id`,
    [ids],
  );
  return rows.map(({ id, status }) => ({
    check: 'open-job-has-workflow',
    subject: id,
    detail: `${status}, but no workflow runs`,
  }));
}
