/**
 * The contract between the control side and an instance: input and result of the compute activity, and the messages of the
 * gateway. An instance calls Temporal through the gateway, which opens and seals its payloads. The gateway reads job, slot and generation of an instance from its token.
 */

import type { WorkKind } from './job.ts';

/** The protocol's version, sent by the worker in `X-Dockyard-Protocol`. */
export const COMPUTE_PROTOCOL = 1;

/** The namespace that instances name in calls of Temporal; the gateway puts the real one in its place. */
export const COMPUTE_NAMESPACE = 'compute';

/** Header of the worker's protocol version. */
export const PROTOCOL_HEADER = 'x-dockyard-protocol';

/** The most ordinals, files or running tasks that one call may name. */
export const CALL_ITEMS = 1000;

/** The longest name of an output, relative to the task's output folder. */
export const OUTPUT_NAME_CHARACTERS = 200;

/**
 * The longest segment of an output's name in UTF-8. In the key of a committed output, 65 bytes of digest and 17 bytes of
 * the commit's mark precede the first segment, and file systems take names of 255 bytes.
 */
export const OUTPUT_SEGMENT_BYTES = 150;

/**
 * Whether a text may be the name of an output: a relative path of plain segments, without characters that a store, a shell
 * or a file system treats in a special way. The worker, the gateway and the commit each check every name.
 */
export function isOutputName(name: string): boolean {
  if (name.length === 0 || name.length > OUTPUT_NAME_CHARACTERS) return false;
  return name.split('/').every(isOutputSegment);
}

function isOutputSegment(segment: string): boolean {
  const isPlain = /^(?!\.{1,2}$)[\p{L}\p{N}_.+=@,:~ -]+$/u.test(segment) && segment.trim() === segment;
  return isPlain && new TextEncoder().encode(segment).byteLength <= OUTPUT_SEGMENT_BYTES;
}

/** The input of the compute activity: the tasks of one shard. */
export interface ShardInput {
  readonly jobId: string;
  readonly execution: number;
  readonly slot: number;
  readonly generation: number;
  readonly kind: WorkKind;
  readonly ordinals: readonly number[];
}

/** An output as the worker reports it; the control side believes it only when the committed copy was verified. */
export interface StagedOutput {
  readonly name: string;
  readonly kind: string;
  readonly mediaType: string;
  readonly format: string | null;
  readonly byteSize: number;
  readonly sha256: string;
}

/**
 * The report of one task of a shard. `stopped`: the task was cancelled before it was complete. `interrupted`: the task is handed back to
 * be dispatched again, because the instance is taken away, or a leg of the task is over; that is no loss of the task.
 */
export type TaskReport =
  | {
      readonly ordinal: number;
      readonly end: 'done';
      readonly outputs: readonly StagedOutput[];
      readonly seconds: number;
      readonly summary: Readonly<Record<string, unknown>> | null;
    }
  | {
      readonly ordinal: number;
      readonly end: 'failed';
      readonly code: string;
      readonly message: string;
      readonly seconds: number;
      /** The tool did not fail by itself: the system killed the tool, or its session died in the preparation. */
      readonly lost?: true;
    }
  | { readonly ordinal: number; readonly end: 'stopped' | 'interrupted' };

/**
 * The result of the compute activity `runShard`. `fenced`: the generation was fenced, nothing may be committed. `draining`: the
 * instance is about to be taken away and begins no task any more; tasks without a report are still running there, and a
 * shard that names them waits for their ends.
 */
export interface ShardResult {
  readonly fenced: boolean;
  readonly reports: readonly TaskReport[];
  readonly draining?: true;
}

/** The compute activities, as the workflow calls them. */
export interface ComputeActivities {
  /** Runs the tool for each task, stages the outputs and reports their digests. Has one attempt; the workflow decides. */
  runShard(input: ShardInput): Promise<ShardResult>;
}

/** POST /v1/bootstrap, the only call without a bearer: the credential of the launch for a bearer. */
export interface BootstrapRequest {
  readonly credential: string;
  /** Drawn by the caller, and the same in each repeat: who comes with another nonce has the credential of somebody else. */
  readonly nonce: string;
}

/** The form of a nonce. */
export const NONCE = /^[A-Za-z0-9_-]{16,64}$/;

/** The bearer, and for whom it is. */
export interface BootstrapResponse {
  readonly token: string;
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  readonly taskQueue: string;
  readonly vcpus: number;
  readonly toolSlots: number;
}

/** Claims in a gateway token. */
export interface InstanceClaims {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  /** When the token expires, in Unix seconds by the database's clock. */
  readonly expiresAt: number;
}

/** POST /v1/tasks/claim: marks tasks RUNNING for this generation and answers their specifications and inputs. */
export interface ClaimRequest {
  readonly execution: number;
  readonly kind: WorkKind;
  readonly ordinals: readonly number[];
}

/** A file that a task reads: `from` names an input of the claim, `as` is the name that the tool knows the file by. */
export interface TaskInput {
  readonly from: string;
  readonly as: string;
}

