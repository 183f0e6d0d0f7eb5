/** Forgetting what was sent, as long after it as events themselves, and secrets that sign nothing any more. */
import type { DataSource } from 'typeorm';

const DAYS = 30;
const BATCH = 1_000;
const BATCHES = 50;

const REMOVE = `
  with removed as (
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < now() - make_interval(days => ${DAYS}) order by created_at limit ${BATCH})
    returning 1)
  select count(*)::int as count from removed`;

/** Removes what is old, a bounded number of rows in a round. */
export async function sweepWebhooks(db: DataSource): Promise<void> {
  await db.query(`delete from webhook_secrets where expires_at < now() - interval '1 day'`);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const [removed] = await db.query<{ readonly count: number }[]>(REMOVE);
    if (removed?.count !== BATCH) return;
  }
}
