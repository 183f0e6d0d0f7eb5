/** Carriers of a trace through workflows: the header, the ids of runs, and the sink that takes the spans of runs. */
import type { Sinks } from '@temporalio/workflow';

/** The header of workflows, activities and HTTP calls, and the name of the field in a session's request. */
export const TRACE_HEADER = 'traceparent';

/** The variable in which a tool finds the traceparent of the task that its session was started for. */
export const TRACE_VARIABLE = 'TRACEPARENT';

/** A run of a workflow that has ended. The ids of the run's span follow from the run, so that a replay has the same. */
export interface WorkflowSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly end: 'done' | 'continued' | 'failed';
}

/** The sink of a control worker that takes the spans of workflow runs. */
export interface TracingSinks extends Sinks {
  readonly tracing: {
    ended(span: WorkflowSpan): void;
  };
}

/** The id of the span of a workflow run: the random half of the run's id. */
export function spanIdOfRun(runId: string): string {
  return runId.replaceAll('-', '').slice(16);
}
