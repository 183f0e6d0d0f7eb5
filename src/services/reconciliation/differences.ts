/** Differences as rows: one for each thing that does not agree, from the night when it was found to the night when it was gone. */
import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { ReconciliationDifferenceEntity } from '../../../entities/reconciliation.ts';
import type { ReconciliationDifference } from '../../../entities/reconciliation.ts';
import { inTransaction } from '../transaction.ts';

/** Something that does not agree. */
export interface Difference {
  /** The id of what does not agree. */
  readonly subject: string;
  readonly detail: string;
}

/** A difference as it is kept. */
export type KeptDifference = Readonly<ReconciliationDifference>;

/** Records all differences that a check has found; a difference that was found before and not now has ended. */
export async function recordDifferences(
  db: DataSource,
  check: string,
  found: readonly Difference[],
): Promise<void> {
  const rows = found.map((difference) => ({ ...difference, id: uuidv7() }));
  await inTransaction(db, async (tx) => {
    await tx.query(
      `update reconciliation_differences set ended_at = clock_timestamp()
       where check_name = $1 and ended_at is null and subject <> all($2::text[])`,
      [check, found.map(({ subject }) => subject)],
    );
    await tx.query(
      `insert into reconciliation_differences (id, check_name, subject, detail)
       select f.id, $1, f.subject, f.detail from jsonb_to_recordset($2::jsonb) f(id uuid, subject text, detail text)
       on conflict (check_name, subject) where ended_at is null
       do update set detail = excluded.detail, last_seen_at = clock_timestamp()`,
      [check, JSON.stringify(rows)],
    );
  });
}

/** The differences that have not ended, oldest first. */
export function listDifferences(db: DataSource): Promise<KeptDifference[]> {
  return db
    .getRepository(ReconciliationDifferenceEntity)
    .find({ where: { endedAt: IsNull() }, order: { firstSeenAt: 'ASC', id: 'ASC' } });
}

/** How many differences have not ended, by check. */
export async function countDifferences(db: DataSource): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ readonly check: string; readonly n: number }[]>(
    `select check_name as check, count(*)::int as n from reconciliation_differences where ended_at is null group by 1`,
  );
  return new Map(rows.map(({ check, n }) => [check, n]));
}
