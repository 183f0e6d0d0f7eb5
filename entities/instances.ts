/** Instances, their recoveries, and the heartbeats of services. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  defaulted,
  double,
  insertTime,
  integer,
  json,
  nullable,
  primary,
  text,
  time,
  uuid,
} from './columns.ts';

/** One generation of one slot. Once `fencedAt` is set, nothing that the generation reports counts. */
export interface Instance {
  jobId: string;
  slot: number;
  generation: number;
  provider: string;
  providerId: string | null;
  /** The token is written before the launch; a provider never starts a second instance for the same token. */
  launchToken: string;
  state: 'LAUNCHING' | 'RUNNING' | 'TERMINATED';
  vcpus: number;
  gpus: number;
  /** The class of instances that the job was planned for. */
  instanceClass: string;
  /** The candidate of the launch that the token is for, and how often the launch began with the first candidate again. */
  candidate: number;
  round: number;
  /** All that is sent to the provider for the token; null until that is settled. */
  terms: unknown;
  /** The text that the instance is told at its first boot (`InstanceFrame`); null where there is none. */
  frameDigest: string | null;
  /** The name of the secret that signs the credential of the launch; null until the terms are settled. */
  credentialKey: string | null;
  /** When the provider was asked first under the token; null before. */
  askedAt: Date | null;
  /** The kind of processor; null where the provider does not tell kinds apart, or nothing is launched yet. */
  cpuClass: string | null;
  /** Zone of the provider that the instance is in; null where it does not say. */
  zone: string | null;
  /** Why the provider refused the launch last, in its words; null where it did not. */
  refusal: string | null;
  /** The type by the name that the provider has for it; null where the provider has no types. */
  instanceType: string | null;
  market: 'ON_DEMAND' | 'SPOT';
  launchedAt: Date;
  lastContactAt: Date | null;
  /** When the instance was about to be taken away, and its slot went on with the next generation. */
  drainedAt: Date | null;
  fencedAt: Date | null;
  fenceCause: string | null;
  terminatedAt: Date | null;
  /** The nonce of the first call of the instance; null until then. */
  bootstrapNonce: string | null;
  /** When the staging of a fenced generation is swept next; null when no file can arrive in the staging any more. */
  stagingDueAt: Date | null;
}

/** Table `instances`. */
export const InstanceEntity = new EntitySchema<Instance>({
  name: 'Instance',
  tableName: 'instances',
  columns: {
    jobId: primary(uuid),
    slot: primary(integer),
    generation: primary(integer),
    provider: text,
    providerId: nullable(text),
    launchToken: text,
    state: defaulted(text, "'LAUNCHING'"),
    vcpus: integer,
    gpus: defaulted(integer, '0'),
    instanceClass: defaulted(text, "'cpu'"),
    candidate: defaulted(integer, '0'),
    round: defaulted(integer, '0'),
    terms: nullable(json),
    frameDigest: nullable(text),
    credentialKey: nullable(text),
    askedAt: nullable(time),
    cpuClass: nullable(text),
    zone: nullable(text),
    refusal: nullable(text),
    instanceType: nullable(text),
    market: defaulted(text, "'ON_DEMAND'"),
    launchedAt: insertTime,
    lastContactAt: nullable(time),
    drainedAt: nullable(time),
    fencedAt: nullable(time),
    fenceCause: nullable(text),
    terminatedAt: nullable(time),
    bootstrapNonce: nullable(text),
    stagingDueAt: defaulted(nullable(time), 'now()'),
  },
});

/** A text that instances are told at their first boot, without what is secret in it; rows name it by its SHA-256. */
export interface InstanceFrame {
  digest: string;
  content: string;
}

/** Table `instance_frames`. */
export const InstanceFrameEntity = new EntitySchema<InstanceFrame>({
  name: 'InstanceFrame',
  tableName: 'instance_frames',
  columns: { digest: primary(text), content: text },
});

/** An entry of the recovery ledger, which the customer sees: a lost instance, a pause or a resume. */
export interface Recovery {
  id: string;
  jobId: string;
  execution: number;
  kind: 'LOSS' | 'PAUSE' | 'RESUME';
  /** The instance that was lost; null for a pause or a resume. */
  slot: number | null;
  generation: number | null;
  cause: string;
  tasksKept: number;
  tasksRequeued: number;
  secondsLost: number;
  /** Always 0: a recovery costs the customer nothing. */
  chargedPence: number;
  /** Whether the generation had decided a task; null when it was never in contact, or its tasks' losses explain it. */
  delivered: boolean | null;
  /** When work went on; null as long as it has not. */
  wentOnAt: Date | null;
  createdAt: Date;
}

/** Table `recoveries`. */
export const RecoveryEntity = new EntitySchema<Recovery>({
  name: 'Recovery',
  tableName: 'recoveries',
  columns: {
    id: primary(uuid),
    jobId: uuid,
    execution: integer,
    kind: defaulted(text, "'LOSS'"),
    slot: nullable(integer),
    generation: nullable(integer),
    cause: text,
    tasksKept: integer,
    tasksRequeued: integer,
    secondsLost: double,
    chargedPence: defaulted(bigint, '0'),
    delivered: nullable(boolean),
    wentOnAt: nullable(time),
    createdAt: insertTime,
  },
});

/** When a service was last alive, so that an outage of the gateway is not taken for the silence of an instance. */
export interface ServiceHeartbeat {
  service: string;
  upSince: Date;
  beatAt: Date;
}

/** Table `service_heartbeats`. */
export const ServiceHeartbeatEntity = new EntitySchema<ServiceHeartbeat>({
  name: 'ServiceHeartbeat',
  tableName: 'service_heartbeats',
  columns: { service: primary(text), upSince: time, beatAt: time },
});
