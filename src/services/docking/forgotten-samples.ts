/**
 * Begins the samples of batches that no workflow has begun. The workflow of a batch begins its sample once the batch is done; a workflow
 * that was terminated or lost never does, nor one that had ended when its batch was resumed. The admissions of the sample stand with
 * the batch until each of them is decided, so the sweep begins what is missing. A job that was begun already is joined, so
 * each step may be repeated.
 */
import type { DataSource } from 'typeorm';

import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { DockingAdmission } from '../../contracts/docking-records.ts';
import { timingOf } from '../job-records/take-up.ts';
import type { WorkflowSettings } from '../job-records/take-up.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';

export interface ForgottenSamplesDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'startJob' | 'isDockingOpen'>;
  readonly settings: WorkflowSettings;
}

/** The workflow of a batch that has just ended is about to begin the sample. */
const QUIET_MINUTES = 5;
const ADMIT_SECONDS = 3600;
const WAIT_MS = 10_000;
const PAGE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const IS_DECIDED = `exists (select from docking_samples d where d.batch_id = b.id and d.kind = s.admission #>> '{sample,kind}')`;
const ADMISSIONS = 'cross join lateral jsonb_array_elements(b.sample_admissions) s (admission)';

const MISSING = `
  select b.id, jsonb_agg(s.admission order by s.admission #>> '{sample,kind}' = 'other') as admissions,
    to_char((now() + make_interval(secs => $3)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as admit_by
  from docking_batches b join docking_runs r on r.batch_id = b.id and r.number = 1 join jobs j on j.id = r.job_id ${ADMISSIONS}
  where b.sample_admissions is not null and b.id > $1 and not ${IS_DECIDED}
    and j.status in ('SUCCEEDED', 'PARTIALLY_SUCCEEDED') and j.finished_at < now() - make_interval(mins => $2)
  group by b.id order by b.id limit ${String(PAGE)}`;

const FORGET_DECIDED = `
  update docking_batches b set sample_admissions = null
  where b.sample_admissions is not null and not exists (
    select from jsonb_array_elements(b.sample_admissions) s (admission) where not ${IS_DECIDED})`;

interface MissingRow {
  readonly id: string;
  readonly admissions: readonly DockingAdmission[];
  readonly admit_by: string;
}

/** One round. @throws AttemptsError at its end, when something failed. */
export async function startForgottenSamples(deps: ForgottenSamplesDependencies): Promise<void> {
  const { db, workflows } = deps;
  const attempts = new Attempts();
  await db.query(FORGET_DECIDED);
  for (let after = FIRST_ID, found = PAGE; found === PAGE;) {
    const rows = await db.query<MissingRow[]>(MISSING, [after, QUIET_MINUTES, ADMIT_SECONDS]);
    for (const row of rows)
      await attempts.run(async () => {
        if (!(await workflows.isDockingOpen('batch', row.id))) await start(deps, row);
      }, `sample of batch ${row.id}`);
    [after, found] = [rows.at(-1)?.id ?? after, rows.length];
  }
  attempts.finish('Not every sample could be begun.');
}

/** Begins the jobs, which then live for themselves. Their admissions are of the time of the batch, so they get another time limit. */
async function start(
  { workflows, settings }: ForgottenSamplesDependencies,
  { admissions, admit_by: admitBy }: MissingRow,
): Promise<void> {
  const { maxHistoryEvents } = settings;
  for (const admission of admissions) {
    const input = { jobId: admission.jobId, timing: timingOf(settings), maxHistoryEvents };
    await workflows.startJob({ input, admission: { ...admission, admitBy } }, WAIT_MS);
  }
}
