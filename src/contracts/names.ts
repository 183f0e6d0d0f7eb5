/** Names that live in Temporal histories and in the operator's UI: task queues, workflow ids. Never renamed. */

/**
 * The control workers' task queue of money and state: every workflow, and activities that are short statements. What
 * was started before the other two queues existed has all its control activities here.
 */
export const CONTROL_QUEUE = 'control';

/** The control workers' task queue of work through the object store, which takes as long as the bytes are many. */
export const STORAGE_QUEUE = 'storage';

/** The control workers' task queue of calls of an instance provider, which wait for its answers. */
export const PROVIDER_QUEUE = 'provider';

/** The task queues that every control worker serves. */
export const CONTROL_QUEUES = [CONTROL_QUEUE, STORAGE_QUEUE, PROVIDER_QUEUE] as const;

/** One of them. */
export type ControlQueue = (typeof CONTROL_QUEUES)[number];

/** The workflow id of a job. */
export function jobWorkflowId(jobId: string): string {
  return `job/${jobId}`;
}

/** The workflow id of a multipart upload. */
export function uploadWorkflowId(uploadId: string): string {
  return `upload/${uploadId}`;
}

/** The workflow id of one run of one part of a job; `run` counts the part's starts, so an id is never used twice. */
export function jobPartWorkflowId(jobId: string, execution: number, part: number, run: number): string {
  return `job/${jobId}/${execution}/part/${part}.${run}`;
}

/** The task queue of one generation of one instance slot; a fenced generation is never sent work again. */
export function computeQueue(jobId: string, slot: number, generation: number): string {
  return `compute/${jobId}/${slot}.${generation}`;
}

/** Under it lies everything that instances wrote and nobody has committed. */
export const STAGING_ROOT = 'staging/';

/** Under it lie large requests, apart from outputs, so that completeness can list a job's outputs. */
export const REQUEST_ROOT = 'requests/';

/** Where an instance generation stages a task's outputs; nothing under it is ever an output by itself. */
export function stagingPrefix(jobId: string, slot: number, generation: number): string {
  return `${STAGING_ROOT}${jobId}/${slot}.${generation}/`;
}

/**
 * Where an instance generation stages one output of a task, or of a step under the step's kind. The control side
 * reads it there for the commit; nothing else may.
 */
export function stagedKey(
  jobId: string,
  slot: number,
  generation: number,
  kind: 'task' | 'prepare' | 'control',
  ordinal: number,
  name: string,
): string {
  const folder = kind === 'task' ? String(ordinal) : `${kind}/${ordinal}`;
  return `${stagingPrefix(jobId, slot, generation)}${folder}/${name}`;
}

/** Where the log chunks of a job's tasks are kept. */
export function logPrefix(jobId: string): string {
  return `logs/${jobId}/`;
}

/** Where committed outputs of a job live; no instance may write there. */
export function jobPrefix(accountId: string, jobId: string): string {
  return `accounts/${accountId}/jobs/${jobId}/`;
}

/** The stored object of a large request. */
export function requestKey(accountId: string, jobId: string, fingerprint: string): string {
  return `${REQUEST_ROOT}${accountId}/${jobId}/${fingerprint}.json`;
}

/** Where the control side commits what it made itself: named by its digest, so that a repetition writes the same object. */
export function committedKey(
  accountId: string,
  jobId: string,
  kind: string,
  ordinal: number,
  output: { readonly name: string; readonly sha256: string },
): string {
  const folder = kind === 'task' ? String(ordinal) : kind;
  return `${jobPrefix(accountId, jobId)}${folder}/${output.sha256}-${output.name}`;
}

/**
 * Where one attempt at a commit copies a staged output to: named by the digest that was reported and the attempt's
 * mark, as the bytes may be others than those that another attempt has verified.
 */
export function copiedKey(
  accountId: string,
  jobId: string,
  kind: string,
  ordinal: number,
  output: { readonly name: string; readonly sha256: string; readonly mark: string },
): string {
  const { name, sha256, mark } = output;
  return committedKey(accountId, jobId, kind, ordinal, { sha256, name: `${mark}-${name}` });
}

/** A deposited structure as it was fetched; the digest keeps revisions of an entry apart. */
export function structureKey(accountId: string, pdbId: string, sha256: string): string {
  return `accounts/${accountId}/structures/${pdbId.toUpperCase()}/${sha256}.cif`;
}
