/** The workflows that follow top-ups. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

import { CONTROL_QUEUE, topupWorkflowId } from '../../contracts/names.ts';
import type { TopupInput } from '../../contracts/topup.ts';
import { openTemporal } from './connection.ts';
import type { TemporalSettings } from './connection.ts';

/** Starts the workflows of top-ups. */
export interface TopupWorkflows {
  /** Has a top-up followed to its end; a top-up that was given to a workflow before is left to that one. Throws when Temporal does not answer. */
  follow(topupId: string): Promise<void>;
  close(): Promise<void>;
}

const START_MS = 5_000;

/** Makes the messenger; nothing is sent before the first call. */
export function createTopupWorkflows(settings: TemporalSettings): TopupWorkflows {
  const { connection, client } = openTemporal(settings);
  return {
    async follow(topupId) {
      try {
        await connection.withDeadline(Date.now() + START_MS, () =>
          client.workflow.start<(input: TopupInput) => Promise<unknown>>('topup', {
            workflowId: topupWorkflowId(topupId),
            taskQueue: CONTROL_QUEUE,
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            args: [{ topupId }],
            staticSummary: `top-up ${topupId}`,
          }),
        );
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
    close: () => connection.close(),
  };
}
