/**
 * Everything that this instance does or has done for its job. Shards come and go with activity attempts; runs stay:
 * a shard that names a task which runs here joins that run, so there is never a second process for one task.
 * Whether a finished run counts for a new attempt is the gateway's word: it does when the claim answers the same
 * attempt number, because a task that is to be done anew was set back and gets the next number.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type {
  ClaimedTask,
  ClaimResponse,
  ContactRequest,
  ShardInput,
  TaskReport,
} from '../contracts/instance.ts';
import { CALL_ITEMS } from '../contracts/instance.ts';
import { reportFault } from '../contracts/reports.ts';
import { removeFolder } from './folders.ts';
import type { GatewayClient } from './gateway-client.ts';
import { createInputFolder } from './inputs.ts';
import { LogCollector } from './log-collector.ts';
import { LogShipper } from './log-shipper.ts';
import { inspectOutputs } from './outputs.ts';
import {
  FencedError,
  InputError,
  InputUrlError,
  InstanceError,
  OutputError,
  OutputLimitError,
  repeat,
} from './repeat.ts';
import type { TaskOutcome } from './session.ts';
import { SlotQueue } from './slots.ts';
import type { SessionTool, Slot } from './slots.ts';
import { createStager } from './staging.ts';
import { runKey, TaskRun } from './task-run.ts';
import { UploadDesk } from './upload-desk.ts';

export interface BoardOptions {
  readonly instanceId: string;
  /** The instance's own folder. */
  readonly folder: string;
  readonly toolSlots: number;
  readonly gateway: GatewayClient;
  readonly findTool: (id: string) => SessionTool | null;
  /** Told of each start of a tool process and of each start of a task in one. */
  readonly onStart: (start: ToolStart) => void;
}

/** A start, for those who count them. */
export type ToolStart =
  | { readonly start: 'process'; readonly toolId: string; readonly pid: number | undefined }
  | {
      readonly start: 'task';
      readonly kind: ShardInput['kind'];
      readonly ordinal: number;
      readonly attempt: number;
    };

/** Ended runs that are remembered for adoption. */
const REMEMBERED_RUNS = 20_000;
const NEW_URL_WAIT_MS = 1_000;

interface Shard {
  readonly input: ShardInput;
  readonly runs: readonly TaskRun[];
  /** Aborted when nothing of the shard is wanted any more. */
  readonly signal: AbortSignal;
}

interface ShardWork {
  readonly claim: ClaimResponse;
  /** Where the claim's inputs are, by name. */
  readonly paths: Readonly<Record<string, string>>;
  readonly slot: Slot;
}

/** The instance's work. */
export class TaskBoard {
  readonly #options: BoardOptions;
  readonly #runs = new Map<string, TaskRun>();
  readonly #end = new AbortController();
  readonly #slots: SlotQueue;
  readonly #logs: LogShipper;
  readonly #inputs: ReturnType<typeof createInputFolder>;
  readonly #stager: ReturnType<typeof createStager>;
  #isFenced = false;

