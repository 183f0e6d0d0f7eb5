import { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import { expect } from 'chai';

import { CONTROL_QUEUE, jobWorkflowId } from '../../src/contracts/names.ts';
import { spanIdOfRun } from '../../src/contracts/tracing.ts';
import { formatTraceparent, parseTraceparent } from '../../src/domain/traceparent.ts';
import { QUICK } from './fake-job.ts';
import { together } from './together.ts';

/** A trace that is not recorded, because nobody takes spans here. */
const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isRecorded: false };

together('a trace', {
  'of a job': (test) => {
    test('goes on over runs, parts and activities, each below the run that it belongs to', async (world) => {
      const job = world.job({ plan: { taskCount: 2500, shardSize: 125 } });
      const traceparent = defaultPayloadConverter.toPayload(formatTraceparent(CALLER));
      const client = new Client({
        connection: world.client.connection,
        interceptors: {
          workflow: [{ startWithDetails: (input, next) => next({ ...input, headers: { traceparent } }) }],
        },
      });
      const { admission } = job;
      const start = { kind: 'admit', admission };
      const handle = await client.workflow.start('job', {
        workflowId: jobWorkflowId(job.id),
        taskQueue: CONTROL_QUEUE,
        args: [{ jobId: job.id, timing: QUICK, maxHistoryEvents: 80, start }],
      });
      expect(await handle.result()).to.include({ state: 'SUCCEEDED' });

      let above = CALLER.spanId;
      let runs = 0;
      for (let runId: string | null | undefined = handle.firstExecutionRunId; runId; runs += 1) {
        const { events } = await client.workflow.getHandle(jobWorkflowId(job.id), runId).fetchHistory();
        const own = spanIdOfRun(runId);
        runId = null;
        for (const event of events ?? []) {
          const started = event.workflowExecutionStartedEventAttributes;
          if (started) expect(parent(started.header?.fields)).to.equal(above);
          const made =
            event.activityTaskScheduledEventAttributes ??
            event.startChildWorkflowExecutionInitiatedEventAttributes;
          if (made) expect(parent(made.header?.fields)).to.equal(own);
          runId = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? runId;
        }
        above = own;
      }
      expect(runs).to.be.greaterThan(1);
    });
  },
});

/** The span that headers name, in the trace of the test. */
function parent(headers: Headers | null | undefined): string | undefined {
  const payload = headers?.['traceparent'];
  const place = payload === undefined ? null : parseTraceparent(defaultPayloadConverter.fromPayload(payload));
  expect(place).to.include({ traceId: CALLER.traceId, isRecorded: false });
  return place?.spanId;
}
