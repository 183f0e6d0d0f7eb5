/** Facts of one instance that only numbers for operators need. */
import type { DataSource } from 'typeorm';

import type { Generation } from '../execution/instances/instances.ts';

const SINCE_LAUNCH = `
  select extract(epoch from clock_timestamp() - launched_at)::float8 as seconds from instances
  where job_id = $1 and slot = $2 and generation = $3`;
const GIVEN_UP = `
  select 1 from recoveries where job_id = $1 and slot = $2 and generation = $3 and cause in ('INSTANCE_GONE', 'INSTANCE_SILENT')`;

/** Seconds since an instance was launched, by the database's clock; null for an unknown one. */
export async function secondsSinceLaunch(db: DataSource, id: Generation): Promise<number | null> {
  const [row] = await db.query<{ readonly seconds: number }[]>(SINCE_LAUNCH, [
    id.jobId,
    id.slot,
    id.generation,
  ]);
  return row?.seconds ?? null;
}

/** Whether an instance was replaced because it was taken for lost. */
export async function wasGivenUp(db: DataSource, id: Generation): Promise<boolean> {
  const rows = await db.query<unknown[]>(GIVEN_UP, [id.jobId, id.slot, id.generation]);
  return rows.length > 0;
}
