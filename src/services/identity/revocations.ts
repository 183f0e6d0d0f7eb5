/**
 * Notices that keys were revoked, in two ways that do not depend on each other. The database announces a revocation at
 * once, on a connection of its own; and the revocation epoch is polled, in case the announcement or the connection is
 * lost. Neither way keeps a process alive or ends it, and both are retried while the database does not answer.
 */
import { Socket } from 'node:net';

import pg from 'pg';
import type { DataSource } from 'typeorm';

import type { RevocationEpoch } from '../../../entities/accounts.ts';
import type { Row } from '../row.ts';

/** The channel on which revocations are announced; the payload is the new epoch. */
export const REVOKED_CHANNEL = 'dockyard_revoked';

/** How revocations are watched. */
export interface RevocationWatchOptions {
  readonly pollMs: number;
  /** Called when a key was revoked, or may have been revoked while the watch could not notice. */
  readonly onRevoked: () => void;
}

/** A running watch. */
export interface RevocationWatch {
  close(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

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
  const listener = listen(db, {
    // A revocation that was announced while the connection was down has raised the epoch.
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

interface ListenerEvents {
  readonly onListening: () => void;
  readonly onAnnounced: (payload: string) => void;
}

/** Listens on a connection of its own and makes a new one whenever it is lost, until closed. */
function listen(db: DataSource, events: ListenerEvents): { close(): void } {
  const url = db.options.type === 'postgres' ? db.options.url : undefined;
  let closed = url === undefined;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let pauseMs = FIRST_PAUSE_MS;

  const lost = (which: pg.Client): void => {
    // An error, the end of the connection and a failed query may all report the loss of one connection.
    if (client !== which) return;
    client = null;
    which.end().catch(() => undefined);
    if (closed) return;
    retry = setTimeout(() => void connect(), pauseMs * (0.5 + Math.random() / 2));
    retry.unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };
  const connect = async (): Promise<void> => {
    if (closed) return;
    const opened = openClient(url);
    client = opened;
    opened.on('error', () => lost(opened));
    opened.on('end', () => lost(opened));
    opened.on('notification', ({ payload }) => events.onAnnounced(payload ?? ''));
    try {
      await opened.connect();
      await opened.query(`listen ${REVOKED_CHANNEL}`);
      pauseMs = FIRST_PAUSE_MS;
      events.onListening();
    } catch {
      lost(opened);
    }
  };
  void connect();
  return {
    close() {
      closed = true;
      if (retry !== null) clearTimeout(retry);
      if (client !== null) lost(client);
    },
  };
}

function openClient(url: string | undefined): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'dockyard-revocations',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // The socket does not keep the process alive when nothing else does.
    stream: () => new Socket().unref(),
  });
}
