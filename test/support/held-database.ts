/** Transactions that begin before others and go on after the others have ended. */
import type { Database } from '../../src/adapters/database.ts';
import type { Tx } from '../../src/services/transaction.ts';

/** A database whose next transaction stops after its begin until the test lets it go on. */
export function heldAfterBegin(db: Database) {
  const begun = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  const held = Object.create(db) as Database;
  held.transaction = async <T>(...given: unknown[]): Promise<T> => {
    const work = given.at(-1) as (tx: Tx) => Promise<T>;
    return db.transaction(async (tx) => {
      // The time of a transaction is fixed by its first statement at the latest.
      await tx.query('select now()');
      begun.resolve(undefined);
      await gate.promise;
      return work(tx);
    });
  };
  return { db: held, begun: begun.promise, go: () => gate.resolve(undefined) };
}
