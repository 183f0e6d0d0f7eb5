/**
 * Notices that keys were revoked, in two ways that do not depend on each other: the database announces it (at once, on
 * a connection of its own), and the revocation epoch is polled (should the announcement or its connection be lost).
 * Neither keeps a process alive nor ends it; without the database both go on trying.
 */
import type { DataSource } from 'typeorm';

import { listen } from '../listener.ts';

/** The channel on which revocations are announced; the payload is the new epoch. */
export const REVOKED_CHANNEL = 'dockyard_revoked';

/** How revocations are watched. */
export interface RevocationWatchOptions {
  readonly pollMs: number;
  /** Something was revoked, or may have been while nobody could tell. */
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
    // A slow database must not be asked by a growing crowd.
    if (polling || !db.isInitialized) return;
    polling = true;
    try {
      const [row] = await db.query<{ epoch: number }[]>('select epoch from revocation_epoch');
      if (row !== undefined) seen(row.epoch);
    } catch {
      // The next poll asks again; how long a key is remembered bounds what is missed.
    } finally {
      polling = false;
    }
  };
  const timer = setInterval(() => void poll(), pollMs);
  timer.unref();
  const listener = listen(db, {
    channel: REVOKED_CHANNEL,
    applicationName: 'dockyard-revocations',
    // What was announced while nobody listened is in the epoch.
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
