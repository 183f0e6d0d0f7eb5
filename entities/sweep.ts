/**
 * The rows by which the store is swept: stored requests, and the times at which prefixes were last listed as a whole.
 */
import { EntitySchema } from 'typeorm';

import { insertTime, primary, text, uuid } from './columns.ts';

/**
 * A request that was stored before its submit was decided. The row is deleted once a job names the object, or the
 * object is removed.
 */
export interface StoredRequest {
  requestKey: string;
  /** The id of the job that the request asks for; the job exists only when the submit was accepted. */
  jobId: string;
  storedAt: Date;
}

/** Table `stored_requests`. */
export const StoredRequestEntity = new EntitySchema<StoredRequest>({
  name: 'StoredRequest',
  tableName: 'stored_requests',
  columns: { requestKey: primary(text), jobId: uuid, storedAt: insertTime },
});

/** When a prefix of the store was last listed as a whole. */
export interface SweepPass {
  name: string;
  begunAt: Date;
}

/** Table `sweep_passes`. */
export const SweepPassEntity = new EntitySchema<SweepPass>({
  name: 'SweepPass',
  tableName: 'sweep_passes',
  columns: { name: primary(text), begunAt: insertTime },
});
