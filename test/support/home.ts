/** What the tests of a suite work with, opened before the first of them and closed after the last. */
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { openTestStore } from './object-store.ts';
import type { TestStore } from './object-store.ts';
import type { JobHome } from './running-job.ts';

/** A database and a store; they can be used from the first hook that follows. */
export interface SuiteHome extends JobHome {
  readonly database: TestDatabase;
  readonly objects: TestStore;
}

/** A home of the suite's own. */
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
  };
}
