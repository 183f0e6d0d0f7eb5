/** A job in a list, and what it is called. */
import type { AnswerOf, components } from 'dockyard-client/browser';

export type Job = components['schemas']['JobListResponse']['jobs'][number];
export type Status = AnswerOf<'get', '/jobs/{jobId}/status'>;

/** What a tab of the page of a job is given. */
export interface TabProps {
  readonly status: Status;
}

/** The name of a job, or what stands for it. */
export function nameOf({
  jobName,
  jobId,
}: {
  readonly jobName: string | null;
  readonly jobId: string;
}): string {
  return jobName === null || jobName.trim() === '' ? jobId : jobName;
}
