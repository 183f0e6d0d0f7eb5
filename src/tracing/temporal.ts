/**
 * Traces and the ids of log lines through Temporal: calls of workflows send the traceparent of their span as a header, activities
 * run in a span below the one that their header names, and a control worker records the spans of workflow runs. A call without
 * the header has no span, so schedules and workflows without a trace make none. Lines that are written within an activity name
 * its work.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks, WorkerOptions } from '@temporalio/worker';

import { WORK_KINDS } from '../contracts/job.ts';
import { jobIdOf } from '../contracts/names.ts';
import { TRACE_HEADER } from '../contracts/tracing.ts';
import type { TracingSinks } from '../contracts/tracing.ts';
import { isRecord } from '../domain/is-record.ts';
import { withLogFields, type LogFields } from './log-context.ts';
import type { SpanFacts, Tracing } from './tracing.ts';
import { workIdsOf } from './work-ids.ts';

/** Options of a worker that concern tracing. */
export type TracedWorker = Pick<WorkerOptions, 'interceptors' | 'sinks'>;

/** The interceptors of a client of workflows; none where tracing is off. */
export function clientInterceptors(tracing: Tracing): WorkflowClientInterceptor[] {
  if (!tracing.isOn) return [];
  const within = <T>(name: string, workflowId: string, call: () => Promise<T>): Promise<T> =>
    tracing.inSpan({ name, kind: 'client', facts: factsOfWorkflow(workflowId) }, call);
  const withTrace = (headers: Headers): Headers => {
    const traceparent = tracing.traceparent();
    if (traceparent === null) return headers;
    return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceparent) };
  };
  return [
    {
      startWithDetails: (input, next) =>
        within(`start.${input.workflowType}`, input.options.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      startUpdateWithStart: (input, next) =>
        within(`updateWithStart.${input.updateName}`, input.workflowStartOptions.workflowId, () =>
          next({
            ...input,
            workflowStartHeaders: withTrace(input.workflowStartHeaders),
            updateHeaders: withTrace(input.updateHeaders),
          }),
        ),
      signal: (input, next) =>
        within(`signal.${input.signalName}`, input.workflowExecution.workflowId, () => next(input)),
    },
  ];
}

/** The options of a worker that runs activities alone. */
export function tracedActivities(tracing: Tracing): TracedWorker {
  return { interceptors: { activity: [activityInterceptors(tracing)] } };
}

/** The options of a control worker. The sink is always there, because a workflow may bring a trace that another process began. */
export function tracedControl(tracing: Tracing): TracedWorker {
  const sinks: InjectedSinks<TracingSinks> = {
    tracing: {
      ended: {
        callDuringReplay: false,
        fn({ workflowType, workflowId, runId }, { end, ...span }) {
          const facts = { ...factsOfWorkflow(workflowId), workflowType, runId };
          tracing.record({ ...span, name: `run.${workflowType}`, hasFailed: end === 'failed', facts });
        },
      },
    },
  };
  return { ...tracedActivities(tracing), sinks };
}

function activityInterceptors(tracing: Tracing): ActivityInterceptorsFactory {
  return ({ info }) => {
    const { workflowExecution, activityType, attempt } = info;
    const { workflowId } = workflowExecution ?? {};
    let named: LogFields = { ...factsOfWorkflow(workflowId ?? ''), workflowId, activityType, attempt };
    return {
      inbound: {
        execute(input, next) {
          named = { ...workIdsOf(input.args[0]), ...named };
          const facts = {
            ...factsOfArguments(input.args),
            ...factsOfWorkflow(workflowId ?? ''),
            activityType,
            attempt,
          };
          const start = {
            name: info.activityType,
            kind: 'consumer',
            parent: traceparentIn(input.headers),
            facts,
          } as const;
          return tracing.inSpan(start, () => {
            named = { ...named, ...tracing.logFields() };
            return withLogFields(named, () => next(input));
          });
        },
      },
      // The SDK's own lines about the activity are written around the work, not within it.
      outbound: { getLogAttributes: (input, next) => next({ ...input, ...named }) },
    };
  };
}

function traceparentIn({ [TRACE_HEADER]: payload }: Headers): string | null {
  if (payload === undefined) return null;
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  return typeof value === 'string' ? value : null;
}

function factsOfWorkflow(workflowId: string): SpanFacts {
  const jobId = jobIdOf(workflowId);
  return jobId === null ? {} : { jobId };
}

/** The numbers among an activity's arguments that say which work the activity is about. */
function factsOfArguments([first]: readonly unknown[]): SpanFacts {
  if (!isRecord(first)) return {};
  const numbers = ['execution', 'slot', 'generation'] as const;
  const kind = WORK_KINDS.find((known) => known === first['kind']);
  const tasks = first['ordinals'] ?? first['reports'];
  return {
    ...Object.fromEntries(
      numbers.flatMap((name) => (typeof first[name] === 'number' ? [[name, first[name]]] : [])),
    ),
    ...(kind === undefined ? {} : { kind }),
    ...(Array.isArray(tasks) ? { taskCount: tasks.length } : {}),
  };
}
