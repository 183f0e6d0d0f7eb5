/** An export as it is answered, with its file, and receptor and box beside an SDF. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { DockingExport } from '../../../../entities/docking-exports.ts';
import type { Actor } from '../../../domain/access.ts';
import type { ExportQuery } from '../../../domain/docking-exports.ts';
import { AppError } from '../../../domain/errors.ts';
import { exactTime } from '../../exact-time.ts';
import type { Documents, ExactTimes, Row } from '../../row.ts';
import { presentFile } from '../results/rows.ts';
import type { FileRow } from '../results/rows.ts';
import type { IncludedRun } from './included.ts';
import type { Answers, DockingExportResponse } from '../../../domain/answers.ts';

type ResultArtifact = Answers['getDockingResult']['result']['artifacts'][number];

type ExportRecord = DockingExportResponse['export'];

type Read =
  | ('id' | 'userId' | 'batchId' | 'runId' | 'format' | 'state' | 'resultCount' | 'complete')
  | ('artifactId' | 'failureCode' | 'failureMessage');

interface ExportRow
  extends
    Row<DockingExport, Read>,
    Documents<DockingExport, { query: ExportQuery; included: readonly IncludedRun[] }>,
    ExactTimes<DockingExport, 'createdAt' | 'startedAt' | 'finishedAt'> {}

const READ = `
  select id, user_id, batch_id, run_id, format, state, result_count, complete, artifact_id, failure_code, failure_message, query, included,
    ${exactTime('created_at')} as created_at, ${exactTime('started_at')} as started_at, ${exactTime('finished_at')} as finished_at
  from docking_exports where id = $1 and account_id = $2`;

const FIELDS =
  'a.job_id, a.task_ordinal, a.id, a.name, a.kind, a.media_type, a.format, a.byte_size, a.sha256, a.storage_key';
const FILE = `select ${FIELDS} from artifacts a where a.id = $1`;

/** Receptor and box of the newest run that has them. */
const BESIDE = `
  select ${FIELDS} from (
    select run.job_id from unnest($1::uuid[]) with ordinality run (job_id, place)
    where exists (select from artifacts b where b.job_id = run.job_id and b.task_kind = 'prepare' and b.kind = 'box')
    order by run.place limit 1) newest
  join artifacts a on a.job_id = newest.job_id and a.task_kind = 'prepare' and a.kind in ('prepared_receptor', 'box')
  order by a.name`;

/** Reads an export. @throws NOT_FOUND. */
export async function readExport(
  db: DataSource,
  actor: Actor,
  exportId: string,
): Promise<DockingExportResponse> {
  const [row] = isUuid(exportId) ? await db.query<ExportRow[]>(READ, [exportId, actor.accountId]) : [];
  if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such export in this account.');
  const artifact = row.artifact_id === null ? [] : await filesOf(db, FILE, row.artifact_id);
  const jobs = row.included.map(({ jobId }) => jobId);
  const beside = row.format === 'sdf' ? await filesOf(db, BESIDE, jobs) : [];
  return {
    export: presentExport(row, artifact[0] ?? null, beside),
    uiLinks: {
      studio:
        row.batch_id === null
          ? `/molecular/studio?dockingRun=${row.run_id ?? ''}`
          : `/molecular/studio?dockingBatch=${row.batch_id}`,
    },
  };
}

async function filesOf(
  db: DataSource,
  sql: typeof FILE | typeof BESIDE,
  of: string | readonly string[],
): Promise<ResultArtifact[]> {
  const rows = await db.query<FileRow[]>(sql, [of]);
  return rows.map(presentFile);
}

function presentExport(
  row: ExportRow,
  artifact: ResultArtifact | null,
  beside: ResultArtifact[],
): ExportRecord {
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    batch_id: row.batch_id,
    run_id: row.run_id,
    format: row.format,
    query: row.query,
    status: row.state,
    result_count: row.result_count,
    complete: row.complete,
    started_at: row.started_at,
    finished_at: row.finished_at,
    artifact,
    beside,
    failure:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
  };
}
