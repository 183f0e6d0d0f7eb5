/**
 * Messages to job workflows. The connection is made at the first call and repairs itself. Every call has a deadline,
 * and an unreachable Temporal is an outcome on which the caller decides, not a hanging request.
 */
import { randomUUID } from 'node:crypto';

import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { DOCKING_MESSAGES, dockingWorkflowId, exportWorkflowId } from '../../contracts/docking.ts';
import type { DockingWorkInput, DockingWorkKind, ExportInput, ShownJob } from '../../contracts/docking.ts';
import { JOB_MESSAGES } from '../../contracts/job.ts';
import type {
  AdmissionDecision,
  JobAdmission,
  JobCarry,
  JobInput,
  JobMessage,
  JobTakeUp,
} from '../../contracts/job.ts';
import { jobDetails, jobSearchAttributes, jobSummary, shownPrice } from '../../contracts/job-visibility.ts';
import { CONTROL_QUEUE, jobIdOf, jobWorkflowId, structureWorkflowId } from '../../contracts/names.ts';
import type { PauseReason } from '../../domain/job-state.ts';
import { TAKEN_UP_MEMO } from '../../domain/job-view.ts';
import type { TakenUp } from '../../domain/job-view.ts';
import { isRunning, noAnswerOf, openTemporal, statusOf } from './connection.ts';
import type { NoAnswer, TemporalClient, TemporalSettings } from './connection.ts';

/** The outcome of a start; without a decision the admission may still happen. */
export type StartOutcome = { readonly kind: 'decided'; readonly decision: AdmissionDecision } | NoAnswer;

/** The admission of a job to start; when the workflow of the job runs already, the start joins it. */
export interface JobStart {
  readonly input: Omit<JobInput, 'start'>;
  readonly admission: JobAdmission;
}

/** A run or a batch of docking whose workflow starts a job as its child. */
export interface DockingStart extends JobStart {
  readonly kind: DockingWorkKind;
  /** The admissions of jobs that dock a sample again; absent where there is none. */
  readonly samples?: readonly JobAdmission[];
  /** The id of the run or of the batch. */
  readonly id: string;
}

/** Choice where the workflow of the export runs already: it goes on, or a new one replaces it. */
export type ExportStart = 'once' | 'anew';

/** End of a run of a workflow: it failed by itself, or there is no answer why the run is not there. */
export type WorkflowEnd = 'failed' | 'gone';

