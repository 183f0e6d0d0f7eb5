/**
 * Endings of a run of a job, one method each:
 *
 * - `finish`: the execution is settled in a terminal state, whether its work is done, cancelled or refused.
 * - `pause`: the execution is settled as PAUSED and holds nothing, and the run ends: nothing of the workflow waits.
 * - `stayPaused`: a run that was started for a paused job cancels or finishes the job, by the message that has started the run.
 * - `failInternally`: a fault of the service; the execution is settled, and the workflow fails.
 * - `continueAsNew`: nothing ends; the next run goes on with what is carried over.
 *
 * `finish`, `pause` and `failInternally` fence every instance before they settle, so that nothing is charged that is reported
 * later, and give back what the execution used after they have settled. Settling twice does nothing.
 */
import { allHandlersFinished, ApplicationFailure, condition, log } from '@temporalio/workflow';
import type { JobCarry, JobInput, JobOutcome } from '../src/contracts/job.ts';
import { isTerminal, outcomeOf, type TerminalState } from '../src/domain/job-state.ts';
import { housekeeping, records, storage } from './lib/activities.ts';
import type { Capacity } from './lib/capacity.ts';
import { causeForLog, causeOf, firstErrorOf, leaveErrorToSweep } from './lib/collect-errors.ts';
import type { Fleet } from './lib/fleet.ts';
import type { JobSignals } from './lib/job-signals.ts';
import { continueInNextRun } from './lib/builds.ts';
import type { Parts } from './lib/parts.ts';
import type { Progress } from './lib/progress.ts';

