/** The database and the store of a suite, opened before its first test and closed after its last. */
import type { Recorders } from '../../src/services/execution/recorder.ts';
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { openTestStore } from './object-store.ts';
import type { TestStore } from './object-store.ts';
import { RECORDERS } from './recorders.ts';
import type { JobHome } from './running-job.ts';

/** A database, a store and the recorders of all tools; hooks that follow may use them. */
export interface SuiteHome extends JobHome {
  readonly recorders: Recorders;
  readonly database: TestDatabase;
  readonly objects: TestStore;
}

/** A database and a store for one suite. */
export function suiteHome(): SuiteHome {
  let database: TestDatabase;
  let objects: TestStore;
  before(async () => {
    [database, objects] = await Promise.all([openTestDatabase(), openTestStore()]);
  });
  after(() => Promise.all([database.close(), objects.close()]));
  return {
    get database() {
      return database;
    },
    get objects() {
      return objects;
    },
    get db() {
      return database.db;
    },
    get store() {
      return objects.store;
    },
    recorders: RECORDERS,
  };
}
