/**
 * Listening to announcements of PostgreSQL (NOTIFY), on a connection of its own, which is made anew whenever it is lost.
 * Announcements meanwhile are lost; so a listener looks once at each new connection, and has another way to learn of those that
 * it must not miss. A listener neither keeps a process alive nor ends it.
 */
import { Socket } from 'node:net';

import pg from 'pg';
import type { DataSource } from 'typeorm';

export interface ListenerOptions {
  /** Shown to the operator in `pg_stat_activity`. */
  readonly applicationName: string;
  /** From here on every announcement is heard; what came before may have been missed. */
  readonly onListening: () => void;
  readonly onAnnounced: (payload: string) => void;
  /** From here on announcements are missed. */
  readonly onLost?: () => void;
}

/** A running listener. */
export interface Listener {
  close(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Runs `statement`, a LISTEN, on a connection of its own, and on a new one whenever a connection is lost, until closed.
 */
export function listen(db: DataSource, statement: string, options: ListenerOptions): Listener {
  const url = db.options.type === 'postgres' ? db.options.url : undefined;
  let closed = url === undefined;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let pauseMs = FIRST_PAUSE_MS;

  const lost = (which: pg.Client): void => {
    // An error, the end of the connection and a failed query may all tell the same loss.
    if (client !== which) return;
    client = null;
    which.end().catch(() => undefined);
    if (closed) return;
    options.onLost?.();
    retry = setTimeout(() => void connect(), pauseMs * (0.5 + Math.random() / 2));
    retry.unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };
  const connect = async (): Promise<void> => {
    if (closed) return;
    const opened = openClient(url, options.applicationName);
    client = opened;
    opened.on('error', () => lost(opened));
    opened.on('end', () => lost(opened));
    opened.on('notification', ({ payload }) => options.onAnnounced(payload ?? ''));
    try {
      await opened.connect();
      await opened.query(statement);
      if (client !== opened) return;
      pauseMs = FIRST_PAUSE_MS;
      options.onListening();
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

function openClient(url: string | undefined, applicationName: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Listening alone is no reason for a process to live.
    stream: () => new Socket().unref(),
  });
}
