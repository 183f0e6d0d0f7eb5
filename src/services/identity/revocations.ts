/**
 * Notices that keys were revoked or stand for something else, in two ways that do not depend on each other. The database announces a revocation at
 * once, on a connection of its own; and the revocation epoch is polled, in case the announcement or the connection is
 * lost. Neither way keeps a process alive or ends it, and both are retried while the database does not answer.
 */
import type { DataSource } from 'typeorm';

import { listen } from '../listener.ts';
import type { RevocationEpoch } from '../../../entities/accounts.ts';
import type { Row } from '../row.ts';

/** The channel on which revocations are announced; the payload is the new epoch. */
export const REVOKED_CHANNEL = 'dockyard_revoked';

const APPLICATION = 'dockyard-revocations';

/** How many processes authenticate callers now, which are those of the API: each of them listens for revocations. */
export async function countAuthenticating(db: DataSource): Promise<number> {
  const [row] = await db.query<{ count: number }[]>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = '${APPLICATION}'`,
  );
  return row?.count ?? 0;
}

export interface RevocationWatchOptions {
  readonly pollMs: number;
  /** Called when a key was revoked, or may have been revoked while the watch could not notice. */
  readonly onRevoked: () => void;
}

/** A running watch. */
export interface RevocationWatch {
  close(): void;
}

/** Starts watching. */
export function watchRevocations(
  db: DataSource,
  { pollMs, onRevoked }: RevocationWatchOptions,
): RevocationWatch {
  let epoch: number | null = null;
  let polling = false;
  const seen = (value: number): void => {
    if (value === epoch) return;
    epoch = value;
    onRevoked();
  };
  const poll = async (): Promise<void> => {
    // A poll is skipped while another one waits, so that a slow database is not asked ever more often.
    if (polling || !db.isInitialized) return;
    polling = true;
    try {
      // Every process polls every two seconds, for ever: this is the cheapest way to read one number.
      const [row] = await db.query<Row<RevocationEpoch, 'epoch'>[]>('select epoch from revocation_epoch');
      if (row !== undefined) seen(row.epoch);
    } catch {
      // The next poll asks again. The time for which a key is cached bounds how long a missed revocation has no effect.
    } finally {
      polling = false;
    }
  };
  const timer = setInterval(() => void poll(), pollMs);
  timer.unref();
  const listener = listen(db, `listen ${REVOKED_CHANNEL}`, {
    applicationName: APPLICATION,
    // The epoch has moved with every revocation that was announced while nobody listened.
    onListening: () => void poll(),
    onAnnounced: (payload) => (/^\d{1,15}$/.test(payload) ? seen(Number(payload)) : onRevoked()),
  });
  return {
    close() {
      clearInterval(timer);
      listener.close();
    },
  };
}
