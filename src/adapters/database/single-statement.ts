/**
 * Single statements, outside of transactions. TypeORM makes a runner, a manager of entities and a broadcaster for each of
 * them, which is more work than the statement is for the driver. Here a statement takes a connection of the pool, and what
 * TypeORM answers and throws stays: rows, the number of rows beside them for UPDATE and DELETE, QueryFailedError.
 */
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import type { DataSource } from 'typeorm';

import { errorOf } from './shared-pool.ts';

/** Lets a source whose pool is open run single statements that way; those of a transaction run as before. */
export function runSingleStatements(database: DataSource): void {
  const pool = poolOf(database);
  const query = database.query.bind(database);
  function querySingly(text: string, values?: unknown, runner?: unknown): unknown {
    return runner === undefined && (values === undefined || Array.isArray(values))
      ? runSingle(pool, text, values)
      : Reflect.apply(query, undefined, [text, values, runner]);
  }
  // The source's own type of `query` answers whatever its caller says, so that no typed method can take its place.
  Object.defineProperty(database, 'query', { configurable: true, writable: true, value: querySingly });
}

/** The pool of the driver. @throws Error when the source is not open. */
export function poolOf({ driver }: DataSource): pg.Pool {
  const pool: unknown = 'master' in driver ? driver.master : null;
  if (pool instanceof pg.Pool) return pool;
  throw new Error('The database has no pool of the driver.');
}

async function runSingle(pool: pg.Pool, text: string, values: unknown[] | undefined): Promise<unknown> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: Error): void => void (lost = error);
  client.on('error', onError);
  try {
    const { command, rows, rowCount } = await client.query<Record<string, unknown>>(text, values);
    return command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
  } catch (error) {
    // The server ends the connection with an error that is fatal, and the driver learns of the end only later.
    if (error instanceof pg.DatabaseError && error.severity === 'FATAL') lost = error;
    throw new QueryFailedError(text, values, errorOf(error));
  } finally {
    client.removeListener('error', onError);
    client.release(lost);
  }
}
