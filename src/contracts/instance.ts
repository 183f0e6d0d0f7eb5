/**
 * What control and compute say to each other: the compute activity's input and result, and the gateway's messages.
 * Version 1; a worker one version back is served. An instance knows its own job, slot and generation from its token.
 */

/** The protocol's version, sent by the worker in `X-Dockyard-Protocol`. */
export const COMPUTE_PROTOCOL = 1;

/** Header of the worker's protocol version. */
export const PROTOCOL_HEADER = 'x-dockyard-protocol';

/** The most ordinals, files or running tasks that one call may name. */
export const CALL_ITEMS = 1000;

/** The longest name of an output, relative to the task's output folder. */
export const OUTPUT_NAME_CHARACTERS = 200;

/**
 * The longest segment of an output's name in UTF-8: committed, the first one has 65 bytes of digest and 17 of the
 * commit's mark before it, and file systems take 255.
 */
export const OUTPUT_SEGMENT_BYTES = 150;

/**
 * Whether a name may be an output's: relative, in plain segments, nothing that a store, shell or file system reads in
 * another way. Checked by the worker, by the gateway and before the commit.
 */
export function isOutputName(name: string): boolean {
  if (name.length === 0 || name.length > OUTPUT_NAME_CHARACTERS) return false;
  return name.split('/').every(isOutputSegment);
}

function isOutputSegment(segment: string): boolean {
  const isPlain = /^(?!\.{1,2}$)[\p{L}\p{N}_.+=@,:~ -]+$/u.test(segment) && segment.trim() === segment;
  return isPlain && new TextEncoder().encode(segment).byteLength <= OUTPUT_SEGMENT_BYTES;
}

/** Names the tasks one compute activity carries. */
export interface ShardInput {
  readonly jobId: string;
  readonly execution: number;
  readonly slot: number;
  readonly generation: number;
  readonly kind: 'task' | 'prepare' | 'control';
  readonly ordinals: readonly number[];
}

/** One output as the worker reports it; believed only after the committed copy was verified. */
export interface StagedOutput {
  readonly name: string;
  readonly kind: string;
  readonly mediaType: string;
  readonly format: string | null;
  readonly byteSize: number;
  readonly sha256: string;
}

/** What became of one task of a shard. `stopped`: cancelled or drained before it was complete. */
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
      /** The tool did not end by itself: the system killed it, or its session died in the preparation. */
      readonly lost?: true;
    }
  | { readonly ordinal: number; readonly end: 'stopped' };

/** The result of the compute activity `runShard`. `fenced`: the generation was fenced, nothing may be committed. */
export interface ShardResult {
  readonly fenced: boolean;
  readonly reports: readonly TaskReport[];
}

/** The compute activities, as the workflow calls them. */
export interface ComputeActivities {
  /** Runs the tool for each task, stages the outputs, reports digests. One attempt: the workflow decides what follows. */
  runShard(input: ShardInput): Promise<ShardResult>;
}

/** Claims in a gateway token. */
export interface InstanceClaims {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** POST /v1/tasks/claim: marks tasks RUNNING for this generation and returns what they need. */
export interface ClaimRequest {
  readonly execution: number;
  readonly kind: ShardInput['kind'];
  readonly ordinals: readonly number[];
}

/** A file that a task reads: which of the claim's inputs, and the name under which its tool asks for it. */
export interface TaskInput {
  readonly from: string;
  readonly as: string;
}

/** One claimed task. `spec` is the tool's own (`Tool.taskSpec`). */
export interface ClaimedTask {
  readonly ordinal: number;
  readonly itemId: string;
  readonly attempt: number;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly inputs: readonly TaskInput[];
}

/** An input to fetch before the task starts, once per instance and name; the digest is checked before use. */
export interface StagedInput {
  readonly storageKey: string;
  readonly name: string;
  readonly url: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** Answer to a claim. Tasks already decided are left out; `inputs` are those of the tasks that are there. */
export interface ClaimResponse {
  readonly toolId: string;
  readonly session: Readonly<Record<string, unknown>>;
  readonly limits: TaskLimits;
  readonly inputs: readonly StagedInput[];
  readonly tasks: readonly ClaimedTask[];
}

/** What one task may use; a tool that uses more is killed and its task fails with a code. */
export interface TaskLimits {
  readonly wallSeconds: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly logBytes: number;
}

/** POST /v1/tasks/upload-urls: presigned PUTs into this generation's staging prefix, for files with known digests. */
export interface UploadUrlsRequest {
  readonly kind: ShardInput['kind'];
  readonly files: readonly {
    readonly ordinal: number;
    readonly name: string;
    readonly byteSize: number;
    readonly sha256: string;
  }[];
}

/** URLs in the order of the request, with the headers that must be sent. */
export interface UploadUrlsResponse {
  readonly uploads: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
}

/** POST /v1/contact: the instance is alive; progress of what runs. Answers what to stop. */
export interface ContactRequest {
  readonly running: readonly {
    readonly kind: ShardInput['kind'];
    readonly ordinal: number;
    readonly percent: number;
  }[];
}

/** `stop`: the job is being cancelled: tools are to be killed at once. */
export interface ContactResponse {
  readonly stop: boolean;
}

/** POST /v1/tasks/{kind}/{ordinal}/log?attempt=n&from=byte: a chunk of the task's log, at most 1 MiB, as the body. */
export const LOG_CHUNK_BYTES = 1024 * 1024;