/** Messages to job workflows. */
export interface JobWorkflows {
  /** Starts the job's workflow, or joins the one that runs, and waits for the admission's decision. */
  startJob(start: JobStart, waitMs: number): Promise<StartOutcome>;
  /** Starts the workflow of a run or batch of docking, or joins the one that runs, and waits for the decision about its job. */
  startDocking(start: DockingStart, waitMs: number): Promise<StartOutcome>;
  /**
   * Starts the workflow of an export, or leaves the one that runs; `anew` ends one that runs and starts another, for an export whose
   * end is recorded and whose workflow may not have closed yet. Throws when Temporal did not take the message.
   */
  startExport(input: ExportInput, how?: ExportStart): Promise<void>;
  /** Starts the import of an entry of the archive, or leaves the one that runs. Throws when Temporal did not take the message. */
  importStructure(pdbId: string): Promise<void>;
  /** False when no workflow of the job runs. Throws when Temporal did not take the message. */
  cancel(jobId: string, reason: string | null): Promise<boolean>;
  /** False when no workflow of the job runs. Throws when Temporal did not take the message. */
  pause(jobId: string, reason: PauseReason): Promise<boolean>;
  /** Starts the job's workflow from its rows with a message, or gives the message to the run that is there. Throws when Temporal did not take it. */
  takeUp(start: JobTakeUp, message: JobMessage): Promise<void>;
  /** Ends the run of a job's workflow where it stands, with its parts; false when none runs. Throws when Temporal did not take it. */
  terminate(jobId: string, reason: string): Promise<boolean>;
  /** Tells waiting jobs to look for capacity; a job that has ended is skipped. */
  capacity(jobIds: readonly string[]): Promise<void>;
  /** Tells a job that an instance that it waits for has called; false when no workflow of the job runs. Throws when Temporal did not take the message. */
  instanceHeard(instance: { jobId: string; slot: number; generation: number }): Promise<boolean>;
  /**
   * The jobs whose workflows run, as Temporal lists them, a thousand at a time; a workflow that has just been started or has just
   * ended may be listed late. Throws when Temporal does not answer.
   */
  openJobs(): Promise<ReadonlySet<string>>;
  /** Whether a workflow of the job runs. Throws when Temporal does not answer. */
  isOpen(jobId: string): Promise<boolean>;
  /** Whether a workflow of the run or batch runs. Throws when Temporal does not answer. */
  isDockingOpen(kind: DockingWorkKind, id: string): Promise<boolean>;
  /** Finds the end of the last run of a job's workflow; null while one runs. Throws when Temporal does not answer. */
  endOf(jobId: string): Promise<WorkflowEnd | null>;
  /** Throws when Temporal does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNT_ID = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const SIGNAL_DEADLINE_MS = 5_000;
const PING_DEADLINE_MS = 2_000;
const LIST_DEADLINE_MS = 60_000;
const LIST_PAGE = 1_000;
const OPEN_JOBS = `WorkflowType = 'job' AND ExecutionStatus = 'Running'`;

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
    startJob: (start, waitMs) =>
      askDecision({ connection, client }, startOfJob(start), JOB_MESSAGES.admitted, waitMs),
    startDocking: (start, waitMs) =>
      askDecision({ connection, client }, startOfDocking(start), DOCKING_MESSAGES.admitted, waitMs),
    startExport: (input, how = 'once') => startExport({ connection, client }, input, how),
    importStructure: (pdbId) => importStructure({ connection, client }, pdbId),
    cancel: (jobId, reason) => signal(jobId, JOB_MESSAGES.cancel, { reason }),
    pause: (jobId, reason) => signal(jobId, JOB_MESSAGES.pause, { reason }),
    takeUp: (start, message) => takeUp(connection, client, start, message),
    async terminate(jobId, reason) {
      try {
        await connection.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
          client.workflow.getHandle(jobWorkflowId(jobId)).terminate(reason),
        );
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
    endOf: (jobId) => endOf({ connection, client }, jobId),
    async capacity(jobIds) {
      await Promise.all(jobIds.map((jobId) => signal(jobId, JOB_MESSAGES.capacity)));
    },
    instanceHeard: ({ jobId, slot, generation }) => signal(jobId, JOB_MESSAGES.heard, { slot, generation }),
    async openJobs() {
      return connection.withDeadline(Date.now() + LIST_DEADLINE_MS, async () => {
        const open = new Set<string>();
        for await (const { workflowId } of client.workflow.list({ query: OPEN_JOBS, pageSize: LIST_PAGE })) {
          const jobId = jobIdOf(workflowId);
          if (jobId !== null) open.add(jobId);
        }
        return open;
      });
    },
    isOpen: (jobId) => isRunning({ connection, client }, jobWorkflowId(jobId)),
    isDockingOpen: (kind, id) => isRunning({ connection, client }, dockingWorkflowId(kind, id)),
    async ping() {
      await connection.withDeadline(Date.now() + PING_DEADLINE_MS, () =>
        connection.workflowService.describeNamespace({ namespace: settings.temporalNamespace }),
      );
    },
    close: () => connection.close(),
  };
}

function startOfJob({ input, admission }: JobStart): WithStartWorkflowOperation<() => Promise<unknown>> {
  return new WithStartWorkflowOperation('job', {
    workflowId: jobWorkflowId(admission.jobId),
    ...STARTED,
    args: [{ ...input, start: { kind: 'admit', admission } } satisfies JobInput],
    ...shownAs(admission),
  });
}

function startOfDocking({
  kind,
  id,
  input,
  admission,
  samples = [],
}: DockingStart): WithStartWorkflowOperation<() => Promise<unknown>> {
  const { jobId, accountId } = admission;
  const { staticSummary: summary, staticDetails: details, typedSearchAttributes } = shownAs(admission);
  const sampled = samples.map((sample) => ({
    job: { ...input, jobId: sample.jobId, start: { kind: 'admit' as const, admission: sample } },
    shown: shownJob(sample),
  }));
  return new WithStartWorkflowOperation(kind === 'batch' ? 'dockingBatch' : 'dockingRun', {
    workflowId: dockingWorkflowId(kind, id),
    ...STARTED,
    args: [
      {
        id,
        jobId,
        accountId,
        maxHistoryEvents: input.maxHistoryEvents,
        ...(sampled.length === 0 ? {} : { samples: sampled }),
        start: {
          kind: 'begin',
          job: { ...input, start: { kind: 'admit', admission } },
          shown: shownJob(admission),
        },
      } satisfies DockingWorkInput,
    ],
    typedSearchAttributes,
    staticSummary: `docking ${kind}: ${summary}`,
    staticDetails: details,
  });
}

/** Makes the summary of a docking workflow's child for operators. */
function shownJob(admission: JobAdmission): ShownJob {
  const { accountId, jobType, simulator, provider } = admission;
  const { staticSummary: summary, staticDetails: details } = shownAs(admission);
  return { accountId, jobType, simulator, provider, summary, details };
}

async function endOf(temporal: TemporalClient, jobId: string): Promise<WorkflowEnd | null> {
  const status = await statusOf(temporal, jobWorkflowId(jobId));
  if (status === 'RUNNING') return null;
  return status === 'FAILED' ? 'failed' : 'gone';
}

async function startExport(
  { connection, client }: { readonly connection: Connection; readonly client: Client },
  input: ExportInput,
  how: ExportStart,
): Promise<void> {
  const { exportId, accountId, format, results } = input;
  await connection.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
    client.workflow.start('dockingExport', {
      ...STARTED,
      workflowId: exportWorkflowId(exportId),
      args: [input],
      ...(how === 'anew' ? { workflowIdConflictPolicy: 'TERMINATE_EXISTING' as const } : {}),
      typedSearchAttributes: [
        { key: ACCOUNT_ID, value: accountId },
        { key: STATUS, value: 'QUEUED' },
      ],
      staticSummary: `export of ${results} results as ${format}`,
      staticDetails: `Export \`${exportId}\` of account \`${accountId}\``,
    }),
  );
}

