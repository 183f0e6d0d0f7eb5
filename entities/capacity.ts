/** Requests for capacity; granted by rows under one lock, not by queues. */
import { EntitySchema } from 'typeorm';

import { defaulted, insertTime, integer, nullable, primary, text, time, uuid } from './columns.ts';

/** What one execution of a job asks for, and whether it has it. */
export interface CapacityRequest {
  jobId: string;
  execution: number;
  accountId: string;
  vcpus: number;
  priority: number;
  state: 'WAITING' | 'GRANTED' | 'RELEASED';
  /** Why it waits. */
  reason: string | null;
  requestedAt: Date;
  grantedAt: Date | null;
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
    releasedAt: nullable(time),
  },
});
