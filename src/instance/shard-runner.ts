/**
 * Claim and run: what a shard does until its tools have ended. A shard waits for a slot, claims its tasks at the gateway,
 * fetches their inputs and runs one task after the other in the slot's warm session. A tool that has ended is handed to
 * the reporter, and the slot goes on with the next task while the outputs are being staged.
 *
 * The gateway decides whether a finished run counts for a new attempt of the activity: the run counts when the claim
 * answers the same attempt number as before, because a task that was set back gets the next number.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { CALL_ITEMS } from '../contracts/instance.ts';
import type { ClaimedTask, ClaimResponse, ShardInput } from '../contracts/instance.ts';
import type { WorkKind } from '../contracts/job.ts';
import type { CheckpointKeeper, RunCheckpoints } from './checkpoints.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { InputFolder } from './inputs.ts';
import { InputUrlError, orAborted, repeat, ToolMissingError } from './repeat.ts';
import type { LogCollector } from './log-collector.ts';
import type { TaskOutcome } from './session.ts';
import type { FindSessionTool } from './session-tools.ts';
import type { Slot, SlotQueue } from './slots.ts';
import type { TaskReporter } from './task-reporter.ts';
import { stoppedReport, type TaskRun } from './task-run.ts';
import { withLogFields } from '../tracing/log-context.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { tellToolEnd, type InstanceLog } from './tool-log.ts';
import { runMetered } from './tool-meter.ts';
import type { MeteredEnd } from './tool-meter.ts';

/** A task that is being started in a tool. */
export interface TaskStart {
  readonly kind: WorkKind;
  readonly ordinal: number;
  readonly attempt: number;
}

/** The gateway, slots, inputs and reporter of the instance that the shards run on. */
export interface ShardRunnerOptions {
  readonly gateway: Pick<GatewayClient, 'claim' | 'inputUrls' | 'meter'>;
  readonly slots: Pick<SlotQueue, 'acquire' | 'release' | 'startAhead'>;
  readonly inputs: Pick<InputFolder, 'fetch'>;
  readonly reporter: Pick<TaskReporter, 'openLog' | 'finish' | 'settleError'>;
  readonly checkpoints: Pick<CheckpointKeeper, 'open'>;
  readonly findTool: FindSessionTool;
  /** Called at each start of a task in a tool. */
  readonly onTaskStart: (start: TaskStart) => void;
  /** Aborted when the instance ends. */
  readonly end: AbortSignal;
  /** Aborted when the instance is about to be taken away. */
  readonly drain: AbortSignal;
  readonly tracing?: Tracing;
  /** Log in which ends of tools are told; without it they are not. */
  readonly log?: InstanceLog;
}

const NEW_URL_WAIT_MS = 1_000;
/** A session that is not ready by then is given its task all the same, whatever the limit of the task. */
const LONGEST_START_SECONDS = 3600;

interface Shard {
  readonly input: ShardInput;
  readonly runs: readonly TaskRun[];
  /** Aborted when nothing of the shard is wanted any more. */
  readonly signal: AbortSignal;
}

interface ClaimedShard {
  readonly claim: ClaimResponse;
  /** Paths of the claim's inputs, by name. */
  readonly paths: Readonly<Record<string, string>>;
  readonly slot: Slot;
  readonly execution: number;
}

/** A session in which a task runs, with the task's folder and log. */
interface OpenTool {
  readonly session: Awaited<ReturnType<Slot['open']>>['session'];
  readonly folder: string;
  readonly log: LogCollector;
}

/** Runs the tasks of shards. */
export class ShardRunner {
  readonly #options: ShardRunnerOptions;
  readonly #tracing: Tracing;

  constructor(options: ShardRunnerOptions) {
    this.#options = options;
    this.#tracing = options.tracing ?? NO_TRACING;
  }

  /** Runs the tasks of a shard; returns when the slot is free again, which is before the last run is settled. */
  async run(input: ShardInput, runs: readonly TaskRun[]): Promise<void> {
    const { slots, reporter, end } = this.#options;
    const shard: Shard = { input, runs, signal: whenAllStopped(runs, end) };
    const slot = await slots.acquire();
    try {
      if (shard.signal.aborted) return;
      await this.#runClaimed(shard, slot);
    } catch (error) {
      for (const run of runs) reporter.settleError(run, error);
    } finally {
      slots.release(slot);
    }
  }

  /** Settles runs by the reports of the earlier runs of their tasks, where the gateway says that those count; hands the others back. */
  async adopt({ execution, kind }: ShardInput, runs: readonly TaskRun[]): Promise<void> {
    const { gateway, reporter, end } = this.#options;
    try {
      const ordinals = runs.map(({ ordinal }) => ordinal);
      const { tasks } = await gateway.claim({ execution, kind, ordinals }, whenAllStopped(runs, end));
      for (const run of runs) {
        const task = tasks.find(({ ordinal }) => ordinal === run.ordinal);
        if (task === undefined) run.settle(null);
        else if (!adoptPrevious(run, task)) run.interrupt();
      }
    } catch (error) {
      for (const run of runs) reporter.settleError(run, error);
    }
  }

