/**
 * The runs of an instance: each task that the instance runs or has run for its job. A shard lasts as long as an attempt of
 * the activity, a run lasts longer: a shard that names a task which is running joins the run of that task, so that a task
 * never has two processes at once. shard-runner.ts claims and runs the tasks, task-reporter.ts finishes and reports.
 */
import { join } from 'node:path';

import type { Containment } from '../contracts/containment.ts';
import type { ContactRequest, ShardInput } from '../contracts/instance.ts';
import { CALL_ITEMS } from '../contracts/instance.ts';
import { removeFolder } from './folders.ts';
import { CheckpointKeeper } from './checkpoints.ts';
import type { GatewayClient } from './gateway-client.ts';
import { createInputFolder, type InputFolder } from './inputs.ts';
import { LogShipper } from './log-shipper.ts';
import { ShardRunner, type TaskStart } from './shard-runner.ts';
import type { FindSessionTool } from './session-tools.ts';
import { SlotQueue } from './slots.ts';
import { createStager, type Stager } from './staging.ts';
import { TaskReporter } from './task-reporter.ts';
import { runKey, TaskRun } from './task-run.ts';
import type { InstanceLog } from './tool-log.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { UploadUrlBatcher } from './upload-url-batcher.ts';

/** The instance that the board belongs to. */
export interface BoardOptions {
  readonly instanceId: string;
  /** The instance's own folder. */
  readonly folder: string;
  readonly toolSlots: number;
  /** The vCPUs of the instance, which its slots share; absent: one for each slot. */
  readonly vcpus?: number;
  readonly containment: Containment;
  /** The GPUs of the machine that the instance may use, by their numbers. */
  readonly gpus: readonly number[];
  readonly gateway: GatewayClient;
  readonly findTool: FindSessionTool;
  /** Called at each start of a tool process and at each start of a task in one. */
  readonly onStart: (start: ToolStart) => void;
  /** How long the files of one task wait for those of others, to be signed together. */
  readonly companyMs?: number;
  readonly tracing?: Tracing;
  readonly log?: InstanceLog;
}

/** The start of a tool process, or of a task in a tool process. */
export type ToolStart =
  | { readonly start: 'process'; readonly toolId: string; readonly pid: number | undefined }
  | ({ readonly start: 'task' } & TaskStart);

/** Ended runs that are remembered for adoption. */
const REMEMBERED_RUNS = 20_000;

/** The runs of an instance, with the slots, inputs, logs and staging that the runs share. */
export class TaskBoard {
  readonly #folder: string;
  readonly #runs = new Map<string, TaskRun>();
  readonly #end = new AbortController();
  readonly #slots: SlotQueue;
  readonly #logs: LogShipper;
  readonly #inputs: InputFolder;
  readonly #stager: Stager;
  readonly #runner: ShardRunner;
  readonly #drain = new AbortController();
  #isFenced = false;
  #shards = 0;
  #idleSince = performance.now();

