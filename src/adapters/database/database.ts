/**
 * The connection to PostgreSQL. When the server is lost, the queries in flight fail and the process goes on: dead
 * connections leave the pool, and the next query opens a new connection. `bigint` values arrive as numbers; a value
 * that a number cannot hold exactly fails its query instead of being rounded.
 */
import pg from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';

import { ENTITIES, toSafeInteger } from '../../../entities/index.ts';
import { runMigrations } from './migrations.ts';
import { PreparingClient } from './prepared.ts';
import { sessionOptions } from './session-options.ts';
import { sharePool } from './shared-pool.ts';
import { poolOf, runSingleStatements } from './single-statement.ts';

/** The type of the database that services take. */
export type Database = DataSource;

export interface DatabaseOptions {
  /** Connections of this process. */
  readonly poolSize: number;
  /** Whether the schema is brought up to date before the connection opens. */
  readonly migrate?: boolean;
  /** The name that the operator sees in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** The account that the present work is for; without it, or with null, work takes connections as they come. */
  readonly accountOf?: () => string | null;
  /** Called with errors of idle connections, for the log. */
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
      ...sessionOptions(url),
      max: options.poolSize,
      Client: PreparingClient,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      types: { getTypeParser },
    },
  });
  await database.initialize();
  const { poolSize: size, accountOf = () => null } = options;
  sharePool(poolOf(database), { size, waitMs: CONNECT_TIMEOUT_MS, accountOf });
  runSingleStatements(database);
  return database;
}

/** The name of a column is the name of its property in snake_case, so an entity names each column only once. */
class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** The driver's parsers by the id of any type; the driver's own typing allows named types only. */
const parsers: { getTypeParser(oid: number, format?: 'text' | 'binary'): unknown } = pg.types;

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === INT8_OID && format !== 'binary') return toSafeInteger;
  return parsers.getTypeParser(oid, format);
}
