/** Events as answers have them. Rows of types that this release does not know are left out. */
import { validate as isUuid } from 'uuid';

import type { DockingRun } from '../../../entities/docking-records.ts';
import { dataOf, EVENT_TYPES } from '../../domain/events.ts';
import type { EventRecord } from '../../domain/events.ts';
import { isRecord } from '../../domain/is-record.ts';
import type { Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';
import type { EventRow } from './read-events.ts';

// A run and what it belongs to never change, so they are looked up when they are told.
const RUNS = `select job_id, id, batch_id, experiment_id from docking_runs where job_id = any($1::uuid[])`;

/** Presents rows of the log, with the runs of their jobs: each row that is told, with what is told of it. */
export async function presentEvents(
  db: Pick<Queryable, 'query'>,
  rows: readonly EventRow[],
): Promise<Map<EventRow, EventRecord>> {
  const jobIds = rows
    .filter(({ type, subject }) => isOfJob(type) && isUuid(subject))
    .map((row) => row.subject);
  const runs =
    jobIds.length === 0
      ? []
      : await db.query<Row<DockingRun, 'jobId' | 'id' | 'batchId' | 'experimentId'>[]>(RUNS, [
          [...new Set(jobIds)],
        ]);
  const runOf = new Map(
    runs.map((run) => [
      run.job_id,
      { runId: run.id, batchId: run.batch_id, experimentId: run.experiment_id },
    ]),
  );
  return new Map(
    rows.flatMap((row): [EventRow, EventRecord][] => {
      const { [row.type]: type } = EVENT_TYPES;
      if (type === undefined) return [];
      const payload = { ...(isRecord(row.payload) ? row.payload : {}), ...runOf.get(row.subject) };
      const data = dataOf(type, row.subject, payload);
      return [[row, { id: row.public_id, type: row.type, timestamp: row.at, data }]];
    }),
  );
}

function isOfJob(type: string): boolean {
  return EVENT_TYPES[type]?.subject === 'jobId';
}