  async #runClaimed(shard: Shard, slot: Slot): Promise<void> {
    const { kind } = shard.input;
    const facts = { kind, taskCount: shard.runs.length };
    const { claim, paths } = await this.#tracing.inSpan({ name: 'claim', kind: 'inside', facts }, () =>
      this.#claim(shard),
    );
    const claimed: ClaimedShard = { claim, paths, slot, execution: shard.input.execution };
    const tasks = new Map(claim.tasks.map((task) => [task.ordinal, task]));
    const last = claim.tasks.at(-1)?.ordinal;
    for (const run of shard.runs) {
      const task = tasks.get(run.ordinal);
      if (task === undefined) run.settle(run.stopSignal.aborted ? stoppedReport(run) : null);
      else if (!adoptPrevious(run, task)) await this.#runTask(claimed, run, task, run.ordinal === last);
    }
  }

  /** Claims the tasks and fetches their inputs. When the URL of an input has expired, the same tasks are claimed again. */
  async #claim({ input, runs, signal }: Shard): Promise<Pick<ClaimedShard, 'claim' | 'paths'>> {
    const { gateway, inputs } = this.#options;
    const { execution, kind } = input;
    const ordinals = runs.map(({ ordinal }) => ordinal);
    for (;;) {
      const claim = await gateway.claim({ execution, kind, ordinals }, signal);
      try {
        const paths = await repeat(signal, () => inputs.fetch(claim.inputs, signal));
        return { claim, paths: { ...paths, ...(await this.#fetchOthers(kind, claim, signal)) } };
      } catch (error) {
        if (!(error instanceof InputUrlError)) throw error;
        await sleep(NEW_URL_WAIT_MS);
      }
    }
  }

  /** Fetches the inputs that the claim had no room for, a page at a time. */
  async #fetchOthers(
    kind: WorkKind,
    claim: ClaimResponse,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const { gateway, inputs } = this.#options;
    const known = new Set(claim.inputs.map(({ name }) => name));
    const paths: Record<string, string> = {};
    for (const task of claim.tasks) {
      const missing = new Set(task.inputs.map(({ from }) => from).filter((name) => !known.has(name)));
      for (const names of pagesOf([...missing])) {
        const page = await gateway.inputUrls({ kind, ordinal: task.ordinal, names }, signal);
        Object.assign(paths, await repeat(signal, () => inputs.fetch(page.inputs, signal)));
        for (const name of names) known.add(name);
      }
    }
    return paths;
  }

  /** Runs one task in the slot's session; returns when the tool has ended. The reporter finishes the task afterwards. */
  async #runTask(claimed: ClaimedShard, run: TaskRun, task: ClaimedTask, isLast: boolean): Promise<void> {
    if (run.stopSignal.aborted) {
      run.settle(stoppedReport(run));
      return;
    }
    const { claim, slot } = claimed;
    const { reporter } = this.#options;
    const { attempt } = task;
    run.state = 'running';
    run.attempt = attempt;
    const log = reporter.openLog(run, attempt, claim.limits.logBytes);
    const startedAt = performance.now();
    const facts = { kind: run.kind, ordinal: run.ordinal, attempt, toolId: claim.toolId };
    const { folder, end } = await this.#tracing.inSpan({ name: 'tool', kind: 'inside', facts }, (span) =>
      withLogFields({ execution: claimed.execution, ...facts }, async () => {
        const ran = await this.#runInSession(claimed, run, task, log);
        const { outcome } = ran.end;
        span.add({ outcome: outcome.end });
        if (outcome.end === 'failed') span.fail(outcome.code);
        tellToolEnd(this.#options.log, outcome);
        return ran;
      }),
    );
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    run.state = 'staging';
    slot.holdFolder(reporter.finish(run, { ...end, folder, seconds, log, isLast }));
  }

  /** Runs one task in the slot's session, and answers how the tool ended; that no session was started is an end as well. */
  async #runInSession(
    claimed: ClaimedShard,
    run: TaskRun,
    task: ClaimedTask,
    log: LogCollector,
  ): Promise<{ readonly folder: string | null; readonly end: MeteredEnd }> {
    let folder: string | null = null;
    try {
      // A session may wait for its programs; a task that is stopped does not.
      const { session, makeFolder } = await orAborted(run.stopSignal, this.#openSession(claimed));
      folder = await makeFolder();
      return { folder, end: await this.#runTool(claimed, run, task, { session, folder, log }) };
    } catch (error) {
      return { folder, end: { outcome: outcomeOfError(error), told: Promise.resolve() } };
    }
  }

  /** Hands the task to the tool; a measured job tells its start and end right around the tool. */
  async #runTool(
    { claim, paths, execution }: ClaimedShard,
    run: TaskRun,
    task: ClaimedTask,
    { session, folder, log }: OpenTool,
  ): Promise<MeteredEnd> {
    const { gateway, checkpoints, onTaskStart, drain } = this.#options;
    const { kind, ordinal } = run;
    const { itemId, attempt, spec, legSeconds } = task;
    onTaskStart({ kind, ordinal, attempt });
    let isFirst = true;
    const onProgress = (percent: number): void => {
      run.percent = percent;
      // A preparation that is refused is mostly refused before its first progress, and its tasks need no sessions.
      if (isFirst && kind === 'prepare') this.#startAhead(claim);
      isFirst = false;
    };
    const kept = checkpoints.open(run, attempt, folder);
    const hooks = { log, onProgress, onCheckpoint: inLegs(run, task, kept, drain) };
    const inputs = inputsOf(task, paths);
    const trace = this.#tracing.traceparent();
    const request = {
      ...({ type: 'task', id: randomUUID(), kind, itemId, attempt, folder, spec, inputs } as const),
      ...(legSeconds === undefined ? {} : { legSeconds }),
      ...(trace === null ? {} : { traceparent: trace }),
    };
    try {
      return await runMetered(
        gateway,
        claim,
        { execution, attempt, run },
        {
          whenReady: () => untilReady(session, claim.limits.wallSeconds, run.stopSignal),
          run: (onWorking) => session.run(request, claim.limits, { ...hooks, onWorking }, run.stopSignal),
        },
      );
    } finally {
      await kept.close();
    }
  }

  #startAhead({ toolId, variant, session, tasks }: ClaimResponse): void {
    const { findTool, slots } = this.#options;
    const tool = findTool(toolId, variant);
    if (tool?.startsAhead === true && tasks.length > 0)
      slots.startAhead(tool, { type: 'open', spec: session });
  }

  async #openSession({ claim, slot }: ClaimedShard): ReturnType<Slot['open']> {
    const tool = this.#options.findTool(claim.toolId, claim.variant);
    if (tool === null) throw new Error(`The tool ${claim.toolId} is not installed on this instance.`);
    return slot.open(tool, { type: 'open', spec: claim.session });
  }
}