/** An end after which the execution is settled in a terminal state. */
export type FinalEnd =
  | { readonly kind: 'finished' | 'cancelled' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** The execution that ends, with everything that an ending settles, gives back or carries over. */
export interface EndingExecution {
  readonly input: JobInput;
  readonly carry: JobCarry;
  readonly signals: JobSignals;
  readonly progress: Progress;
  readonly capacity: Pick<Capacity, 'grantedVcpus' | 'isGranted' | 'release'>;
  readonly fleet: Pick<Fleet, 'carry' | 'close' | 'fenceAll' | 'stopOpening'>;
  readonly parts: Pick<Parts, 'startCount'>;
  /** How often in a row the provider had no room. */
  shortages(): number;
}

const INTERNAL_ERROR: FinalEnd = {
  kind: 'refused',
  code: 'INTERNAL_ERROR',
  message: 'The service failed while it worked on this task; it was not charged.',
};

/** The endings of one execution; each is called once, as the last step of a run. */
export class JobEndings {
  private readonly execution: EndingExecution;
  private readonly id: { readonly jobId: string; readonly execution: number };

  constructor(execution: EndingExecution) {
    this.execution = execution;
    this.id = { jobId: execution.input.jobId, execution: execution.carry.execution };
  }

  /**
   * Ends the execution: SUCCEEDED, PARTIALLY_SUCCEEDED or FAILED by what is verified, CANCELLED when a cancel came
   * before the settlement. The customer pays for what is verified, the rest of the hold is released, and instances,
   * capacity and staged files are given back. A step that fails for good keeps no later step from being done, least of
   * all the settlement; the workflow fails when all steps were attempted.
   */
  async finish(end: FinalEnd): Promise<JobOutcome> {
    try {
      return await this.endExecution(end);
    } catch (error) {
      return this.failWorkflow(error);
    }
  }

  /**
   * Pauses the job: every instance is fenced, the execution is settled as PAUSED, instances, capacity and staged files are
   * given back, and the run ends. The next message to the job starts a run from rows, on the build that is current then. A
   * cancel that has come since is done by the next run.
   */
  async pause(): Promise<JobOutcome> {
    const { fleet, signals } = this.execution;
    await fleet.fenceAll('PAUSED');
    await this.settle('PAUSED', signals.pauseCause);
    await this.releaseResources();
    if (!signals.cancelRequested) return jobOutcome(this.execution, null);
    return this.continueAsNew();
  }

  /**
   * Does what a run was started for while its job is paused: a cancel, the end of a long pause, or nothing where another
   * message was faster.
   */
  async stayPaused(): Promise<JobOutcome> {
    const { cancelRequested, isPauseOver, resumed } = this.execution.signals;
    if (resumed !== null || !(cancelRequested || isPauseOver)) return jobOutcome(this.execution, null);
    return this.finish({ kind: cancelRequested ? 'cancelled' : 'finished' });
  }

  /**
   * Ends the execution after a fault of the service: open parts stop, undecided tasks fail with INTERNAL_ERROR, the
   * customer pays for what is verified only. The workflow fails with the fault, so that an operator finds its cause.
   */
  async failInternally(error: unknown): Promise<never> {
    const { signals, progress, fleet } = this.execution;
    log.error('job failed by a fault of the service', { jobId: this.id.jobId, error: causeForLog(error) });
    signals.failing = true;
    fleet.stopOpening();
    if (!isTerminal(progress.state)) await firstErrorOf([() => this.endExecution(INTERNAL_ERROR)]);
    return this.failWorkflow(error);
  }

  /** Begins the next run of the workflow with what this run knows. Task states are not carried: Postgres has them. */
  async continueAsNew(): Promise<never> {
    await condition(allHandlersFinished);
    const { input, carry, signals, progress, capacity, fleet, parts } = this.execution;
    const { takenUp: _, ...carried } = carry;
    const next: JobCarry = {
      ...carried,
      ...progress.carry(),
      ...signals.carry(),
      partRuns: parts.startCount,
      hasCapacity: capacity.isGranted,
      shortages: this.execution.shortages(),
      grantedVcpus: capacity.grantedVcpus,
      slots: fleet.carry(),
    };
    return continueInNextRun<(input: JobInput) => Promise<JobOutcome>>({
      ...input,
      start: { kind: 'continue', carry: next },
    });
  }

  /** Fences, settles in the transaction of the terminal state, then gives back what the execution used. */
  private async endExecution(end: FinalEnd): Promise<JobOutcome> {
    const { signals, progress, fleet } = this.execution;
    const cancelled = end.kind === 'cancelled' || (signals.cancelRequested && end.kind === 'finished');
    // Only the completeness check brings a job here in the state FINALIZING.
    const isProven = progress.state === 'FINALIZING';
    const ending = cancelled ? 'CANCELLING' : 'FINALIZING';
    const unfinished = await firstErrorOf([
      () => progress.enter(ending, cancelled ? signals.cancelReason : null),
      () => fleet.fenceAll(cancelled ? 'CANCELLED' : 'FINISHED'),
      () => (end.kind === 'refused' ? this.failTasks(end.code, end.message) : Promise.resolve()),
      () => storage.writeManifest({ ...this.id, isProven }),
    ]);
    const counts = await records.taskCounts({ jobId: this.id.jobId });
    const late = !cancelled && end.kind === 'finished' && (await this.cancelledLate());
    const deserved =
      cancelled || late ? 'CANCELLED' : outcomeOf(counts.verified, counts.total, counts.mergeMissing);
    const to = await this.settle(deserved, end.kind === 'refused' ? end.code : null);
    const unreleased = await this.releaseResources();
    const error = unfinished ?? unreleased;
    if (error !== null) throw error;
    return jobOutcome(this.execution, to === 'PAUSED' ? null : to);
  }

  /** Whether a cancel came after the end had begun; a cancel is accepted until the settlement. */
  private async cancelledLate(): Promise<boolean> {
    const { signals, progress } = this.execution;
    if (!signals.cancelRequested) return false;
    await firstErrorOf([() => progress.enter('CANCELLING', signals.cancelReason)]);
    return true;
  }

  private async failTasks(code: string, message: string): Promise<void> {
    this.execution.progress.lastFailure = code;
    await records.failTasks({ jobId: this.id.jobId, code, message });
  }

  /** Settles the execution and answers the state it ended in: the settlement itself may find that a cancel has come. */
  private async settle(
    to: TerminalState | 'PAUSED',
    reason: string | null,
  ): Promise<TerminalState | 'PAUSED'> {
    const { signals, progress } = this.execution;
    const pauseReason = to === 'PAUSED' ? signals.pauseRequested : null;
    const transition = progress.nextTransition();
    const settled = await records.settleJob.executeWithOptions({ summary: to }, [
      { ...this.id, transition, to, reason, pauseReason },
    ]);
    progress.enterSettled(settled.to, reason, settled);
    return settled.to;
  }

  /** Ends instances, gives capacity back, removes staged files; answers the first error and shows it to operators. */
  private async releaseResources(): Promise<Error | null> {
    const { progress, capacity, fleet } = this.execution;
    const error = await firstErrorOf([
      () => fleet.close(),
      () => capacity.release(),
      () => leaveErrorToSweep(housekeeping.sweepStaging({ jobId: this.id.jobId })),
    ]);
    if (error !== null) progress.showFailure(`clearing away: ${causeOf(error)}`);
    return error;
  }

  /** Fails the workflow, so that an operator finds it; the message says whether the customer's money is settled. */
  private async failWorkflow(error: unknown): Promise<never> {
    await condition(allHandlersFinished);
    const money = isTerminal(this.execution.progress.state) ? 'it is settled' : 'it is NOT settled';
    throw ApplicationFailure.create({
      message: `The job ended by a fault of the service; ${money}.`,
      nonRetryable: true,
      ...(error instanceof Error ? { cause: error } : {}),
    });
  }
}

/** The result of the workflow; the state is null where this run has settled nothing. */
export function jobOutcome(
  { signals, progress }: Pick<EndingExecution, 'signals' | 'progress'>,
  state: TerminalState | null,
): JobOutcome {
  return {
    decision: signals.decision?.kind ?? 'expired',
    state,
    verified: progress.verified,
    failed: progress.failed,
    chargedPence: progress.chargedPence ?? 0,
  };
}
