/**
 * The real workflow bundle on a real Temporal server, with fake activities that a test can hold, fail or watch. What
 * the activities keep of a job (tasks, money, fence) is the least that the workflows' logic needs.
 */
import { randomUUID } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';
import type { WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';

import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { createJobWorkflows } from '../../src/adapters/temporal/client.ts';
import type { JobWorkflows, StartOutcome } from '../../src/adapters/temporal/client.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { dockingWorkflowId } from '../../src/contracts/docking.ts';
import type { DockingWorkInput } from '../../src/contracts/docking.ts';
import type { ShardInput, ShardResult, TaskReport } from '../../src/contracts/instance.ts';
import type { AdmissionDecision, JobCarry, JobInput, JobMessage, JobPlan } from '../../src/contracts/job.ts';
import { computeQueue, CONTROL_QUEUE, CONTROL_QUEUES, jobWorkflowId } from '../../src/contracts/names.ts';
import { firstCarry } from '../../workflows/lib/first-carry.ts';
import { partStarts } from '../../src/domain/shards.ts';
import { admissionOf, doneReport, FakeJob, QUICK } from './fake-job.ts';
import { openDoor } from './door.ts';
import type { Door } from './door.ts';
import type { Hook, JobOptions } from './fake-job.ts';
import { quietRuntime, startServer } from './server.ts';

/** A started job with its handle. */
export interface Started {
  readonly job: FakeJob;
  readonly outcome: StartOutcome;
  readonly handle: WorkflowHandle;
}

/** A worker that runs. */
interface Serving {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

/** The control workers, behind a door of their own. */
interface Served {
  readonly workers: readonly Serving[];
  readonly connection: NativeConnection;
  readonly door: Door;
}

/** Server, control worker, client. */
export class World {
  readonly client: Client;
  readonly workflows: JobWorkflows;
  /** Activities of the deployment, which belong to no job. */
  readonly deployment = new Map<string, Hook>();
  private readonly jobs = new Map<string, FakeJob>();
  private serving: Served | null = null;
  private readonly address: string;
  private readonly connection: NativeConnection;
  private readonly closing: (() => Promise<unknown>)[];

  private constructor(
    client: Client,
    workflows: JobWorkflows,
    connection: NativeConnection,
    closing: (() => Promise<unknown>)[],
    address: string,
  ) {
    this.client = client;
    this.workflows = workflows;
    this.connection = connection;
    this.address = address;
    this.closing = closing;
  }

  /** Opens a world; its workflows are those of the checkout unless `bundle` names another bundle. */
  static async open(bundle?: string): Promise<World> {
    const server = await startServer();
    const clientConnection = await Connection.connect({ address: server.address });
    const workflows = createJobWorkflows(plainAccess(server.address));
    quietRuntime();
    const connection = await NativeConnection.connect({ address: server.address });
    const closing: (() => Promise<unknown>)[] = [];
    const world = new World(
      new Client({ connection: clientConnection }),
      workflows,
      connection,
      closing,
      server.address,
    );
    await world.serve(bundle ?? (await ensureBundle()));
    closing.push(async () => {
      await world.stopServing();
      await workflows.close();
      await connection.close();
      await clientConnection.close();
      await server.stop();
    });
    return world;
  }

  async close(): Promise<void> {
    for (const job of this.jobs.values()) for (const key of job.workers.keys()) await this.end(job, key);
    for (const close of this.closing) await close();
  }

  /** Serves the queues of the control workers with the workflows of a bundle, in place of the workers before. */
  async serve(codePath: string): Promise<void> {
    await this.stopServing();
    const door = await openDoor(this.address);
    const connection = await NativeConnection.connect({ address: door.address });
    const make = async (taskQueue: string): Promise<Serving> => {
      const worker = await Worker.create({
        connection,
        taskQueue,
        activities: this.activities(),
        maxConcurrentActivityTaskExecutions: 100,
        shutdownForceTime: '2s',
        ...(taskQueue === CONTROL_QUEUE ? { workflowBundle: { codePath } } : {}),
      });
      return { worker, ended: worker.run().catch(() => undefined) };
    };
    this.serving = { workers: await Promise.all(CONTROL_QUEUES.map(make)), connection, door };
  }

  private async stopServing(): Promise<void> {
    if (this.serving === null) return;
    const { workers, connection, door } = this.serving;
    this.serving = null;
    for (const { worker } of workers) worker.shutdown();
    door.cut();
    await Promise.all(workers.map(({ ended }) => ended));
    await connection.close();
    await door.close();
  }

  /** Makes a job; `start` starts it, so that a test can set its hooks first. */
  job(options: JobOptions = {}): FakeJob {
    const job = new FakeJob(admissionOf(options));
    this.jobs.set(job.id, job);
    return job;
  }

  /** Submits the job as the API does. */
  async start(job: FakeJob, options: JobOptions = {}): Promise<Started> {
    const input = {
      jobId: job.id,
      timing: { ...QUICK, ...options.timing },
      maxHistoryEvents: options.maxHistoryEvents ?? 8000,
    };
    const outcome = await this.workflows.startJob({ input, admission: job.admission }, 20_000);
    return { job, outcome, handle: this.client.workflow.getHandle(jobWorkflowId(job.id)) };
  }

  /** Starts a batch of docking whose job is the given one; its history may be bounded apart from the job's. */
  async startBatch(
    job: FakeJob,
    {
      maxHistoryEvents = 8000,
      samples = [],
    }: { maxHistoryEvents?: number; samples?: readonly FakeJob[] } = {},
  ): Promise<WorkflowHandle> {
    const [id, { jobId, accountId }] = [randomUUID(), job.admission];
    const shown = {
      accountId,
      jobType: 'simulation',
      simulator: 'noop',
      provider: 'local',
      summary: '',
      details: '',
    };
    const inputOf = ({ id: own, admission }: FakeJob): JobInput => ({
      ...{ jobId: own, timing: QUICK, maxHistoryEvents: 8000, start: { kind: 'admit', admission } },
    });
    const input: DockingWorkInput = {
      ...{ id, jobId, accountId, maxHistoryEvents, start: { kind: 'begin', job: inputOf(job), shown } },
      samples: samples.map((sample) => ({ job: inputOf(sample), shown })),
    };
    const workflowId = dockingWorkflowId('batch', id);
    return this.client.workflow.start('dockingBatch', {
      taskQueue: CONTROL_QUEUE,
      workflowId,
      args: [input],
    });
  }

  /** Gives a paused job a message as the service does: with a run that is started from the job's rows. */
  async takeUpPaused(
    job: FakeJob,
    message: JobMessage,
    own: Partial<Pick<JobCarry, 'state' | 'execution'>> = {},
  ): Promise<WorkflowHandle> {
    const { admission } = job;
    const { fingerprint, response } = admission;
    const decision = { kind: 'admitted', fingerprint, response, replay: true } as const;
    const first = firstCarry(admission, decision);
    const carry: JobCarry = { ...first, state: 'PAUSED', transition: 100, takenUp: true, ...own };
    const slots = carry.slots.map(() => ({ generation: 2, open: false }));
    const start = { kind: 'continue', carry: { ...carry, slots } } as const;
    const input = { jobId: job.id, timing: QUICK, maxHistoryEvents: 8000, start };
    await this.workflows.takeUp({ input, toolId: 'noop', recoveryMode: 'standard' }, message);
    return this.client.workflow.getHandle(jobWorkflowId(job.id));
  }

  /** Makes a job with hooks, starts it and waits for its end. */
  async run(
    options: JobOptions,
    prepare: (job: FakeJob) => void = () => undefined,
  ): Promise<Started & { result: unknown }> {
    const job = this.job(options);
    prepare(job);
    const started = await this.start(job, options);
    return { ...started, result: await started.handle.result() };
  }

  /** The ids of the job's parts, the oldest first, as Temporal's visibility has them. */
  async parts(job: FakeJob): Promise<string[]> {
    const ids: string[] = [];
    const query = `WorkflowId STARTS_WITH "${jobWorkflowId(job.id)}/"`;
    for await (const { workflowId } of this.client.workflow.list({ query })) ids.push(workflowId);
    return ids.reverse();
  }

  private find(jobId: string): FakeJob {
    const job = this.jobs.get(jobId);
    if (job === undefined) throw ApplicationFailure.nonRetryable(`no job ${jobId}`, 'Invariant');
    return job;
  }

  private activities(): Record<string, (...args: never[]) => Promise<unknown>> {
    const activities: Record<string, (...args: never[]) => Promise<unknown>> = {};
    for (const [name, effect] of Object.entries(this.effects())) {
      activities[name] = async (request: { jobId: string }) => {
        const job = this.find(request.jobId);
        job.calls.push({ name, request });
        const answer = await job.hooks.get(name)?.(request, job.of(name).length);
        return answer === undefined ? effect(job, request as never) : answer;
      };
    }
    for (const name of [
      'sweepDeployment',
      'auditLedger',
      'endLongPauses',
      'fetchFxRate',
      'fetchStructure',
      'grantDueAllowances',
      'sendAlerts',
      'reconcileBooks',
      'writeDockingExport',
      'failDockingExport',
    ]) {
      activities[name] = async (request: unknown) => this.deployment.get(name)?.(request ?? null, 0);
    }
    return activities;
  }

  /** What the fake activities do, as far as the workflows can see. */
  private effects(): Record<string, (job: FakeJob, request: never) => unknown> {
    return {
      admitJob: (job) =>
        ({
          kind: 'admitted',
          fingerprint: job.admission.fingerprint,
          response: job.admission.response,
          replay: false,
        }) satisfies AdmissionDecision,
      removeRefusedRequest: () => undefined,
      planTasks: () => ({ ok: true }),
      requestCapacity: (_job, { vcpus }: { vcpus: number }) => ({ granted: true, reason: null, vcpus }),
      reduceCapacity: () => undefined,
      returnCapacity: () => undefined,
      releaseCapacity: () => undefined,
      coverTasks: (_job, { ordinals }: { ordinals: readonly number[] }) => ({
        covered: ordinals,
        refused: null,
      }),
      preparationFailure: () => null,
      controlMiss: () => null,
      outstanding: (job) => ({
        parts: [
          ...new Set(
            job.pending(0, job.admission.plan.taskCount).map((one) => partOf(job.admission.plan, one)),
          ),
        ],
        controlOpen: false,
        mergeOpen: isMergeOpen(job),
        cancelRequested: false,
        cancelReason: null,
      }),
      listPendingTasks: (job, { kind, from, to }: { kind: string; from: number; to: number }) =>
        kind === 'task'
          ? job.pending(from, to)
          : kind === 'merge'
            ? isMergeOpen(job)
              ? [0]
              : []
            : job.of('commitTasks').some((one) => one.kind === kind)
              ? []
              : [0],
      commitTasks: (
        job,
        request: { kind: string; reports: TaskReport[]; slot: number; generation: number },
      ) => commit(job, request),
      failTasks: (job) => {
        for (const one of job.pending(0, job.admission.plan.taskCount)) job.done.set(one, 'FAILED');
      },
      recordState: (job, { to }: { to: string }) => void job.states.push(to),
      taskCounts: (job) => ({
        verified: job.count('SUCCEEDED'),
        failed: job.count('FAILED'),
        total: job.admission.plan.taskCount,
        mergeMissing: job.admission.plan.steps.includes('merge') && !job.hasMerged,
      }),
      settleJob: (job, { to }: { to: string }) => {
        const verified = job.count('SUCCEEDED');
        const chargedPence = verified === 0 ? 0 : verified + 2;
        job.settlements.push({ to, charged: chargedPence });
        return { verified, failed: job.count('FAILED'), chargedPence, releasedPence: 0, to };
      },
      lookAtDockingJob: (job) => ({
        state: job.settlements.at(-1)?.to ?? job.states.at(-1) ?? 'SUBMITTED',
        ...{ total: job.admission.plan.taskCount, succeeded: job.count('SUCCEEDED') },
        ...{ failed: job.count('FAILED'), bestAffinityKcalMol: null },
      }),
      cancelDockingJob: (job, { reason }: { reason: string }) =>
        this.client.workflow.getHandle(jobWorkflowId(job.id)).signal('cancel', { reason }),
      checkCompleteness: () => ({ setBack: 0, standing: null }),
      writeManifest: () => undefined,
      sweepStaging: () => undefined,
      launchInstance: (job, request: InstanceRequest) => this.launch(job, request),
      awaitInstance: () => ({ state: 'alive', cause: 'CONTACT' }),
      inquireInstance: () => ({ state: 'alive', cause: 'CONTACT' }),
      replaceInstance: (job, { slot, generation }: InstanceRequest) => {
        job.fenced.add(`${slot}.${generation}`);
        return { requeued: 0, failed: 0, deadEnds: 0, pauseSeconds: 0 };
      },
      drainInstance: () => undefined,
      fenceJob: (job) => {
        for (const key of job.workers.keys()) job.fenced.add(key);
      },
      terminateInstances: async (
        job,
        { slot, generation }: { slot: number | null; generation: number | null },
      ) => {
        const all = slot === null || generation === null;
        for (const key of job.workers.keys())
          if (all || key === `${slot}.${generation}`) void this.end(job, key);
      },
    };
  }

  private async launch(
    job: FakeJob,
    { slot, generation, toolSlots }: InstanceRequest,
  ): Promise<{ state: 'asked' }> {
    const key = `${slot}.${generation}`;
    if (job.workers.has(key)) return { state: 'asked' };
    const worker = await Worker.create({
      connection: this.connection,
      taskQueue: computeQueue(job.id, slot, generation),
      activities: { runShard: (input: ShardInput) => runShard(job, input) },
      maxConcurrentActivityTaskExecutions: toolSlots,
      maxHeartbeatThrottleInterval: '100ms',
      shutdownForceTime: '1s',
    });
    job.workers.set(key, { worker, ended: worker.run().catch(() => undefined) });
    return { state: 'asked' };
  }

  private async end(job: FakeJob, key: string): Promise<void> {
    const entry = job.workers.get(key);
    job.workers.delete(key);
    if (entry === undefined) return;
    entry.worker.shutdown();
    await entry.ended;
  }
}

interface InstanceRequest {
  readonly slot: number;
  readonly generation: number;
  readonly toolSlots: number;
}

/** The typed search attributes of a workflow, by name. */
export function attributesOf(description: WorkflowExecutionDescription): Record<string, unknown> {
  const pairs = description.typedSearchAttributes.getAll();
  return Object.fromEntries(pairs.map(({ key, value }) => [key.name, value]));
}

async function runShard(job: FakeJob, input: ShardInput): Promise<ShardResult> {
  job.calls.push({ name: 'runShard', request: input });
  job.runningNow += 1;
  job.runningMost = Math.max(job.runningMost, job.runningNow);
  try {
    const answer = await job.hooks.get('runShard')?.(input, job.of('runShard').length);
    return (answer ?? { fenced: false, reports: input.ordinals.map(doneReport) }) as ShardResult;
  } finally {
    job.runningNow -= 1;
  }
}

function commit(
  job: FakeJob,
  {
    kind,
    reports,
    slot,
    generation,
  }: { kind: string; reports: TaskReport[]; slot: number; generation: number },
): { fenced: boolean; verified: number; failed: number; redo: number[] } {
  if (job.fenced.has(`${slot}.${generation}`)) return { fenced: true, verified: 0, failed: 0, redo: [] };
  if (kind === 'merge') job.merge(reports);
  if (kind !== 'task') return { fenced: false, verified: 0, failed: 0, redo: [] };
  for (const { ordinal, end } of reports) job.done.set(ordinal, end === 'done' ? 'SUCCEEDED' : 'FAILED');
  const verified = reports.filter(({ end }) => end === 'done').length;
  return { fenced: false, verified, failed: reports.length - verified, redo: [] };
}

/** Whether there is something to merge, and the merge is not decided. */
function isMergeOpen(job: FakeJob): boolean {
  return job.admission.plan.steps.includes('merge') && !job.isMergeDecided && job.count('SUCCEEDED') > 0;
}

/** The part of a job that has a task. */
function partOf(plan: JobPlan, ordinal: number): number {
  return partStarts(plan).findLastIndex((from) => from <= ordinal);
}
