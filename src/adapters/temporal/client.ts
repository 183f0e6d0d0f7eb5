/**
 * Messages to job workflows. The connection is made at the first call and repairs itself. Every call has a deadline,
 * and an unreachable Temporal is an outcome on which the caller decides, not a hanging request.
 */
import { randomUUID } from 'node:crypto';

import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { JOB_MESSAGES, toolIdOf } from '../../contracts/job.ts';
import type { AdmissionDecision, JobAdmission, JobInput } from '../../contracts/job.ts';
import { CONTROL_QUEUE, jobWorkflowId } from '../../contracts/names.ts';
import type { PauseReason } from '../../domain/job-state.ts';
import { isRunning, noAnswerOf, openTemporal } from './connection.ts';
import type { NoAnswer, TemporalSettings } from './connection.ts';

/** The outcome of a start; without a decision the admission may still happen. */
export type StartOutcome = { readonly kind: 'decided'; readonly decision: AdmissionDecision } | NoAnswer;

/** The admission of a job to start; when the workflow of the job runs already, the start joins it. */
export interface JobStart {
  readonly input: Omit<JobInput, 'start'>;
  readonly admission: JobAdmission;
}

/** Messages to job workflows. */
export interface JobWorkflows {
  /** Starts the job's workflow, or joins the one that runs, and waits for the admission's decision. */
  startJob(start: JobStart, waitMs: number): Promise<StartOutcome>;
  /** False when no workflow of the job runs. Throws when Temporal did not take the message. */
  cancel(jobId: string, reason: string | null): Promise<boolean>;
  /** False when no workflow of the job runs. Throws when Temporal did not take the message. */
  pause(jobId: string, reason: PauseReason): Promise<boolean>;
  /** Tells waiting jobs to look for capacity; a job that has ended is skipped. */
  capacity(jobIds: readonly string[]): Promise<void>;
  /** Whether a workflow of the job runs. Throws when Temporal does not answer. */
  isOpen(jobId: string): Promise<boolean>;
  /** Throws when Temporal does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const SIGNAL_DEADLINE_MS = 5_000;
const PING_DEADLINE_MS = 2_000;
const ACCOUNT_ID = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
const JOB_TYPE = defineSearchAttributeKey('JobType', SearchAttributeType.KEYWORD);
const SIMULATOR = defineSearchAttributeKey('Simulator', SearchAttributeType.KEYWORD);
const JOB_STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const PROVIDER = defineSearchAttributeKey('Provider', SearchAttributeType.KEYWORD);
const RECOVERY_COUNT = defineSearchAttributeKey('RecoveryCount', SearchAttributeType.INT);

/** Makes the messenger; nothing is sent before the first call. */
export function createJobWorkflows(settings: TemporalSettings): JobWorkflows {
  const { connection, client } = openTemporal(settings);

  const signal = async (jobId: string, name: string, ...args: unknown[]): Promise<boolean> => {
    try {
      await connection.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
        client.workflow.getHandle(jobWorkflowId(jobId)).signal(name, ...args),
      );
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };

  return {
    startJob: (start, waitMs) => startJob(connection, client, start, waitMs),
    cancel: (jobId, reason) => signal(jobId, JOB_MESSAGES.cancel, { reason }),
    pause: (jobId, reason) => signal(jobId, JOB_MESSAGES.pause, { reason }),
    async capacity(jobIds) {
      await Promise.all(jobIds.map((jobId) => signal(jobId, JOB_MESSAGES.capacity)));
    },
    isOpen: (jobId) => isRunning({ connection, client }, jobWorkflowId(jobId)),
    async ping() {
      await connection.withDeadline(Date.now() + PING_DEADLINE_MS, () =>
        connection.workflowService.describeNamespace({ namespace: settings.temporalNamespace }),
      );
    },
    close: () => connection.close(),
  };
}

async function startJob(
  connection: Connection,
  client: Client,
  { input, admission }: JobStart,
  waitMs: number,
): Promise<StartOutcome> {
  const start = new WithStartWorkflowOperation('job', {
    workflowId: jobWorkflowId(admission.jobId),
    taskQueue: CONTROL_QUEUE,
    // The workflow run that has ended was a refused submit, or a job that its own row remembers; both may start again.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [{ ...input, start: { kind: 'admit', admission } } satisfies JobInput],
    typedSearchAttributes: searchAttributes(admission),
    staticSummary: `${admission.plan.taskCount} × ${toolIdOf(admission)}`,
    staticDetails: details(admission),
  });
  try {
    const decision = await connection.withDeadline(Date.now() + waitMs, () =>
      client.workflow.executeUpdateWithStart<() => Promise<unknown>, AdmissionDecision, []>(
        JOB_MESSAGES.admitted,
        {
          // With a fixed id Temporal would answer the refusal of an earlier run.
          updateId: randomUUID(),
          args: [],
          startWorkflowOperation: start,
        },
      ),
    );
    return { kind: 'decided', decision };
  } catch (error) {
    return noAnswerOf(error);
  }
}

function searchAttributes(admission: JobAdmission) {
  return [
    { key: ACCOUNT_ID, value: admission.accountId },
    { key: JOB_TYPE, value: admission.jobType },
    ...(admission.simulator === null ? [] : [{ key: SIMULATOR, value: admission.simulator }]),
    { key: JOB_STATUS, value: 'SUBMITTED' },
    { key: PROVIDER, value: admission.provider },
    { key: RECOVERY_COUNT, value: 0 },
  ];
}

/**
 * The details never contain names, SMILES or secrets, because operators of another company may read them. Each
 * paragraph is one line, for the UI.
 */
function details(admission: JobAdmission): string {
  const { plan, quote } = admission;
  return [
    `Job \`${admission.jobId}\` of account \`${admission.accountId}\``,
    `${plan.taskCount} tasks, ${plan.shardSize} a shard, at most ${plan.instances} instances of ${plan.slotsPerInstance} slots`,
    `hold: ${quote.heldPence} pence, price book ${quote.priceBookVersion}`,
    `recovery: ${admission.recoveryMode}`,
  ].join('\n\n');
}
