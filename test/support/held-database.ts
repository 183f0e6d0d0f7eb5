/** Transactions that begin before others and go on after them. */
import type { Database } from '../../src/adapters/database.ts';
import type { Tx } from '../../src/services/transaction.ts';

/** A database whose next transaction stops once it has begun, until it may go on. */
export function heldAfterBegin(db: Database) {
  const begun = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  const held = Object.create(db) as Database;
  held.transaction = async <T>(...given: unknown[]): Promise<T> => {
    const work = given.at(-1) as (tx: Tx) => Promise<T>;
    return db.transaction(async (tx) => {
      // The time of the transaction is that of its first statement at the latest.
      await tx.query('select now()');
      begun.resolve(undefined);
      await gate.promise;
      return work(tx);
    });
  };
  return { db: held, begun: begun.promise, go: () => gate.resolve(undefined) };
}
