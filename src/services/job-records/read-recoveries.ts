/** The recovery ledger of a job as customers read it, the oldest entry first. */
import type { Instance, Recovery } from '../../../entities/instances.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, OuterRow, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';
import type { RecoveryListResponse } from '../../domain/answers.ts';

type RecoveryItem = RecoveryListResponse['recoveries'][number];

/** A row of the ledger, with the instance that the entry tells of. */
export interface RecoveryRow
  extends
    Row<
      Recovery,
      | 'id'
      | 'kind'
      | 'execution'
      | 'slot'
      | 'generation'
      | 'cause'
      | 'tasksKept'
      | 'tasksRequeued'
      | 'secondsLost'
      | 'chargedPence'
    >,
    ExactTimes<Recovery, 'createdAt'>,
    OuterRow<Instance, 'instanceType' | 'market'> {
  readonly seconds_until_work: number | null;
}

/** The ledger's page from a place on. */
function ledgerFrom(place: string): string {
  return `
    select r.id, r.kind, r.execution, r.slot, r.generation, r.cause, r.tasks_kept, r.tasks_requeued, r.charged_pence,
      ${exactTime('r.created_at')} as created_at, i.instance_type, i.market, round(r.seconds_lost::numeric, 3)::float8 as seconds_lost,
      round(extract(epoch from r.went_on_at - r.created_at)::numeric, 3)::float8 as seconds_until_work
    from recoveries r left join instances i on (i.job_id, i.slot, i.generation) = (r.job_id, r.slot, r.generation)
    where r.job_id = $1 ${place} order by r.created_at, r.id limit $2`;
}

const FROM_START = ledgerFrom('');
const FROM_CURSOR = ledgerFrom('and (r.created_at, r.id) > ($3::timestamptz, $4::uuid)');

/** The first so many entries of a job's ledger, for the manifest. */
export async function firstRecoveries(db: Queryable, jobId: string, most: number): Promise<RecoveryItem[]> {
  return (await readLedger(db, jobId, most, null)).map(presentRecovery);
}

/** Reads at most so many entries of a job's ledger from a place on, which is the time and the id of an entry. */
export function readLedger(
  db: Queryable,
  jobId: string,
  limit: number,
  place: readonly string[] | null,
): Promise<RecoveryRow[]> {
  return db.query<RecoveryRow[]>(place === null ? FROM_START : FROM_CURSOR, [jobId, limit, ...(place ?? [])]);
}

/** An entry as customers read it. */
export function presentRecovery(row: RecoveryRow): RecoveryItem {
  return {
    at: row.created_at,
    kind: row.kind,
    execution: row.execution,
    instance:
      row.slot === null || row.generation === null
        ? null
        : {
            slot: row.slot,
            generation: row.generation,
            type: row.instance_type,
            market: row.market ?? 'ON_DEMAND',
          },
    cause: row.cause,
    tasksKept: row.tasks_kept,
    tasksSetBack: row.tasks_requeued,
    secondsLost: row.seconds_lost,
    secondsUntilWork: row.seconds_until_work,
    chargedCents: row.charged_pence,
  };
}
