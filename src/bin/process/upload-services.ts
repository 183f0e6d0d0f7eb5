/** The upload services behind the API, with their messenger to Temporal. */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Services } from '../../../api/services.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { createUploadWorkflows } from '../../adapters/temporal/uploads.ts';
import type { ConfigOf } from '../../config.ts';
import { createUploads } from '../../services/uploads/index.ts';
import type { Tracing } from '../../tracing/tracing.ts';

/** The database, store, messenger settings and limits from which the upload services are built. */
export interface UploadParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly log: Logger;
  readonly config: ConfigOf<'api'>;
  readonly tracing: Tracing;
}

/** Makes the upload services; the connection to Temporal is made at the first call. */
export function openUploadServices({ db, store, log, config, tracing }: UploadParts): {
  readonly services: Services['uploads'];
  readonly close: () => Promise<void>;
} {
  const workflows = createUploadWorkflows({ ...config, tracing });
  const quotaBytes = { free: config.storageQuotaBytes, pro: config.storageQuotaProBytes };
  const deps = { db, store, log, workflows, quotaBytes };
  return { services: createUploads(deps), close: () => workflows.close() };
}
