/**
 * The trace of a workflow run, which the bundler puts around every workflow. The header of the run names the span above,
 * and activities, children and the next run get a header that names the run's own span, as log lines of the run do. A run without the header is not
 * touched. Nothing here adds a command, waits or draws a random number, so a history replays whether it was recorded with
 * a trace or without: the id of the run's span follows from the run's id, and headers are no part of what a replay compares.
 */
import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import { ContinueAsNew, proxySinks, workflowInfo } from '@temporalio/workflow';
import type { WorkflowInterceptors } from '@temporalio/workflow';

import {
  spanIdOfRun,
  TRACE_HEADER,
  type TracingSinks,
  type WorkflowSpan,
} from '../../src/contracts/tracing.ts';
import { formatTraceparent, parseTraceparent, type SpanPlace } from '../../src/domain/traceparent.ts';

const { tracing } = proxySinks<TracingSinks>();

/** The interceptors of one run; the name is the SDK's. */
export function interceptors(): WorkflowInterceptors {
  let traced: Headers | null = null;
  let inLines: { readonly traceId?: string; readonly spanId?: string } = {};
  const withTrace = <T extends { readonly headers: Headers }>(input: T): T =>
    traced === null ? input : { ...input, headers: { ...input.headers, ...traced } };
  return {
    inbound: [
      {
        execute(input, next) {
          const above = placeIn(input.headers);
          if (above === null) return next(input);
          const { runId } = workflowInfo();
          const own = { ...above, spanId: spanIdOfRun(runId) };
          traced = { [TRACE_HEADER]: defaultPayloadConverter.toPayload(formatTraceparent(own)) };
          inLines = { traceId: own.traceId, spanId: own.spanId };
          const run = next(input);
          if (above.isRecorded) tellEnd(run, above, own.spanId);
          return run;
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
        getLogAttributes: (input, next) => next({ ...input, ...inLines }),
      },
    ],
  };
}

/** Tells the worker of the run's span when the run has ended; the run itself waits for nothing. */
function tellEnd(run: Promise<unknown>, above: SpanPlace, spanId: string): void {
  const startMs = workflowInfo().runStartTime.getTime();
  const { traceId, spanId: parentSpanId } = above;
  const tell = (end: WorkflowSpan['end']): void =>
    tracing.ended({ traceId, spanId, parentSpanId, startMs, endMs: Date.now(), end });
  run.then(
    () => tell('done'),
    (error: unknown) => tell(error instanceof ContinueAsNew ? 'continued' : 'failed'),
  );
}

function placeIn({ [TRACE_HEADER]: payload }: Headers): SpanPlace | null {
  if (payload === undefined) return null;
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  return typeof value === 'string' ? parseTraceparent(value) : null;
}