/** A claimed task; the tool alone knows the form of `spec` (`Tool.taskSpec`). */
export interface ClaimedTask {
  readonly ordinal: number;
  readonly itemId: string;
  readonly attempt: number;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly inputs: readonly TaskInput[];
  /**
   * For how long the task may run until it is handed back at a checkpoint that is kept, to be covered and dispatched again; absent
   * where it keeps none.
   */
  readonly legSeconds?: number;
}

/** An input that the instance downloads once by its name; the digest is checked before a task reads the input. */
export interface StagedInput {
  readonly storageKey: string;
  readonly name: string;
  readonly url: string;
  /** Of the part, where only a part of the object is read. */
  readonly byteSize: number;
  readonly sha256: string;
  /** The bytes of the object that are read, `end` not included; absent for the whole object. */
  readonly range?: { readonly start: number; readonly end: number };
}

/**
 * The answer to a claim. Tasks that are decided already are left out. `inputs` are those of the answered tasks, but at most
 * `CALL_ITEMS` of them: the instance asks for the others by their names, a page at a time.
 */
export interface ClaimResponse {
  readonly toolId: string;
  /** The variant of the tool's programs that the job runs; absent for the programs without one. */
  readonly variant?: string;
  readonly session: Readonly<Record<string, unknown>>;
  readonly limits: TaskLimits;
  readonly inputs: readonly StagedInput[];
  readonly tasks: readonly ClaimedTask[];
  /** Whether the instance has to tell when each tool starts and ends; absent where nothing is measured. */
  readonly metered?: boolean;
}

/**
 * POST /v1/tasks/meter: the tool of a task starts, with all inputs there, or has ended. `run` is a UUID of one run of the
 * tool; the control side notes the time.
 */
export interface MeterRequest {
  readonly execution: number;
  readonly ordinal: number;
  readonly attempt: number;
  readonly run: string;
  readonly moment: 'started' | 'ended';
}

/**
 * POST /v1/tasks/inputs: presigned GETs of inputs of a task that runs on the instance. A merge may read the outputs of ten
 * thousand tasks, and a page is signed when its files are about to be read, so that no URL expires before its turn.
 */
export interface InputUrlsRequest {
  readonly kind: WorkKind;
  readonly ordinal: number;
  /** Names of inputs, as the claim gave them to the task; at most `CALL_ITEMS`. */
  readonly names: readonly string[];
}

/** The inputs in the order of the names. */
export interface InputUrlsResponse {
  readonly inputs: readonly StagedInput[];
}

/** The folder under whose name a checkpoint's files are staged, and read by the next attempt. */
export const CHECKPOINT_STAGED = '.checkpoint';

/**
 * POST /v1/tasks/checkpoints: files of a running task, staged in the folder of checkpoints, from which the next attempt of the task
 * goes on. The files take the place of the task's checkpoint before.
 */
export interface CheckpointRequest {
  readonly kind: WorkKind;
  readonly ordinal: number;
  readonly attempt: number;
  readonly files: readonly Pick<StagedOutput, 'name' | 'byteSize' | 'sha256'>[];
}

/** The limits of one task; a tool that exceeds a limit is killed and its task fails with a code. */
export interface TaskLimits {
  readonly wallSeconds: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly logBytes: number;
}

/** POST /v1/tasks/upload-urls: presigned PUTs into this generation's staging prefix, for files with known digests. */
export interface UploadUrlsRequest {
  readonly kind: WorkKind;
  readonly files: readonly {
    readonly ordinal: number;
    readonly name: string;
    readonly byteSize: number;
    readonly sha256: string;
  }[];
}

/** The upload URLs in the order of the request's files, each with the headers that must be sent. */
export interface UploadUrlsResponse {
  readonly uploads: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
}

/**
 * POST /v1/payloads/open and /v1/payloads/seal: payloads of Temporal, each as base64 of its protobuf, which the gateway opens and
 * seals because instances have no key. Only shards of the instance are opened. Workers of version 1 alone make these calls.
 */
export interface PayloadsMessage {
  readonly payloads: readonly string[];
}

/** The largest body of such a call: Temporal takes payloads of 2 MB. */
export const PAYLOADS_BYTES = 4 * 1024 * 1024;

/** POST /v1/contact: tells that the instance is alive, and the progress of its running tasks. */
export interface ContactRequest {
  readonly running: readonly {
    readonly kind: WorkKind;
    readonly ordinal: number;
    readonly percent: number;
  }[];
  /** The object store has refused an output for want of room since the last contact. */
  readonly isStoreFull?: boolean;
}

/** The answer to a contact. `stop`: the job is being cancelled, and the tools are to be killed at once. */
export interface ContactResponse {
  readonly stop: boolean;
  /** The next bearer, once half of the life of the present one is over; the present one serves to its end. */
  readonly token?: string;
}

/** POST /v1/tasks/{kind}/{ordinal}/log?attempt=n&from=byte: a chunk of the task's log, at most 1 MiB, as the body. */
export const LOG_CHUNK_BYTES = 1024 * 1024;
