/**
 * The workflow of one job as Temporal knows it, for an operator who asks why the job is where it is. Temporal that does not
 * answer, and a workflow that Temporal does not know any more, are answers as well: the rows of the job still tell the rest.
 */
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { jobWorkflowId } from '../../contracts/names.ts';
import { TAKEN_UP_MEMO } from '../../domain/job-view.ts';
import type {
  FailingTask,
  PendingActivity,
  TakenUp,
  WorkflowRun,
  WorkflowView,
} from '../../domain/job-view.ts';
import { createPayloadCodec, openFailure } from './codec.ts';
import type { SealingCodec } from './codec.ts';
import { connectTemporal } from './connection.ts';
import type { TemporalSettings } from './connection.ts';

type Described = temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
type Activity = temporal.api.workflow.v1.IPendingActivityInfo;
type Failure = temporal.api.failure.v1.IFailure;
type Time = NonNullable<Activity['scheduledTime']>;

const CONNECT_MS = 5_000;
const DEADLINE_MS = 5_000;
const NOT_FOUND = 5;
/** More parts than these have no lines of their own. */
const SHOWN_PARTS = 8;
const LONGEST_FAILURE = 300;
const { WorkflowExecutionStatus, PendingActivityState, HistoryEventFilterType } = proto.temporal.api.enums.v1;

/** Asks Temporal for the workflow of a job; never throws. */
export async function viewJobWorkflow(settings: TemporalSettings, jobId: string): Promise<WorkflowView> {
  const unreachable = (error: unknown): WorkflowView => ({
    kind: 'unreachable',
    address: settings.temporalAddress,
    cause: error instanceof Error ? error.message : String(error),
  });
  const connection = await connectTemporal(settings, CONNECT_MS).catch(unreachable);
  if ('kind' in connection) return connection;
  try {
    return await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
      new Viewer(connection, settings).view(jobWorkflowId(jobId)),
    );
  } catch (error) {
    return codeOf(error) === NOT_FOUND ? { kind: 'gone' } : unreachable(error);
  } finally {
    await connection.close();
  }
}

class Viewer {
  private readonly connection: Connection;
  private readonly namespace: string;
  private readonly codec: SealingCodec | null;

  constructor(connection: Connection, settings: TemporalSettings) {
    this.connection = connection;
    this.namespace = settings.temporalNamespace;
    this.codec = createPayloadCodec(settings);
  }

  async view(workflowId: string): Promise<WorkflowRun> {
    const job = await this.describe(workflowId);
    const parts = job.pendingChildren.flatMap((child) => child.workflowId ?? []);
    const shown = await Promise.all(
      parts.slice(0, SHOWN_PARTS).map((part) => this.describe(part).catch(() => null)),
    );
    const all = [
      [workflowId, job] as const,
      ...shown.flatMap((part, index) => (part === null ? [] : [[parts[index] ?? '', part] as const])),
    ];
    const info = job.workflowExecutionInfo ?? {};
    const status = nameOf(WorkflowExecutionStatus[info.status ?? 0]);
    return {
      kind: 'run',
      workflowId,
      status,
      buildId: info.versioningInfo?.deploymentVersion?.buildId ?? null,
      startedAt: dateOf(info.startTime),
      closedAt: dateOf(info.closeTime),
      historyEvents: Number(info.historyLength ?? 0),
      parts: parts.length,
      takenUp: await this.takenUpOf(info.memo?.fields?.[TAKEN_UP_MEMO]),
      failure: status === 'FAILED' ? await this.failureOf(workflowId) : null,
      failingTasks: all.flatMap(([id, each]) => failingTaskOf(id, each)),
      pending: await Promise.all(
        all.flatMap(([id, each]) => each.pendingActivities.map((one) => this.pendingOf(id, one))),
      ),
    };
  }

  private describe(workflowId: string): Promise<Described> {
    const { namespace } = this;
    return this.connection.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
  }

  private async takenUpOf(memo: temporal.api.common.v1.IPayload | undefined): Promise<TakenUp | null> {
    if (memo === undefined) return null;
    const [payload = memo] = this.codec === null ? [] : await this.codec.decode([memo]);
    return defaultPayloadConverter.fromPayload<TakenUp>(payload);
  }

  private async failureOf(workflowId: string): Promise<string | null> {
    const { history } = await this.connection.workflowService.getWorkflowExecutionHistory({
      namespace: this.namespace,
      execution: { workflowId },
      historyEventFilterType: HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
    });
    const failure = history?.events?.[0]?.workflowExecutionFailedEventAttributes?.failure;
    return failureText(await openFailure(this.codec, failure));
  }

  private async pendingOf(workflowId: string, activity: Activity): Promise<PendingActivity> {
    return {
      workflowId,
      name: activity.activityType?.name ?? '',
      state: nameOf(PendingActivityState[activity.state ?? 0]),
      attempt: activity.attempt ?? 0,
      scheduledAt: dateOf(activity.scheduledTime),
      startedAt: dateOf(activity.lastStartedTime),
      nextAttemptAt: dateOf(activity.nextAttemptScheduleTime),
      lastFailure: failureText(await openFailure(this.codec, activity.lastFailure)),
    };
  }
}

/** The workflow task that waits, when it has failed before: attempts after the first are repetitions. */
function failingTaskOf(workflowId: string, { pendingWorkflowTask: task }: Described): FailingTask[] {
  const attempts = task?.attempt ?? 0;
  if (attempts < 2) return [];
  return [{ workflowId, attempts, since: dateOf(task?.originalScheduledTime ?? task?.scheduledTime) }];
}

/** The message of a failure with those of its causes. */
function failureText(failure: Failure | null | undefined): string | null {
  const messages: string[] = [];
  for (let each = failure, depth = 0; each != null && depth < 4; each = each.cause, depth += 1)
    if (each.message != null && each.message !== '' && messages.at(-1) !== each.message)
      messages.push(each.message);
  if (messages.length === 0) return null;
  const text = messages.join(': ').replaceAll(/\s+/g, ' ');
  return text.length > LONGEST_FAILURE ? `${text.slice(0, LONGEST_FAILURE)}…` : text;
}

function codeOf(error: unknown): number | null {
  return isGrpcServiceError(error) ? error.code : null;
}

/** `WORKFLOW_EXECUTION_STATUS_TIMED_OUT` and `PENDING_ACTIVITY_STATE_STARTED` without their prefixes. */
function nameOf(name: string | undefined): string {
  return (name ?? '').replace(/^(WORKFLOW_EXECUTION_STATUS|PENDING_ACTIVITY_STATE)_/, '');
}

function dateOf(time: Time | null | undefined): Date | null {
  return time == null ? null : new Date(Number(time.seconds) * 1000 + (time.nanos ?? 0) / 1_000_000);
}
