/** Waiting tasks in task queues, as Temporal counts them. */
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

import { CONTROL_QUEUE, CONTROL_QUEUES } from '../../contracts/names.ts';

/** Waiting tasks of one task queue. */
export interface Backlog {
  readonly queue: string;
  readonly kind: 'workflow' | 'activity';
  readonly tasks: number;
  /** The age of the oldest task. */
  readonly ageSeconds: number;
}

const DEADLINE_MS = 2_000;
const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;
const KINDS = { workflow: TASK_QUEUE_TYPE_WORKFLOW, activity: TASK_QUEUE_TYPE_ACTIVITY } as const;

/**
 * Counts the tasks that wait for control workers, tasks of workflows and of activities apart. Throws when Temporal does
 * not answer.
 */
export async function describeBacklog(connection: Connection, namespace: string): Promise<Backlog[]> {
  return connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    Promise.all([
      describe(connection, namespace, CONTROL_QUEUE, 'workflow'),
      ...CONTROL_QUEUES.map((queue) => describe(connection, namespace, queue, 'activity')),
    ]),
  );
}

async function describe(
  connection: Connection,
  namespace: string,
  queue: string,
  kind: Backlog['kind'],
): Promise<Backlog> {
  const { stats } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: KINDS[kind],
    reportStats: true,
  });
  const { approximateBacklogCount: count, approximateBacklogAge: age } = stats ?? {};
  return { queue, kind, tasks: Number(count ?? 0), ageSeconds: Number(age?.seconds ?? 0) };
}