  constructor(options: BoardOptions) {
    const { instanceId, folder, toolSlots, containment, gpus, gateway, findTool, onStart, companyMs } =
      options;
    const { tracing = NO_TRACING, log } = options;
    this.#folder = folder;
    const inputs = join(folder, 'inputs');
    this.#slots = new SlotQueue(toolSlots, {
      instanceId,
      folder: join(folder, 'work'),
      inputs,
      containment,
      gpus,
      vcpusPerSlot: Math.max(1, Math.floor((options.vcpus ?? toolSlots) / toolSlots)),
      onStart: (pid, toolId) => onStart({ start: 'process', toolId, pid }),
      traceparent: () => tracing.traceparent(),
    });
    this.#logs = new LogShipper(gateway);
    this.#inputs = createInputFolder(inputs);
    this.#stager = createStager(new UploadUrlBatcher(gateway, this.#end.signal, companyMs));
    this.#runner = new ShardRunner({
      gateway,
      slots: this.#slots,
      inputs: this.#inputs,
      reporter: new TaskReporter(this.#logs, this.#stager, tracing),
      checkpoints: new CheckpointKeeper(gateway, this.#stager),
      findTool,
      onTaskStart: (start) => onStart({ start: 'task', ...start }),
      end: this.#end.signal,
      drain: this.#drain.signal,
      tracing,
      ...(log === undefined ? {} : { log }),
    });
  }

  /** Whether the generation was fenced: nothing that the instance did may count. */
  get isFenced(): boolean {
    return this.#isFenced;
  }

  /** Begins a run for each task of a shard, or joins the run of a task that is running already. */
  begin(input: ShardInput): readonly TaskRun[] {
    const fresh: TaskRun[] = [];
    const runs = input.ordinals.map((ordinal) => {
      const key = runKey(input, ordinal);
      const known = this.#runs.get(key);
      if (known !== undefined && known.state !== 'ended') return known;
      const run = new TaskRun(input.kind, ordinal, known ?? null);
      this.#runs.delete(key);
      this.#runs.set(key, run);
      fresh.push(run);
      return run;
    });
    if (this.#end.signal.aborted) for (const run of fresh) run.abandon();
    else if (this.#drain.signal.aborted) void this.#handBack(input, fresh);
    else if (fresh.length > 0) void this.#runner.run(input, fresh);
    this.#forgetOldest();
    return runs;
  }

  /**
   * Hands tasks back that came while the instance drains. A task that has ended here since the notice, before anybody could be told,
   * is reported and not done again by the next instance.
   */
  async #handBack(input: ShardInput, fresh: readonly TaskRun[]): Promise<void> {
    const known = fresh.filter(({ previous }) => previous?.ended != null);
    for (const run of fresh) if (!known.includes(run)) run.interrupt();
    if (known.length > 0) await this.#runner.adopt(input, known);
  }

  /** Counts a shard as at work until the function that is answered is called. */
  startShard(): () => void {
    this.#shards += 1;
    return () => {
      this.#shards -= 1;
      this.#idleSince = performance.now();
    };
  }

  /** For how long the instance has had no shard and no run, in milliseconds. */
  idleMs(): number {
    const isBusy = this.#shards > 0 || [...this.#runs.values()].some(({ state }) => state !== 'ended');
    return isBusy ? 0 : performance.now() - this.#idleSince;
  }

  /** Aborted when the instance is about to be taken away and begins no task any more. */
  get drainSignal(): AbortSignal {
    return this.#drain.signal;
  }

  /**
   * Begins no task any more: tasks that wait are handed back at once, and those that still run after so many milliseconds
   * then. A task whose tool has ended has some seconds more to be staged.
   */
  drain(runningMs: number): void {
    if (this.#drain.signal.aborted || this.#end.signal.aborted) return;
    for (const run of this.#runs.values()) if (run.state === 'waiting') run.interrupt();
    this.#drain.abort();
    const handBack = (): void => {
      for (const run of this.#runs.values()) run.interrupt();
    };
    const timer = setTimeout(handBack, runningMs);
    this.#end.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** The tasks that run now, as the contact tells the gateway. */
  running(): ContactRequest['running'] {
    const running = [...this.#runs.values()].filter(({ state }) => state === 'running');
    return running.slice(0, CALL_ITEMS).map(({ kind, ordinal, percent }) => ({ kind, ordinal, percent }));
  }

  /** Whether the object store has refused an output for want of room since this was asked last. */
  wasStoreFull(): boolean {
    return this.#stager.wasStoreFull();
  }

  /** Sends what tools have printed since the last time. */
  flushLogs(): void {
    this.#logs.flush();
  }

  /** Stops every run that has not ended: the job is being cancelled. */
  stopAll(): void {
    for (const run of this.#runs.values()) run.stop();
  }

  /** Stops every run at once; returns when no tool and no work folder is left. */
  async close(reason: 'fenced' | 'ended'): Promise<void> {
    this.#isFenced ||= reason === 'fenced';
    this.#end.abort();
    for (const run of this.#runs.values()) run.abandon();
    await this.#slots.close();
    await Promise.all([this.#inputs.close(), this.#stager.close()]);
    await removeFolder(this.#folder);
  }

  #forgetOldest(): void {
    for (const [key, run] of this.#runs) {
      if (this.#runs.size <= REMEMBERED_RUNS || run.state !== 'ended') return;
      this.#runs.delete(key);
    }
  }
}
