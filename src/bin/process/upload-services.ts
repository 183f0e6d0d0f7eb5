/** The upload services behind the API, with their messenger to Temporal. */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Services } from '../../../api/services.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { createUploadWorkflows } from '../../adapters/temporal/uploads.ts';
import type { ConfigOf } from '../../config.ts';
import {
  createUploadEndings,
  createUploadUrl,
  initUpload,
  listUploads,
  partUrls,
  renewUploadUrl,
  uploadStatus,
} from '../../services/uploads/index.ts';
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
  const endings = createUploadEndings(deps);
  return {
    services: {
      createUploadUrl: (actor, body, key) => createUploadUrl(deps, actor, body, key),
      renewUploadUrl: (actor, storageKey, body) => renewUploadUrl(deps, actor, storageKey, body),
      init: (actor, command) => initUpload(deps, actor, command),
      list: (actor, query) => listUploads(deps, actor, query),
      status: (actor, uploadId) => uploadStatus({ ...deps, endLost: endings.endLost }, actor, uploadId),
      partUrls: (actor, uploadId, body) => partUrls(deps, actor, uploadId, body),
      complete: (actor, uploadId, body) => endings.complete(actor, uploadId, body),
      abort: (actor, uploadId) => endings.abort(actor, uploadId),
    },
    close: () => workflows.close(),
  };
}
