/**
 * The connection to PostgreSQL. A lost server costs the queries in flight, never the process: dead connections leave
 * the pool, and the next query opens a new one. `bigint` values arrive as numbers; one that a number cannot hold
 * exactly fails its query instead of being rounded.
 */
import pg from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';

import { ENTITIES, toSafeInteger } from '../../../entities/index.ts';
import { runMigrations } from './migrations.ts';
import { PreparingClient } from './prepared.ts';

/** The database as services take it. */
export type Database = DataSource;

/** How a process connects. */
export interface DatabaseOptions {
  /** Connections of this process. */
  readonly poolSize: number;
  /** Brings the schema up to date first. */
  readonly migrate?: boolean;
  /** Shown to the operator in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Told of errors on idle connections, for the log. */
  readonly onError?: (error: Error) => void;
}

const INT8_OID = 20;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Connects, after bringing the schema up to date when asked to. */
export async function createDatabase(url: string, options: DatabaseOptions): Promise<DataSource> {
  if (options.migrate === true) await runMigrations(url);
  const database = new DataSource({
    type: 'postgres',
    url,
    applicationName: options.applicationName ?? 'dockyard',
    entities: ENTITIES,
    namingStrategy: new SnakeCaseNames(),
    synchronize: false,
    logging: false,
    poolErrorHandler: (error: unknown) => {
      if (error instanceof Error) options.onError?.(error);
    },
    extra: {
      max: options.poolSize,
      Client: PreparingClient,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      types: { getTypeParser },
    },
  });
  return database.initialize();
}

/** Columns are the properties' names in snake_case, so an entity names each only once. */
class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** The driver's parsers by any type's id, not only by those that it has names for. */
const parsers: { getTypeParser(oid: number, format?: 'text' | 'binary'): unknown } = pg.types;

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === INT8_OID && format !== 'binary') return toSafeInteger;
  return parsers.getTypeParser(oid, format);
}
