/**
 * The turns and the hasher with which activities work on files, as a control worker has them, but on the test's own
 * thread.
 */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { createFileTurns } from '../../src/services/file-turns.ts';
import type { FileTurns } from '../../src/services/file-turns.ts';
import { createObjectHasher } from '../../src/services/stored-objects/object-hasher.ts';
import type { ObjectHasher } from '../../src/services/stored-objects/object-hasher.ts';

/** As many turns as by default, and a hasher over the store. */
export function fileWork(
  db: DataSource,
  store: Pick<ObjectStore, 'read'>,
): { readonly hasher: ObjectHasher; readonly turns: FileTurns } {
  return {
    hasher: createObjectHasher(store),
    turns: createFileTurns(db, { ofAccount: 2, inProcess: 8 }),
  };
}
