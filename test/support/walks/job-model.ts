/**
 * A job in memory, which random commands move: instances verify, lose and fail tasks, outputs vanish, customers and operators
 * pause, cancel and resume. The product's own functions decide: the table of states, the admission of a resume, the price of
 * missing tasks, the cover of a hold, the charge, the set-back of a lost output, the number of starts of a task.
 */
import { chargePence } from '../../../src/domain/charge.ts';
import { coversDispatch, extensionsFor, neededPence } from '../../../src/domain/cover.ts';
import {
  endOf,
  isResumable,
  isTerminal,
  mayEnd,
  mayFollow,
  outcomeOf,
  settlesHold,
} from '../../../src/domain/job-state.ts';
import type { ExecutionEnd, JobState } from '../../../src/domain/job-state.ts';
import { MAX_UNVERIFIED_ATTEMPTS, withoutOutput } from '../../../src/domain/lost-output.ts';
import { missingPricing } from '../../../src/domain/missing-work.ts';
import { limitedTo, quote } from '../../../src/domain/pricing.ts';
import type { Quote, TaskPricing } from '../../../src/domain/pricing.ts';
import type { RecoveryMode } from '../../../src/domain/requests.ts';
import { LAST_LOSS, MOST_KILLS } from '../../../src/services/execution/losses.ts';
import { byClass, isDue, missingByClass, openedAgain, stopped } from './task-rules.ts';
import type { RuleTask } from './task-rules.ts';

/** Facts of a job before its walk. */
export interface ModelJob {
  readonly mode: RecoveryMode;
  readonly merge: boolean;
  readonly pricing: TaskPricing;
  /** The price class of each task; null for all where there is one class. */
  readonly classes: readonly (string | null)[];
  /** The customer's credits for extensions of holds, in pence. */
  readonly credits: number;
}

/** A task with its output, which is null while there is none in the store. */
export interface ModelTask extends RuleTask {
  readonly output: string | null;
}

/** An execution with its hold; the charge is null until the settlement. */
export interface ModelExecution {
  readonly n: number;
  readonly quote: Quote;
  readonly limitPence: number | null;
  readonly coversDispatch: boolean;
  extendedPence: number;
  chargedPence: number | null;
}

const RATE = 790_000;
const TASK_SECONDS = 3_600;
/** The states in which instances work. */
const AT_WORK: readonly JobState[] = ['RUNNING', 'RECOVERING'];

/** One job. Each method is one command of a walk; a command that is impossible now changes nothing. */
export class JobModel {
  status: JobState = 'SUBMITTED';
  tasks: ModelTask[];
  merge: { state: 'PENDING' | 'SUCCEEDED' | 'FAILED'; output: string | null } | null;
  readonly executions: ModelExecution[];
  /** How often each task was charged. */
  readonly charges: number[];
  private pricing: TaskPricing;
  private readonly job: ModelJob;
  private isCancelled = false;
  /** Whether the hold did not cover what was to run next. */
  private isRefused = false;
  private credits: number;

  constructor(job: ModelJob) {
    this.job = job;
    this.pricing = job.pricing;
    this.credits = job.credits;
    const fresh = { state: 'PENDING', execution: 1, attempts: 0, losses: 0, kills: 0 } as const;
    this.tasks = job.classes.map((priceClass) => ({
      ...fresh,
      ...{ chargedIn: null, priceClass, meteredMs: 0, output: null },
    }));
    this.merge = job.merge ? { state: 'PENDING', output: null } : null;
    this.charges = job.classes.map(() => 0);
    this.executions = [executionOf(1, quote('1', RATE, job.pricing, job.classes.length), null)];
    this.begin();
  }

  get execution(): ModelExecution {
    const last = this.executions.at(-1);
    if (last === undefined) throw new Error('a job has an execution');
    return last;
  }

  get isStopped(): boolean {
    return settlesHold(this.status);
  }

  /** Result of the job: the output of each task, and their merge. */
  get result(): unknown {
    return { outputs: this.tasks.map((task) => task.output), merged: this.merge?.output ?? null };
  }

