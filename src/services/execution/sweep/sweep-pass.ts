/** Work that is done now and then for all processes together, such as looking through a prefix of the store once a day. */
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../../../adapters/storage/storage.ts';

/** Removes everything under a prefix. */
export async function removeUnder(store: ObjectStore, prefix: string): Promise<void> {
  for await (const page of store.list(prefix)) {
    if (page.length > 0) await store.remove(page.map((object) => object.key));
  }
}

/** How often work is done, and how soon work is tried again that has failed. */
export interface PassTimes {
  readonly everySeconds: number;
  readonly againSeconds: number;
}

const DAILY: PassTimes = { everySeconds: 86_400, againSeconds: 3600 };

/** Does the work when it was not done for so long, whoever asks: for a day, and again in an hour when it fails, unless told otherwise. */
export async function passThrough(
  db: DataSource,
  name: string,
  work: () => Promise<void>,
  { everySeconds, againSeconds }: PassTimes = DAILY,
): Promise<void> {
  const due = await db.query<unknown[]>(
    `insert into sweep_passes (name) values ($1) on conflict (name) do update set begun_at = now()
     where sweep_passes.begun_at <= now() - make_interval(secs => $2) returning 1`,
    [name, everySeconds],
  );
  if (due.length === 0) return;
  try {
    await work();
  } catch (error) {
    await db.query('update sweep_passes set begun_at = now() - make_interval(secs => $2) where name = $1', [
      name,
      everySeconds - againSeconds,
    ]);
    throw error;
  }
}