async function importStructure(
  { connection, client }: { readonly connection: Connection; readonly client: Client },
  pdbId: string,
): Promise<void> {
  await connection.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
    client.workflow.start('importStructure', {
      ...STARTED,
      workflowId: structureWorkflowId(pdbId),
      args: [{ pdbId }],
      staticSummary: 'import of an entry of the archive',
    }),
  );
}

/** The workflow run that has ended was a refused submit, or a job that its own row remembers; both may start again. */
const STARTED = {
  taskQueue: CONTROL_QUEUE,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;

function shownAs(admission: JobAdmission) {
  return {
    typedSearchAttributes: jobSearchAttributes({ ...admission, status: 'SUBMITTED', recoveries: 0 }),
    staticSummary: jobSummary(admission.plan, admission.toolId),
    staticDetails: jobDetails({ ...admission, price: shownPrice(admission) }),
  };
}

/** One call starts the workflow, or joins the one that runs, and waits for the decision. */
async function askDecision(
  { connection, client }: { readonly connection: Connection; readonly client: Client },
  startWorkflowOperation: WithStartWorkflowOperation<() => Promise<unknown>>,
  update: string,
  waitMs: number,
): Promise<StartOutcome> {
  try {
    const decision = await connection.withDeadline(Date.now() + waitMs, () =>
      client.workflow.executeUpdateWithStart<() => Promise<unknown>, AdmissionDecision, []>(update, {
        // With a fixed id Temporal would answer the refusal of an earlier run.
        updateId: randomUUID(),
        args: [],
        startWorkflowOperation,
      }),
    );
    return { kind: 'decided', decision };
  } catch (error) {
    return noAnswerOf(error);
  }
}

/** One call, so no message is lost between the start and its delivery, and no run that is there is replaced. */
async function takeUp(
  connection: Connection,
  client: Client,
  { input, toolId, recoveryMode }: JobTakeUp,
  message: JobMessage,
): Promise<void> {
  const { carry } = input.start;
  const { jobId } = input;
  await connection.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
    client.workflow.signalWithStart('job', {
      workflowId: jobWorkflowId(jobId),
      taskQueue: CONTROL_QUEUE,
      // The run that has ended was terminated, or its job goes on with another execution.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      args: [input],
      // A run that is there keeps its own memo, so the memo tells of a start alone.
      memo: { [TAKEN_UP_MEMO]: { by: message.kind, at: new Date().toISOString() } satisfies TakenUp },
      signal: JOB_MESSAGES[message.kind],
      signalArgs: argumentsOf(message, carry),
      typedSearchAttributes: jobSearchAttributes({
        ...carry,
        status: carry.state,
        recoveries: carry.recoveries,
      }),
      staticSummary: jobSummary(carry.plan, toolId),
      staticDetails: jobDetails({ ...carry, jobId, recoveryMode, price: `hold: ${carry.heldPence} pence` }),
    }),
  );
}

function argumentsOf(message: JobMessage, carry: JobCarry): unknown[] {
  switch (message.kind) {
    case 'cancel':
    case 'pause':
      return [{ reason: message.reason }];
    case 'resume':
      return [carry];
    case 'capacity':
    case 'endPause':
      return [];
    default:
      return message satisfies never;
  }
}
