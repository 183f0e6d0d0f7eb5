/**
 * The database's clock, for what is judged many times a second: asked now and then, and carried on by the time that has passed since,
 * which no change of the machine's clock moves. While the database is away the clock goes on; a process that has never reached
 * the database knows no time.
 */
import type { DataSource } from 'typeorm';

import { rowsOf } from './transaction.ts';

/** Tells the database's time. */
export interface DatabaseClock {
  /** Unix seconds. @throws Error as long as the database has never answered. */
  seconds(): Promise<number>;
}

const NOW = 'select extract(epoch from clock_timestamp())::float8 as now';
/** Two clocks that run at different speeds are less than a millisecond apart after so long. */
const ASKED_EVERY_MS = 10_000;

/** Opens the clock of one process. */
export function createDatabaseClock(db: DataSource): DatabaseClock {
  let known: { readonly seconds: number; readonly at: number } | null = null;
  let asking: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    const [row] = await rowsOf<{ readonly now: number }>(db, NOW, []);
    // The answer is of a moment before it came, so the clock is a little late and never early.
    if (row !== undefined) known = { seconds: row.now, at: performance.now() };
  };
  async function seconds(): Promise<number> {
    if (known === null || performance.now() - known.at > ASKED_EVERY_MS) {
      asking ??= ask().finally(() => (asking = null));
      if (known === null) await asking;
      else asking.catch(() => undefined);
    }
    if (known === null) throw new Error('The database has not told the time.');
    return known.seconds + (performance.now() - known.at) / 1000;
  }
  return { seconds };
}