  constructor(options: BoardOptions) {
    const { instanceId, folder, toolSlots, gateway, onStart } = options;
    this.#options = options;
    this.#slots = new SlotQueue(toolSlots, {
      instanceId,
      folder: join(folder, 'work'),
      onStart: (pid, toolId) => onStart({ start: 'process', toolId, pid }),
    });
    this.#logs = new LogShipper(gateway);
    this.#inputs = createInputFolder(join(folder, 'inputs'));
    this.#stager = createStager(new UploadDesk(gateway, this.#end.signal));
  }

  /** Whether the generation was fenced: nothing that it did may count. */
  get isFenced(): boolean {
    return this.#isFenced;
  }

  /** Begins a shard's tasks, or joins those that run here already. */
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
    else if (fresh.length > 0) void this.#runShard(input, fresh);
    this.#forgetOldest();
    return runs;
  }

  /** What runs now, for the contact. */
  running(): ContactRequest['running'] {
    const running = [...this.#runs.values()].filter(({ state }) => state === 'running');
    return running.slice(0, CALL_ITEMS).map(({ kind, ordinal, percent }) => ({ kind, ordinal, percent }));
  }

  /** Sends what tools have printed since the last time. */
  flushLogs(): void {
    this.#logs.flush();
  }

  /** Stops everything that is not ended: the job is being cancelled. */
  stopAll(): void {
    for (const run of this.#runs.values()) run.stop();
  }

  /** Ends everything at once; returns when no tool and no work folder is left. */
  async close(reason: 'fenced' | 'ended'): Promise<void> {
    this.#isFenced ||= reason === 'fenced';
    this.#end.abort();
    for (const run of this.#runs.values()) run.abandon();
    await this.#slots.close();
    await Promise.all([this.#inputs.close(), this.#stager.close()]);
    await removeFolder(this.#options.folder);
  }

  async #runShard(input: ShardInput, runs: readonly TaskRun[]): Promise<void> {
    const shard: Shard = { input, runs, signal: whenAllStopped(runs, this.#end.signal) };
    const slot = await this.#slots.acquire();
    try {
      if (shard.signal.aborted) return;
      await this.#workOff(shard, slot);
    } catch (error) {
      for (const run of runs) this.#settleError(run, error);
    } finally {
      this.#slots.release(slot);
    }
  }

  async #workOff(shard: Shard, slot: Slot): Promise<void> {
    const { claim, paths } = await this.#claim(shard);
    const work: ShardWork = { claim, paths, slot };
    if (shard.input.kind === 'prepare') this.#startAhead(claim);
    const claimed = new Map(claim.tasks.map((task) => [task.ordinal, task]));
    const last = claim.tasks.at(-1)?.ordinal;
    for (const run of shard.runs) {
      const task = claimed.get(run.ordinal);
      const { previous } = run;
      if (task === undefined) run.settle(run.stopSignal.aborted ? stopped(run) : null);
      else if (
        previous?.ended != null &&
        previous.attempt === task.attempt &&
        previous.ended.end !== 'stopped'
      ) {
        run.attempt = task.attempt;
        run.settle(previous.ended);
      } else await this.#runTask(work, run, task, run.ordinal === last);
    }
  }

  /** Claims, and fetches the inputs; an input whose URL has expired meanwhile is claimed anew, which changes nothing. */
  async #claim({ input, runs, signal }: Shard): Promise<Pick<ShardWork, 'claim' | 'paths'>> {
    const { execution, kind } = input;
    const ordinals = runs.map(({ ordinal }) => ordinal);
    for (;;) {
      const claim = await this.#options.gateway.claim({ execution, kind, ordinals }, signal);
      try {
        return { claim, paths: await repeat(signal, () => this.#inputs.fetch(claim.inputs, signal)) };
      } catch (error) {
        if (!(error instanceof InputUrlError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, NEW_URL_WAIT_MS));
      }
    }
  }

  /** Runs the tool; returns when the slot is free again. Staging goes on behind it. */
  async #runTask(work: ShardWork, run: TaskRun, task: ClaimedTask, isLast: boolean): Promise<void> {
    if (run.stopSignal.aborted) {
      run.settle(stopped(run));
      return;
    }
    run.state = 'running';
    run.attempt = task.attempt;
    const log = new LogCollector(work.claim.limits.logBytes);
    this.#logs.add({ kind: run.kind, ordinal: run.ordinal, attempt: task.attempt }, log);
    const startedAt = performance.now();
    let folder: string | null = null;
    let outcome: TaskOutcome;
    try {
      const { session, makeFolder } = await this.#openSession(work);
      folder = await makeFolder();
      const { kind, ordinal } = run;
      const { itemId, attempt, spec } = task;
      this.#options.onStart({ start: 'task', kind, ordinal, attempt });
      const hooks = { log, onProgress: (percent: number) => void (run.percent = percent) };
      const inputs = inputsOf(task, work.paths);
      const request = {
        type: 'task',
        id: randomUUID(),
        kind,
        itemId,
        attempt,
        folder,
        spec,
        inputs,
      } as const;
      outcome = await session.run(request, work.claim.limits, hooks, run.stopSignal);
    } catch (error) {
      outcome = { end: 'unstarted', reason: error instanceof Error ? error.message : String(error) };
    }
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    run.state = 'staging';
    work.slot.holdFolder(this.#finish(run, { outcome, folder, seconds, log, isLast }));
  }

  #startAhead({ toolId, session, tasks }: ClaimResponse): void {
    const tool = this.#options.findTool(toolId);
    if (tool?.startsAhead === true && tasks.length > 0)
      this.#slots.startAhead(tool, { type: 'open', spec: session });
  }

  #openSession({ claim, slot }: ShardWork): ReturnType<Slot['open']> {
    const tool = this.#options.findTool(claim.toolId);
    if (tool === null) throw new Error(`The tool ${claim.toolId} is not installed on this instance.`);
    return slot.open(tool, { type: 'open', spec: claim.session });
  }

  async #finish(
    run: TaskRun,
    end: { outcome: TaskOutcome; folder: string | null; seconds: number; log: LogCollector; isLast: boolean },
  ): Promise<void> {
    const { outcome, folder, seconds, log, isLast } = end;
    const logSent = this.#logs.finish(log);
    try {
      const report = await this.#reportOf(run, outcome, folder, seconds, isLast);
      await logSent;
      run.settle(report);
    } catch (error) {
      this.#settleError(run, error, seconds);
    } finally {
      if (folder !== null) await removeFolder(folder);
    }
  }

  async #reportOf(
    run: TaskRun,
    outcome: TaskOutcome,
    folder: string | null,
    seconds: number,
    isLast: boolean,
  ): Promise<TaskReport> {
    const { ordinal, kind } = run;
    if (outcome.end === 'stopped') return stopped(run);
    if (outcome.end === 'unstarted')
      throw new InstanceError(`The instance could not run the tool: ${outcome.reason}`);
    if (outcome.end === 'failed') return checked(failureOf(run, outcome, seconds));
    if (folder === null) throw new Error('A finished task has no folder.');
    const outputs = await inspectOutputs(folder, outcome.outputs);
    const { summary } = outcome;
    const staged = outputs.map((output) => output.staged);
    const report = checked({ ordinal, end: 'done', outputs: staged, seconds, summary });
    await this.#stager.stage({ kind, ordinal, isUrgent: isLast }, outputs, run.abandonSignal);
    return report;
  }

  #settleError(run: TaskRun, error: unknown, seconds = 0): void {
    const { ordinal } = run;
    if (error instanceof OutputError) {
      run.settle({ ordinal, end: 'failed', code: 'OUTPUT_UNVERIFIED', message: error.message, seconds });
    } else if (error instanceof OutputLimitError) {
      run.settle({ ordinal, end: 'failed', code: 'ENGINE_LIMIT_EXCEEDED', message: error.message, seconds });
    } else if (error instanceof InputError) {
      run.settle({ ordinal, end: 'failed', code: error.code, message: error.message, seconds });
    } else if (error instanceof FencedError || run.stopSignal.aborted || run.abandonSignal.aborted) {
      run.settle(stopped(run));
    } else run.fail(error);
  }

  #forgetOldest(): void {
    for (const [key, run] of this.#runs) {
      if (this.#runs.size <= REMEMBERED_RUNS || run.state !== 'ended') return;
      this.#runs.delete(key);
    }
  }
}

/**
 * The report of a failure. A tool that the system killed says nothing about its task, nor does a session that died in
 * the preparation, which is the same for every task: the control side has them done again, a bounded number of times.
 */
function failureOf(
  { kind, ordinal }: TaskRun,
  { code, message, death }: Extract<TaskOutcome, { end: 'failed' }>,
  seconds: number,
): TaskReport {
  const isLost = death === 'killed' || (death === 'exited' && kind === 'prepare');
  return { ordinal, end: 'failed', code, message, seconds, ...(isLost ? { lost: true } : {}) };
}

/** The control side refuses a report that breaks a rule, so such a task fails here. */
function checked(report: TaskReport): TaskReport {
  const fault = reportFault(report);
  if (fault !== null) throw new OutputError(fault);
  return report;
}

/** A task's files as its tool asks for them. */
function inputsOf(
  { inputs }: ClaimedTask,
  paths: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inputs.map(({ from, as }) => {
      const path = paths[from];
      if (path === undefined) throw new Error(`The claim has no input ${from}.`);
      return [as, path];
    }),
  );
}

function stopped(run: TaskRun): TaskReport {
  return { ordinal: run.ordinal, end: 'stopped' };
}

/** Aborted when the instance ends or every run was stopped. */
function whenAllStopped(runs: readonly TaskRun[], end: AbortSignal): AbortSignal {
  const all = new AbortController();
  const check = (): void => {
    if (runs.every(({ stopSignal }) => stopSignal.aborted)) all.abort();
  };
  for (const { stopSignal } of runs) stopSignal.addEventListener('abort', check, { once: true });
  return AbortSignal.any([all.signal, end]);
}