  /** An instance takes the next tasks that wait. */
  claim(count: number): void {
    if (!AT_WORK.includes(this.status) || this.isRefused) return;
    for (let left = count; left > 0; left -= 1) {
      const next = this.tasks.findIndex((task) => task.state === 'PENDING');
      if (next < 0) break;
      if (!this.isCovered(next)) {
        this.isRefused = true;
        break;
      }
      this.change((task, at) =>
        at === next ? { ...task, state: 'RUNNING', attempts: task.attempts + 1 } : task,
      );
    }
    if (this.status === 'RECOVERING') this.enter('RUNNING');
  }

  /** A running task is verified; the seconds of its attempt are measured. */
  verify(pick: number): void {
    this.changeRunning(pick, (task, ordinal) => ({
      ...task,
      state: 'SUCCEEDED',
      ...{ execution: this.execution.n, output: outputOf(ordinal) },
      meteredMs: this.pricing.model === 'measured' ? 1_000 + (pick % 90_000) : 0,
    }));
  }

  /** The outputs of a running task do not verify. */
  unverified(pick: number): void {
    this.changeRunning(pick, (task) => ({
      ...task,
      state: task.attempts >= MAX_UNVERIFIED_ATTEMPTS ? 'FAILED' : 'PENDING',
    }));
  }

  /** The tool of a running task fails. */
  fail(pick: number): void {
    this.changeRunning(pick, (task) => ({ ...task, state: 'FAILED' }));
  }

  /** The tool of a running task is killed. */
  killTool(pick: number): void {
    this.changeRunning(pick, (task) => {
      const isAgain = task.kills < MOST_KILLS && task.losses + 1 < LAST_LOSS[this.job.mode];
      const counted = { ...task, losses: task.losses + 1, kills: task.kills + 1 };
      return { ...counted, state: isAgain ? 'PENDING' : 'FAILED' };
    });
  }

  /** The instance is lost with all that it runs. */
  lose(): void {
    if (!AT_WORK.includes(this.status) || !this.tasks.some((task) => task.state === 'RUNNING')) return;
    this.change((task) => {
      if (task.state !== 'RUNNING') return task;
      const losses = task.losses + 1;
      return { ...task, losses, state: losses >= LAST_LOSS[this.job.mode] ? 'FAILED' : 'PENDING' };
    });
    if (this.status === 'RUNNING') this.enter('RECOVERING');
  }

  /** Somebody removes the output of a verified task, or of the merge, from the store; nobody knows yet. */
  vanish(pick: number): void {
    if (this.status === 'SUCCEEDED') return;
    const place = pick % (this.tasks.length + 1);
    if (place < this.tasks.length)
      this.change((task, at) => (at === place ? { ...task, output: null } : task));
    else if (this.merge !== null) this.merge.output = null;
  }

  pause(): void {
    if (mayFollow(this.status, 'PAUSED') && !this.isCancelled) this.settle('PAUSED', null);
  }

  /** The customer cancels; the workflow ends the job at its next step. */
  cancel(): void {
    if (isTerminal(this.status)) return;
    this.isCancelled = true;
  }

  /** The workflow fails by a fault of the service. */
  fault(): void {
    if (!this.isStopped) this.end('FAILED', 'INTERNAL_ERROR');
  }

  /** The workflow does its next step: it ends a cancelled job, makes the merge, proves the job complete and ends it. */
  step(pick: number): void {
    if (this.isCancelled && !isTerminal(this.status)) return this.end('CANCELLED', null);
    if (!AT_WORK.includes(this.status)) return;
    if (this.tasks.some((task) => task.state === 'RUNNING')) return;
    // A refused task may be decided since, as when another task of the same work has failed for good.
    const isLeft = this.tasks.some((task) => task.state === 'PENDING');
    if (isLeft && this.isRefused) return this.settle('PAUSED', null);
    if (isLeft) return;
    const isAny = this.tasks.some((task) => task.state === 'SUCCEEDED');
    if (this.merge?.state === 'PENDING' && isAny) return this.doMerge(pick);
    if (this.status === 'RECOVERING') this.enter('RUNNING');
    this.enter('FINALIZING');
    if (this.setBackLost()) return this.enter('RECOVERING');
    this.end(outcomeOf(this.verified, this.tasks.length, this.mergeMissing), null);
  }

