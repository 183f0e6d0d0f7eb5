/**
 * The messages of a job: signals, one update and one query. A handler decides nothing; it records what was asked, and the
 * main function of the workflow acts on that.
 */
import {
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import { JOB_MESSAGES, type AdmissionDecision, type JobCarry } from '../../src/contracts/job.ts';
import type { PauseReason } from '../../src/domain/job-state.ts';

/** Update: waits for the decision of the admission and returns the decision; the update changes nothing. */
export const admittedUpdate = defineUpdate<AdmissionDecision>(JOB_MESSAGES.admitted);
/** Signal: cancel. The request stands in the job's row already. */
export const cancelSignal = defineSignal<[{ reason: string | null }]>(JOB_MESSAGES.cancel);
/** Signal: pause, by an operator. */
export const pauseSignal = defineSignal<[{ reason: PauseReason }]>(JOB_MESSAGES.pause);
/** Signal: another job has given capacity back, so that a job that waits asks again now. */
export const capacitySignal = defineSignal(JOB_MESSAGES.capacity);
/** Signal: the next execution of the job, which goes on when the present one has ended. */
export const resumeSignal = defineSignal<[JobCarry]>(JOB_MESSAGES.resume);
/** Signal: the job has been paused for long, so it ends with what is verified. */
export const endPauseSignal = defineSignal(JOB_MESSAGES.endPause);
/** Signal: an instance is about to be taken away, and begins no task any more; from the parts of the job. */
export const drainSignal = defineSignal<[{ slot: number; generation: number }]>(JOB_MESSAGES.drain);
/** Signal: an instance that has booted for long has called the gateway; from the gateway. */
export const heardSignal = defineSignal<[{ slot: number; generation: number }]>(JOB_MESSAGES.heard);
/** Query: the current details in Markdown. */
export const detailsQuery = defineQuery<string>(JOB_MESSAGES.details);

/** Requests that the signals of a job have made so far, and the answer of the update. */
export class JobSignals {
  decision: AdmissionDecision | null = null;
  cancelRequested = false;
  cancelReason: string | null = null;
  pauseRequested: PauseReason | null = null;
  /** Why the service itself pauses the job; null when an operator asked for it. */
  pauseCause: string | null = null;
  capacityHint = false;
  /** Whether a paused job is to end with what is verified. */
  isPauseOver = false;
  /** Whether the service has failed, so that open parts stop as after a cancel. */
  failing = false;
  /** Called when an instance is about to be taken away. */
  instanceDrains: ((slot: number, generation: number) => void) | null = null;
  /** Called when an instance that has booted for long has called the gateway. */
  instanceHeard: ((slot: number, generation: number) => void) | null = null;
  /** The next execution of the job, which goes on when this run has ended. */
  resumed: JobCarry | null = null;
  /** The execution that this run works on. */
  private execution = 1;

  constructor(details: () => string) {
    setHandler(admittedUpdate, () => this.decided());
    setHandler(cancelSignal, ({ reason }) => this.cancel(reason));
    setHandler(pauseSignal, ({ reason }) => void (this.pauseRequested ??= reason));
    setHandler(resumeSignal, (carry) => this.resume(carry));
    setHandler(capacitySignal, () => void (this.capacityHint = true));
    setHandler(endPauseSignal, () => void (this.isPauseOver = true));
    setHandler(drainSignal, ({ slot, generation }) => this.instanceDrains?.(slot, generation));
    setHandler(heardSignal, ({ slot, generation }) => this.instanceHeard?.(slot, generation));
    setHandler(detailsQuery, details);
    // Cancelling in the Temporal UI is the same as the signal.
    CancellationScope.current().cancelRequested.catch(() => this.cancel('cancelled by an operator'));
  }

  /** Takes over what the signals have asked of an earlier run of the workflow. */
  restore(carry: JobCarry): void {
    this.decision = carry.decision;
    this.execution = carry.execution;
    // A run that a resume has started is given the message, too, and the message is handled before the run knows its execution.
    if (this.resumed !== null && this.resumed.execution <= carry.execution) this.resumed = null;
    if (carry.cancelRequested) this.cancel(carry.cancelReason);
    this.pauseRequested ??= carry.pauseRequested;
  }

  /** The part of the carry that `restore` takes up in the next run of the workflow. */
  carry(): Pick<JobCarry, 'cancelRequested' | 'cancelReason' | 'pauseRequested'> {
    const { cancelRequested, cancelReason, pauseRequested } = this;
    return { cancelRequested, cancelReason, pauseRequested };
  }

  /** Whether and how the job is to stop. */
  stopping(): 'cancel' | 'pause' | null {
    if (this.cancelRequested || this.failing) return 'cancel';
    return this.pauseRequested === null ? null : 'pause';
  }

  /** Pauses the job, until an operator has seen to the cause unless another reason is given; what came first stays. */
  pauseFor(cause: string | null, reason: PauseReason = 'OPERATOR'): void {
    this.pauseRequested ??= reason;
    this.pauseCause ??= cause;
  }

  /** Records the request to cancel; the first reason stays. */
  cancel(reason: string | null): void {
    if (!this.cancelRequested) this.cancelReason = reason;
    this.cancelRequested = true;
  }

  /** Notes the next execution. Requests about this one are settled; a cancel that comes from here on means the next one. */
  private resume(carry: JobCarry): void {
    if (carry.execution <= (this.resumed?.execution ?? this.execution)) return;
    this.resumed = carry;
    this.cancelRequested = false;
    this.cancelReason = this.pauseRequested = this.pauseCause = null;
  }

  private async decided(): Promise<AdmissionDecision> {
    for (;;) {
      if (this.decision !== null) return this.decision;
      await condition(() => this.decision !== null);
    }
  }
}
