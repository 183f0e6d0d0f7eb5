/** Requests for capacity. Capacity is granted by changing rows under one lock; there are no queues. */
import { EntitySchema } from 'typeorm';

import { boolean, defaulted, insertTime, integer, nullable, primary, text, time, uuid } from './columns.ts';

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
  /** The class of the instances, whose limits hold. */
  class: string;
  /** The account's plan when it asked; null: the limits of any account hold. */
  plan: string | null;
  /** The software of which each instance takes a seat; empty: none. */
  licence: string;
  /** The seats of the instances that are granted; computed by the database. */
  seats: number;
  /** The GPUs of one instance. */
  stepGpus: number;
  /** The GPUs of the instances that are granted; computed by the database. */
  gpus: number;
  priority: number;
  state: 'WAITING' | 'GRANTED' | 'RELEASED';
  /** Why the request waits. */
  reason: string | null;
  /** Later than the first request by the time in which the execution held capacity that it gave back for want of room. */
  requestedAt: Date;
  grantedAt: Date | null;
  /** When the first vCPUs of those that are granted were granted. */
  firstGrantedAt: Date | null;
  /** When the workflow of the job saw the grant. */
  noticedAt: Date | null;
  releasedAt: Date | null;
  /** Whether the capacity was given back because the provider had no room, so that the execution asks again. */
  mayAskAgain: boolean;
  /** Since when a waiting request that does not fit keeps what is given back from others. */
  reservedAt: Date | null;
  /** Resource that is reserved: vCPUs or GPUs, of all, of a plan or of a class. */
  reservedFor: string | null;
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
    class: defaulted(text, "'cpu'"),
    plan: nullable(text),
    licence: defaulted(text, "''"),
    seats: { ...integer, insert: false, update: false },
    stepGpus: defaulted(integer, '0'),
    gpus: { ...integer, insert: false, update: false },
    priority: integer,
    state: defaulted(text, "'WAITING'"),
    reason: nullable(text),
    requestedAt: insertTime,
    grantedAt: nullable(time),
    firstGrantedAt: nullable(time),
    noticedAt: nullable(time),
    releasedAt: nullable(time),
    mayAskAgain: defaulted(boolean, 'false'),
    reservedAt: nullable(time),
    reservedFor: nullable(text),
  },
});
