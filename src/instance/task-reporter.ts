/**
 * Finish and report: what follows when a tool has ended with a task. The outputs are inspected and staged, the rest of
 * the log is sent, and only then the run is settled with its report. Every report of a claimed task is made here, so that
 * one file says what is a failure of the task and what is a fault of the instance.
 */
import type { TaskReport } from '../contracts/instance.ts';
import { reportFault } from '../contracts/reports.ts';
import { removeFolder } from './folders.ts';
import { LogCollector } from './log-collector.ts';
import type { LogShipper } from './log-shipper.ts';
import { inspectOutputs } from './outputs.ts';
import { FencedError, InputError, InstanceError, OutputError, OutputLimitError } from './repeat.ts';
import type { TaskOutcome } from './session.ts';
import type { Stager } from './staging.ts';
import { stoppedReport, type TaskRun } from './task-run.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';

/** End of a tool's work on a task. */
export interface ToolEnd {
  readonly outcome: TaskOutcome;
  /** The task's work folder, which is removed when the run is settled; null when none was made. */
  readonly folder: string | null;
  readonly seconds: number;
  readonly log: LogCollector;
  /** Whether the task is the last of its shard, so that its outputs must not wait for those of other tasks. */
  readonly isLast: boolean;
  /** Settled when the end of a measured tool has been told. */
  readonly told: Promise<void>;
}

/** Reports what became of claimed tasks. */
export class TaskReporter {
  readonly #logs: LogShipper;
  readonly #stager: Pick<Stager, 'stage'>;
  readonly #tracing: Tracing;

  constructor(logs: LogShipper, stager: Pick<Stager, 'stage'>, tracing: Tracing = NO_TRACING) {
    this.#logs = logs;
    this.#stager = stager;
    this.#tracing = tracing;
  }

  /** Opens the log of an attempt; what the tool prints is sent while the tool runs. */
  openLog(run: TaskRun, attempt: number, limitBytes: number): LogCollector {
    const { kind, ordinal, previous } = run;
    const former = previous?.attempt === attempt ? previous.log : null;
    const log = new LogCollector(limitBytes, former?.end ?? 0);
    run.log = log;
    this.#logs.add({ kind, ordinal, attempt }, log);
    return log;
  }

  /** Stages the outputs, sends the rest of the log, settles the run, removes the folder. An error goes to the run. */
  async finish(run: TaskRun, end: ToolEnd): Promise<void> {
    const logSent = this.#logs.finish(end.log);
    try {
      const facts = { kind: run.kind, ordinal: run.ordinal };
      const report = await this.#tracing.inSpan({ name: 'stage', kind: 'inside', facts }, () =>
        this.#report(run, end),
      );
      await end.told;
      await logSent;
      run.settle(report);
    } catch (error) {
      this.settleError(run, error, end.seconds);
    } finally {
      if (end.folder !== null) await removeFolder(end.folder);
    }
  }

  /**
   * Settles a run that an error ended: a failed task where the error is the task's own, a stopped task where the run was
   * stopped, else an error of the activity, after which the workflow gives the task out again.
   */
  settleError(run: TaskRun, error: unknown, seconds = 0): void {
    const code = failureCodeOf(error);
    if (code !== null && error instanceof Error)
      run.settle({ ordinal: run.ordinal, end: 'failed', code, message: error.message, seconds });
    else if (error instanceof FencedError || run.stopSignal.aborted || run.abandonSignal.aborted)
      run.settle(stoppedReport(run));
    else run.fail(error);
  }

  async #report(run: TaskRun, { outcome, folder, seconds, isLast }: ToolEnd): Promise<TaskReport> {
    const { kind, ordinal } = run;
    if (outcome.end === 'stopped') return stoppedReport(run);
    if (outcome.end === 'unstarted')
      throw new InstanceError(`The instance could not run the tool: ${outcome.reason}`);
    if (outcome.end === 'failed') return checked(failureReport(run, outcome, seconds));
    if (folder === null) throw new Error('A finished task has no folder.');
    const outputs = await inspectOutputs(folder, outcome.outputs);
    const { summary } = outcome;
    const staged = outputs.map((output) => output.staged);
    const report = checked({ ordinal, end: 'done', outputs: staged, seconds, summary });
    await this.#stager.stage({ kind, ordinal, isUrgent: isLast }, outputs, run.abandonSignal);
    return report;
  }
}

/** The failure code of an error that is the task's own; null for every other error. */
function failureCodeOf(error: unknown): string | null {
  if (error instanceof OutputError) return 'OUTPUT_UNVERIFIED';
  if (error instanceof OutputLimitError) return 'ENGINE_LIMIT_EXCEEDED';
  return error instanceof InputError ? error.code : null;
}

/**
 * The report of a failed task. Neither a tool that the system killed nor a session that died in the preparation says
 * anything about the task, so the report is marked as lost and the control side has the task done again, a bounded number
 * of times.
 */
function failureReport(
  { kind, ordinal }: TaskRun,
  { code, message, death }: Extract<TaskOutcome, { end: 'failed' }>,
  seconds: number,
): TaskReport {
  const isLost = death === 'killed' || (death === 'exited' && kind === 'prepare');
  return { ordinal, end: 'failed', code, message, seconds, ...(isLost ? { lost: true } : {}) };
}

/** A report that keeps every rule. The control side refuses other reports, so a task whose report breaks one fails. */
function checked(report: TaskReport): TaskReport {
  const fault = reportFault(report);
  if (fault !== null) throw new OutputError(fault);
  return report;
}