  /** The prices of the book change; the next resume is priced by them. */
  reprice(pick: number): void {
    const factor = 1 + (pick % 7);
    const { pricing } = this.job;
    if (pricing.model === 'measured')
      this.pricing = { ...pricing, microPerHour: pricing.microPerHour * factor };
    else if (pick % 5 === 0) this.pricing = renamed(pricing);
    else
      this.pricing = {
        ...pricing,
        classes: pricing.classes.map((one) => ({ ...one, perTaskMicro: one.perTaskMicro * factor })),
      };
  }

  /** The customer resumes, and may limit what is held; false where a resume is refused. */
  resume(limitPence: number | null = null): boolean {
    if (!isResumable(this.status, this.isCancelled)) return false;
    const { quote: last, n } = this.execution;
    const missing = missingByClass(this.tasks);
    const feeDue = !this.executions.some(({ chargedPence }) => (chargedPence ?? 0) > 0);
    const priceBy = (pricing: TaskPricing, taskCount: number): ReturnType<typeof missingPricing> =>
      missingPricing({ pricing, taskCount }, missing, feeDue, meanMs(this.tasks));
    const today = priceBy(this.pricing, this.tasks.length);
    const priced = today ?? priceBy(last.pricing, last.taskCount);
    if (priced === null) throw new Error(`the missing tasks have no price: ${JSON.stringify(missing)}`);
    const next = executionOf(n + 1, quote('1', RATE, priced.pricing, priced.taskCount), limitPence);
    if (next.quote.heldPence < leastPence(next.quote, feeDue)) return false;
    this.enter('SUBMITTED');
    this.executions.push(next);
    const isOpen = this.tasks.some((task) => task.state !== 'SUCCEEDED');
    this.change((task) => openedAgain(task, n + 1));
    if (this.merge !== null && (isOpen || this.merge.state !== 'SUCCEEDED'))
      this.merge = { state: 'PENDING', output: null };
    this.isCancelled = this.isRefused = false;
    this.begin();
    return true;
  }

  /** Whether the hold covers a task, extended where it may be. A task that was charged before asks nothing. */
  private isCovered(next: number): boolean {
    const { execution } = this;
    if (!execution.coversDispatch || this.tasks[next]?.chargedIn !== null) return true;
    const uncharged = this.tasks.filter(({ chargedIn }) => chargedIn === null);
    const open = this.tasks.filter(
      (task, at) => task.chargedIn === null && (at === next || task.state === 'RUNNING'),
    );
    const done = uncharged.filter((task) => isDue(task, execution.n));
    const needed = neededPence(execution.quote, {
      verified: byClass(done),
      open: open.map(({ priceClass }) => ({ priceClass, tasks: 1, keptMs: 0, coveredMs: null })),
      longestMs: Math.max(0, ...done.map(({ meteredMs }) => meteredMs)),
      ...{ taskSeconds: TASK_SECONDS, legSeconds: TASK_SECONDS },
      startFeeDue: this.isFeeDue,
    });
    const held = execution.quote.heldPence + execution.extendedPence;
    if (needed <= held) return true;
    const steps = extensionsFor(needed, held, execution.limitPence);
    const step = steps.find((one) => one <= this.credits);
    if (step === undefined) return false;
    this.credits -= step;
    execution.extendedPence += step;
    return true;
  }

  private get isFeeDue(): boolean {
    return !this.executions.some(({ chargedPence }) => (chargedPence ?? 0) > 0);
  }

  private get verified(): number {
    return this.tasks.filter((task) => task.state === 'SUCCEEDED').length;
  }

  private get mergeMissing(): boolean {
    return this.merge !== null && this.merge.state !== 'SUCCEEDED';
  }

  /** Capacity is granted, instances come. */
  private begin(): void {
    for (const state of ['QUEUED', 'PROVISIONING', 'RUNNING'] as const) this.enter(state);
  }

  private doMerge(pick: number): void {
    const read = this.tasks.map((task) => (task.state === 'SUCCEEDED' ? task.output : '-')).join();
    // A merge that reads an output that has vanished fails.
    const isGood = pick % 4 !== 0 && this.tasks.every((task) => task.state !== 'SUCCEEDED' || task.output);
    this.merge = isGood ? { state: 'SUCCEEDED', output: read } : { state: 'FAILED', output: null };
  }

