/** What the sweep of the store knows by rows: requests that were stored, and when it last looked through everything. */
import { EntitySchema } from 'typeorm';

import { insertTime, primary, text, uuid } from './columns.ts';

/** A request that was stored before its submit was decided; the row goes once a job has it, or the object is gone. */
export interface StoredRequest {
  requestKey: string;
  /** The job that it would become; there need not be one. */
  jobId: string;
  storedAt: Date;
}

/** Table `stored_requests`. */
export const StoredRequestEntity = new EntitySchema<StoredRequest>({
  name: 'StoredRequest',
  tableName: 'stored_requests',
  columns: { requestKey: primary(text), jobId: uuid, storedAt: insertTime },
});

/** When a prefix of the store was last looked through as a whole. */
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