/** Waits for a session that starts. One that never gets ready is given its task all the same, and meets the time limit of that. */
async function untilReady({ ready }: OpenTool['session'], seconds: number, stop: AbortSignal): Promise<void> {
  const over = new AbortController();
  const patience = sleep(Math.min(seconds, LONGEST_START_SECONDS) * 1000, null, {
    signal: over.signal,
  }).catch(() => null);
  try {
    await orAborted(stop, Promise.race([ready, patience]));
  } finally {
    over.abort();
  }
}

/**
 * Keeps checkpoints, and hands the task back after one that is kept: when the next would come after the end of the leg, as far as
 * is known how far they are apart, or when the instance is about to be taken away.
 */
function inLegs(
  run: Pick<TaskRun, 'interrupt'>,
  { legSeconds = Infinity }: ClaimedTask,
  { keep }: Pick<RunCheckpoints, 'keep'>,
  drain: AbortSignal,
): RunCheckpoints['keep'] {
  const beganAt = performance.now();
  let keptAt = beganAt;
  return async (files) => {
    const isKept = await keep(files);
    if (!isKept) return false;
    const now = performance.now();
    const nextAt = now + (now - keptAt);
    keptAt = now;
    if (nextAt - beganAt > legSeconds * 1000 || drain.aborted) run.interrupt();
    return true;
  };
}

/** Judges a task for which no session was started: missing programs fail it, all else is the instance's fault. */
function outcomeOfError(error: unknown): TaskOutcome {
  if (error instanceof ToolMissingError) return { end: 'failed', code: error.code, message: error.message };
  return { end: 'unstarted', reason: error instanceof Error ? error.message : String(error) };
}

/** Settles a run with the report of the earlier run of its task when both have the same attempt number; false if not. */
function adoptPrevious(run: TaskRun, { attempt }: ClaimedTask): boolean {
  const { previous } = run;
  if (previous?.ended == null || previous.attempt !== attempt) return false;
  if (previous.ended.end === 'stopped' || previous.ended.end === 'interrupted') return false;
  run.attempt = attempt;
  run.settle(previous.ended);
  return true;
}

/** The paths of a task's inputs, by the names under which its tool asks for them. */
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

/** The names in pages of what one call may name. */
function pagesOf(names: readonly string[]): (readonly string[])[] {
  const pages = Math.ceil(names.length / CALL_ITEMS);
  return Array.from({ length: pages }, (_, page) => names.slice(page * CALL_ITEMS, (page + 1) * CALL_ITEMS));
}

/** A signal that is aborted when the instance ends or every run was stopped. */
function whenAllStopped(runs: readonly TaskRun[], end: AbortSignal): AbortSignal {
  const all = new AbortController();
  const check = (): void => {
    if (runs.every(({ stopSignal }) => stopSignal.aborted)) all.abort();
  };
  for (const { stopSignal } of runs) stopSignal.addEventListener('abort', check, { once: true });
  return AbortSignal.any([all.signal, end]);
}
