/** Names that live in Temporal histories and in the operator's UI: task queues, workflow ids. Never renamed. */

/** The task queue of the control workers: every workflow and every control activity. */
export const CONTROL_QUEUE = 'control';

/** The workflow id of a job. */
export function jobWorkflowId(jobId: string): string {
  return `job/${jobId}`;
}

/** The workflow id of one run of one part of a job; `run` counts the part's starts, so an id is never used twice. */
export function jobPartWorkflowId(jobId: string, execution: number, part: number, run: number): string {
  return `job/${jobId}/${execution}/part/${part}.${run}`;
}

/** The task queue of one generation of one instance slot; a fenced generation is never sent work again. */
export function computeQueue(jobId: string, slot: number, generation: number): string {
  return `compute/${jobId}/${slot}.${generation}`;
}

/** Where an instance generation stages a task's outputs; nothing under it is ever an output by itself. */
export function stagingPrefix(jobId: string, slot: number, generation: number): string {
  return `staging/${jobId}/${slot}.${generation}/`;
}

/** Where committed outputs of a job live; no instance may write there. */
export function jobPrefix(accountId: string, jobId: string): string {
  return `accounts/${accountId}/jobs/${jobId}/`;
}

/** The stored object of a large request. Kept outside the job's output prefix, so completeness can list that prefix. */
export function requestKey(accountId: string, jobId: string, fingerprint: string): string {
  return `accounts/${accountId}/requests/${jobId}/${fingerprint}.json`;
}
