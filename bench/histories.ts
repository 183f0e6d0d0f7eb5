/** The lengths of the histories that a job has written, with those of its parts and continued runs. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Connection } from '@temporalio/client';

import { jobWorkflowId } from '../src/contracts/names.ts';
import type { Stack } from '../src/stack/stack.ts';

/** The number of workflows, events and activities of a job, and its longest history. */
export interface Histories {
  readonly runs: number;
  readonly events: number;
  readonly activities: number;
  readonly longest: number;
  readonly longestId: string;
}

/** Temporal's visibility learns of the end of a workflow a little later than the workflow ends. */
const VISIBLE_MS = 2_000;

/** Counts the events of every workflow of a job. */
export async function historiesOf(stack: Stack, jobId: string): Promise<Histories> {
  await sleep(VISIBLE_MS);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const client = new Client({ connection, namespace: stack.temporalNamespace });
    const found = { runs: 0, events: 0, activities: 0, longest: 0, longestId: '' };
    const query = `WorkflowId STARTS_WITH "${jobWorkflowId(jobId)}"`;
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const length = events?.length ?? 0;
      found.runs += 1;
      found.events += length;
      found.activities += (events ?? []).filter(
        (event) => event.activityTaskScheduledEventAttributes != null,
      ).length;
      if (length > found.longest) {
        found.longest = length;
        // The job's own id is long and says nothing in the report, so it is left out.
        found.longestId =
          workflowId === jobWorkflowId(jobId) ? 'the job' : workflowId.slice(jobWorkflowId(jobId).length + 1);
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}
