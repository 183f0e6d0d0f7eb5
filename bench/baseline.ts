/** Drives the baseline: starts its worker and its workflows. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';

import type { AdmissionDecision, JobAdmission } from '../src/contracts/job.ts';
import type { BenchStack } from './stack.ts';

/** The baseline, ready to be measured. */
export interface Baseline {
  readonly temporal: Client;
  /** A bare Update-with-Start with the same admission. */
  submit(admission: JobAdmission): Promise<AdmissionDecision>;
  /** Bare activities in one workflow; returns its id. */
  runTasks(count: number, window: number, byteSize: number): Promise<string>;
  /** Activities that do nothing, on the queue of another worker. */
  runOn(queue: string, count: number, window: number): Promise<void>;
  close(): Promise<void>;
}

const TASK_QUEUE = 'bench-baseline';

/** Starts the baseline on the servers of a stack. */
export async function openBaseline({ stack, databaseUrl }: BenchStack): Promise<Baseline> {
  const script = fileURLToPath(new URL('baseline-worker.ts', import.meta.url));
  const child = fork(script, [stack.temporalAddress, stack.temporalNamespace, databaseUrl, TASK_QUEUE], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('The baseline worker ended before it was ready.');
    }),
  ]);
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  return {
    temporal,
    submit: (admission) =>
      temporal.workflow.executeUpdateWithStart<() => Promise<unknown>, AdmissionDecision, []>('decided', {
        updateId: randomUUID(),
        args: [],
        startWorkflowOperation: new WithStartWorkflowOperation('bareSubmit', {
          workflowId: `bare/${admission.jobId}`,
          taskQueue: TASK_QUEUE,
          workflowIdConflictPolicy: 'USE_EXISTING',
          args: [admission],
        }),
      }),
    async runOn(queue, count, window) {
      await temporal.workflow.execute('tasksElsewhere', {
        workflowId: `tasks-elsewhere/${randomUUID()}`,
        taskQueue: TASK_QUEUE,
        args: [queue, count, window],
      });
    },
    async runTasks(count, window, byteSize) {
      const workflowId = `bare-tasks/${randomUUID()}`;
      await temporal.workflow.execute('bareTasks', {
        workflowId,
        taskQueue: TASK_QUEUE,
        args: [count, window, byteSize],
      });
      return workflowId;
    },
    async close() {
      await connection.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
