/** Requests for capacity. Capacity is granted by changing rows under one lock; there are no queues. */
import { EntitySchema } from 'typeorm';

import { defaulted, insertTime, integer, nullable, primary, text, time, uuid } from './columns.ts';

/** The capacity that one execution of a job asks for, and whether the capacity is granted. */
export interface CapacityRequest {
  jobId: string;
  execution: number;
  accountId: string;
  /** Asked for while the request waits, granted afterwards. */
  vcpus: number;
  /** The vCPUs of one instance, by which a request is granted; null: all are granted at once. */
  stepVcpus: number | null;
  /** The vCPUs that a granted request wants in all. */
  wantedVcpus: number | null;
  priority: number;
  state: 'WAITING' | 'GRANTED' | 'RELEASED';
  /** Why the request waits. */
  reason: string | null;
  requestedAt: Date;
  grantedAt: Date | null;
  /** When the workflow of the job saw the grant. */
  noticedAt: Date | null;
  releasedAt: Date | null;
  /** Since when a waiting request that does not fit keeps what is given back from others. */
  reservedAt: Date | null;
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
    stepVcpus: nullable(integer),
    wantedVcpus: nullable(integer),
    priority: integer,
    state: defaulted(text, "'WAITING'"),
    reason: nullable(text),
    requestedAt: insertTime,
    grantedAt: nullable(time),
    noticedAt: nullable(time),
    releasedAt: nullable(time),
    reservedAt: nullable(time),
  },
});
