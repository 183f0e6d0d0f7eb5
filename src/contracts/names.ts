/** Names of task queues, workflow ids and storage keys. Names stand in Temporal histories, so they are never changed. */
import type { WorkKind } from './job.ts';

/**
 * The control workers' task queue of money and state: every workflow, and activities that are short statements. A workflow
 * that was started before the other two queues existed has all its control activities in this queue.
 */
export const CONTROL_QUEUE = 'control';

/** The control workers' task queue of work through the object store, which takes longer the more bytes there are. */
export const STORAGE_QUEUE = 'storage';

/** The control workers' task queue of calls of an instance provider, which wait for the provider's answers. */
export const PROVIDER_QUEUE = 'provider';

/**
 * The control workers' task queue of messages to servers of customers, which may let a sender wait. Nothing else is in this queue, so
 * nothing else waits with it.
 */
export const WEBHOOK_QUEUE = 'webhooks';

/** The task queues that every control worker serves. */
export const CONTROL_QUEUES = [CONTROL_QUEUE, STORAGE_QUEUE, PROVIDER_QUEUE, WEBHOOK_QUEUE] as const;

/** A task queue that every control worker serves. */
export type ControlQueue = (typeof CONTROL_QUEUES)[number];

/** The workflow id of a job. */
export function jobWorkflowId(jobId: string): string {
  return `job/${jobId}`;
}

/** The job of a workflow id of a job or of one of its parts; null for every other workflow. */
export function jobIdOf(workflowId: string): string | null {
  return /^job\/([0-9a-f-]{36})(\/|$)/.exec(workflowId)?.[1] ?? null;
}

/** The workflow id of a multipart upload. */
export function uploadWorkflowId(uploadId: string): string {
  return `upload/${uploadId}`;
}

/** The workflow id of a top-up. */
export function topupWorkflowId(topupId: string): string {
  return `topup/${topupId}`;
}

/** The workflow id of a webhook. */
export function webhookWorkflowId(webhookId: string): string {
  return `webhook/${webhookId}`;
}

/** The workflow id of one run of one part of a job; `run` counts the part's starts, so an id is never used twice. */
export function jobPartWorkflowId(jobId: string, execution: number, part: number, run: number): string {
  return `job/${jobId}/${execution}/part/${part}.${run}`;
}

/** The task queue of one generation of one instance slot; a fenced generation is never sent work again. */
export function computeQueue(jobId: string, slot: number, generation: number): string {
  return `compute/${jobId}/${slot}.${generation}`;
}

/** The prefix of everything that instances have written and that was not committed. */
export const STAGING_ROOT = 'staging/';

/** The prefix of large requests, apart from outputs, so that the completeness check can list a job's outputs alone. */
export const REQUEST_ROOT = 'requests/';

/** The prefix under which an instance generation stages outputs; a staged file is no output before its commit. */
export function stagingPrefix(jobId: string, slot: number, generation: number): string {
  return `${STAGING_ROOT}${jobId}/${slot}.${generation}/`;
}

/**
 * The key under which an instance generation stages one output of a task, or of a step under the step's kind. Only the
 * commit of the control side reads a staged file.
 */
export function stagedKey(
  jobId: string,
  slot: number,
  generation: number,
  kind: WorkKind,
  ordinal: number,
  name: string,
): string {
  const folder = kind === 'task' ? String(ordinal) : `${kind}/${ordinal}`;
  return `${stagingPrefix(jobId, slot, generation)}${folder}/${name}`;
}

/** The prefix of what running tasks have kept for their next attempts; no instance may write under this prefix. */
export const CHECKPOINT_ROOT = 'checkpoints/';

/** The key of one file of a checkpoint. Each checkpoint has a mark of its own, so no two write the same object. */
export function checkpointKey(
  task: { readonly jobId: string; readonly kind: WorkKind; readonly ordinal: number },
  mark: string,
  name: string,
): string {
  return `${CHECKPOINT_ROOT}${task.jobId}/${task.kind}/${task.ordinal}/${mark}/${name}`;
}

/** The prefix of the log chunks of a job's tasks. */
export function logPrefix(jobId: string): string {
  return `logs/${jobId}/`;
}

/** The prefix of the committed outputs of a job; no instance may write under this prefix. */
export function jobPrefix(accountId: string, jobId: string): string {
  return `accounts/${accountId}/jobs/${jobId}/`;
}

/** The key of a large request. */
export function requestKey(accountId: string, jobId: string, fingerprint: string): string {
  return `${REQUEST_ROOT}${accountId}/${jobId}/${fingerprint}.json`;
}

/** The key of a file that the control side makes itself; it holds the digest, so a repetition writes the same object. */
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
 * The key to which one attempt at a commit copies a staged output. The key holds the reported digest and the mark of the
 * attempt, because the staged bytes may have changed since another attempt has verified its copy.
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

/** The key of a deposited structure as it was fetched; the digest keeps the revisions of an entry apart. */
export function structureKey(accountId: string, pdbId: string, sha256: string): string {
  return `accounts/${accountId}/structures/${pdbId.toUpperCase()}/${sha256}.cif`;
}

/** The key of an entry of the archive that scenes show, for all accounts; the digest keeps the revisions of an entry apart. */
export function depositedKey(pdbId: string, sha256: string): string {
  return `structures/${pdbId}/${sha256}.cif`;
}

/** The workflow id of the import of an entry. */
export function structureWorkflowId(pdbId: string): string {
  return `structure/${pdbId}`;
}

/** The key of the unpacked copy of a ligand library; each attempt at an index has an id of its own, so no two write one object. */
export function libraryKey(accountId: string, libraryId: string): string {
  return `accounts/${accountId}/libraries/${libraryId}`;
}

/** The prefix of what is stored of an export; each attempt at the export has a key of its own under it. */
export function exportPrefix(accountId: string, exportId: string): string {
  return `accounts/${accountId}/exports/${exportId}/`;
}

/** The key of a scene that was converted to a file; `mark` is of one attempt, so that two never write one object. */
export function sceneKey(accountId: string, mark: string, fileName: string): string {
  return `accounts/${accountId}/scenes/${mark}-${fileName}`;
}

/** The key of a file of a database of the catalogue; no account owns such a key, so no request can name it. */
export function databaseKey(databaseId: string, fileName: string): string {
  return `databases/${databaseId}/${fileName}`;
}
