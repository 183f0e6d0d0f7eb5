/** Looking through a prefix of the store as a whole: once a day for all rounds together, and what one finds under it. */
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';

/** Removes everything under a prefix. */
export async function removeUnder(store: ObjectStore, prefix: string): Promise<void> {
  for await (const page of store.list(prefix)) {
    if (page.length > 0) await store.remove(page.map((object) => object.key));
  }
}

/** Does the work when it was not done for a day, whoever asks; what fails is tried again in an hour. */
export async function passThrough(db: DataSource, name: string, work: () => Promise<void>): Promise<void> {
  const due = await db.query<unknown[]>(
    `insert into sweep_passes (name) values ($1) on conflict (name) do update set begun_at = now()
     where sweep_passes.begun_at <= now() - interval '1 day' returning 1`,
    [name],
  );
  if (due.length === 0) return;
  try {
    await work();
  } catch (error) {
    await db.query(`update sweep_passes set begun_at = now() - interval '23 hours' where name = $1`, [name]);
    throw error;
  }
}
