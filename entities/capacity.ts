/** Requests for capacity. Capacity is granted by changing rows under one lock; there are no queues. */
import { EntitySchema } from 'typeorm';

import { defaulted, insertTime, integer, nullable, primary, text, time, uuid } from './columns.ts';

/** The capacity that one execution of a job asks for, and whether the capacity is granted. */
export interface CapacityRequest {
  jobId: string;
  execution: number;
  accountId: string;
  vcpus: number;
  priority: number;
  state: 'WAITING' | 'GRANTED' | 'RELEASED';
  /** Why the request waits. */
  reason: string | null;
  requestedAt: Date;
  grantedAt: Date | null;
  /** When the workflow of the job saw the grant. */
  noticedAt: Date | null;
  releasedAt: Date | null;
}

/** Table `capacity_requests`. */
export const CapacityRequestEntity = new EntitySchema<CapacityRequest>({
  name: 'CapacityRequest',
  tableName: 'capacity_requests',
  columns: {
    jobId: primary(uuid),
    execution: primary(integer),
    accountId: uuid,
    vcpus: integer,
    priority: integer,
    state: defaulted(text, "'WAITING'"),
    reason: nullable(text),
    requestedAt: insertTime,
    grantedAt: nullable(time),
    noticedAt: nullable(time),
    releasedAt: nullable(time),
  },
});