  /** Does the completeness check; true when something is to be done again. */
  private setBackLost(): boolean {
    const isLost = (task: ModelTask): boolean => task.state === 'SUCCEEDED' && task.output === null;
    const isBack = this.tasks.some(isLost);
    const { n } = this.execution;
    this.change((task) => (isLost(task) ? { ...task, ...withoutOutput(task, n) } : task));
    const isMergeLost = this.merge?.state === 'SUCCEEDED' && (isBack || this.merge.output === null);
    if (isMergeLost) this.merge = { state: 'PENDING', output: null };
    return isBack || isMergeLost;
  }

  private end(to: ExecutionEnd, reason: string | null): void {
    if (to !== 'CANCELLED' && this.status !== 'FINALIZING') this.enter('FINALIZING');
    this.settle(to, reason);
  }

  private settle(asked: ExecutionEnd, reason: string | null): void {
    const to = endOf({ to: asked, reason }, this.isCancelled);
    if (!mayEnd(this.status, to)) throw new Error(`the job cannot end ${to} from ${this.status}`);
    const { execution } = this;
    if (execution.chargedPence !== null) {
      // A paused job that is cancelled: its execution is settled already.
      if (this.status !== 'PAUSED') throw new Error('an execution is settled twice');
    } else {
      const due = this.tasks.filter((task) => isDue(task, execution.n));
      for (const [at, task] of this.tasks.entries())
        if (isDue(task, execution.n)) this.charges[at] = (this.charges[at] ?? 0) + 1;
      const isFeeDue = !this.executions.some(({ chargedPence }) => (chargedPence ?? 0) > 0);
      execution.chargedPence = chargePence(execution.quote, byClass(due), isFeeDue, execution.extendedPence);
    }
    this.status = to;
    this.change((task) => stopped(task, to));
  }

  private enter(to: JobState): void {
    if (!mayFollow(this.status, to)) throw new Error(`${to} may not follow ${this.status}`);
    this.status = to;
  }

  private change(how: (task: ModelTask, ordinal: number) => ModelTask): void {
    this.tasks = this.tasks.map(how);
  }

  private changeRunning(pick: number, how: (task: ModelTask, ordinal: number) => ModelTask): void {
    if (!AT_WORK.includes(this.status)) return;
    const running = this.tasks.flatMap((task, at) => (task.state === 'RUNNING' ? [at] : []));
    const chosen = running[pick % Math.max(1, running.length)];
    this.change((task, at) => (at === chosen ? how(task, at) : task));
  }
}

/** Makes the output of a task, which is the same whenever and wherever it runs. */
function outputOf(ordinal: number): string {
  return `output ${String(ordinal)}`;
}

/** Prices of other classes than the job's tasks have. */
function renamed(pricing: Extract<TaskPricing, { model: 'fixed' }>): TaskPricing {
  return { ...pricing, classes: pricing.classes.map((one) => ({ ...one, class: `${one.class} of today` })) };
}

/** An execution at its beginning. */
function executionOf(n: number, whole: Quote, limitPence: number | null): ModelExecution {
  const offer = limitedTo(whole, limitPence);
  const covers = coversDispatch(offer, offer.heldPence < whole.heldPence);
  return { n, quote: offer, limitPence, coversDispatch: covers, extendedPence: 0, chargedPence: null };
}

/** Computes the hold for the cheapest task. */
function leastPence(offer: Quote, startFeeDue: boolean): number {
  const { pricing } = offer;
  const classes = pricing.model === 'measured' ? [null] : pricing.classes.map((one) => one.class);
  const work = {
    verified: [],
    longestMs: 0,
    taskSeconds: TASK_SECONDS,
    legSeconds: TASK_SECONDS,
    startFeeDue,
  };
  return Math.min(
    ...classes.map((priceClass) =>
      neededPence(offer, { ...work, open: [{ priceClass, tasks: 1, keptMs: 0, coveredMs: null }] }),
    ),
  );
}

/** Computes the mean time of the verified tasks. */
function meanMs(tasks: readonly ModelTask[]): number {
  const done = tasks.filter(({ state }) => state === 'SUCCEEDED');
  return done.length === 0
    ? 0
    : Math.ceil(done.reduce((sum, { meteredMs }) => sum + meteredMs, 0) / done.length);
}
