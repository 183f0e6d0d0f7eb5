import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';

/** The database and the store that uploads live in. */
export interface UploadWork {
  readonly db: DataSource;
  readonly store: ObjectStore;
}
