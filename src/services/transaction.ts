/**
 * Transactions. With a serialization failure or a deadlock PostgreSQL asks to run the work again, so the work must have
 * no effect outside the transaction. The work is repeated with jittered back-off, and the customer never sees such an
 * error.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';

import { backOff } from '../domain/back-off.ts';

/** An open transaction. */
export type Tx = EntityManager;

/** A transaction or the database: whatever a single statement may run in. */
export type Queryable = Pick<EntityManager, 'query' | 'getRepository'>;

export interface TransactionOptions {
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
}

const SNAPSHOT = 'start transaction isolation level repeatable read, read only';
const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const UNIQUE_VIOLATION = '23505';

/** Runs the work in a transaction and commits; repeats it when PostgreSQL asks for that. */
export async function inTransaction<T>(
  db: DataSource,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { isolation } = options;
  return repeatConflicts(() =>
    isolation === undefined ? db.transaction(work) : db.transaction(isolation, work),
  );
}

/**
 * Reads in one snapshot: all statements see the database as it is at the first one. A transaction that only reads never has to be
 * repeated. The transaction begins in one statement where TypeORM takes two.
 */
export async function inSnapshot<T>(db: DataSource, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const runner = db.createQueryRunner();
  try {
    await runner.query(SNAPSHOT);
    const answer = await work(runner.manager);
    await runner.query('commit');
    return answer;
  } catch (error) {
    // A connection that is lost has no transaction any more.
    await runner.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/**
 * Runs a statement, or anything that is one transaction of its own, and repeats it when PostgreSQL asks for that.
 * Never used inside a transaction: after such an error the transaction has failed and must be repeated as a whole.
 */
export async function repeatConflicts<T>(work: () => Promise<T>): Promise<T> {
  const pausesMs = backOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      // Full jitter, so that two transactions in each other's way do not meet again.
      await sleep(Math.random() * pausesMs.next().value);
    }
  }
}

/** Rows of a statement on its own, typed at the one place where SQL meets types. A deadlock is repeated. */
export async function rowsOf<T>(db: DataSource, sql: string, parameters: readonly unknown[]): Promise<T[]> {
  return repeatConflicts(() => db.query<T[]>(sql, [...parameters]));
}

/** Whether the error is PostgreSQL asking to run the transaction again. */
export function isRetryable(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Whether a row with this key exists already; `constraint` narrows it to one index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlStateOf(error) !== UNIQUE_VIOLATION) return false;
  if (constraint === undefined) return true;
  return (
    typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
  );
}

function sqlStateOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
