/** The state and counts of a job: the state is written to the job's row, one change at a time, and shown to operators. */
import type { JobCarry, JobInput } from '../../src/contracts/job.ts';
import { mayFollow, type JobState, type TerminalState } from '../../src/domain/job-state.ts';
import { records } from './activities.ts';
import { showDetails, showState } from './visibility.ts';

/** Facts of the job that do not change during a run of the workflow. */
export interface ProgressFacts {
  readonly jobId: string;
  readonly execution: number;
  readonly taskCount: number;
  readonly heldPence: number;
}

/** The job's state and counts, as the workflow knows them; Postgres is exact. */
export class Progress {
  state: JobState = 'SUBMITTED';
  reason: string | null = null;
  verified = 0;
  failed = 0;
  recoveries = 0;
  chargedPence: number | null = null;
  lastFailure: string | null = null;
  private partsOpen = 0;
  details = '';
  private readonly facts: ProgressFacts;
  private turn: Promise<void> = Promise.resolve();
  private transition = 0;

  constructor(facts: ProgressFacts) {
    this.facts = facts;
  }

  /** Takes over the state and counts of an earlier run of the workflow. */
  restore(carry: JobCarry): void {
    this.state = carry.state;
    this.verified = carry.verified;
    this.failed = carry.failed;
    this.recoveries = carry.recoveries;
    this.transition = carry.transition;
    this.reason = carry.reason;
    this.lastFailure = carry.lastFailure;
    this.chargedPence = carry.chargedPence;
  }

  /** The part of the carry that `restore` takes up in the next run of the workflow. */
  carry(): Pick<
    JobCarry,
    'state' | 'reason' | 'lastFailure' | 'chargedPence' | 'transition' | 'verified' | 'failed' | 'recoveries'
  > {
    const { state, reason, lastFailure, chargedPence, transition, verified, failed, recoveries } = this;
    return { state, reason, lastFailure, chargedPence, transition, verified, failed, recoveries };
  }

  /** Enters a state, one change at a time; a state that may not follow the present one is left out. */
  async enter(to: JobState, reason: string | null): Promise<void> {
    const turn = this.turn.then(() => this.change(to, reason));
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Takes over the end of the execution, which the settlement has written to the row already. */
  enterSettled(
    to: TerminalState | 'PAUSED',
    reason: string | null,
    settled: { verified: number; failed: number; chargedPence: number },
  ): void {
    this.verified = settled.verified;
    this.failed = settled.failed;
    this.chargedPence = settled.chargedPence;
    this.moved(to, reason);
  }

  /** Shows how many parts are at work. */
  showPartsAtWork(open: number): void {
    this.partsOpen = open;
    this.show();
  }

  /** Adds the counts of a part that has ended. */
  addCounts(verified: number, failed: number): void {
    this.verified += verified;
    this.failed += failed;
    this.show();
  }

  /** Replaces the counts by those of Postgres, after tasks were set back. */
  replaceCounts(verified: number, failed: number): void {
    this.verified = verified;
    this.failed = failed;
    this.show();
  }

  /** How many tasks are decided, as far as the workflow knows. */
  get decided(): number {
    return this.verified + this.failed;
  }

  /** Counts a change of state and answers its number, which the job's row keeps; the count is carried along. */
  nextTransition(): number {
    this.transition += 1;
    return this.transition;
  }

  /** Counts a lost instance that is replaced. */
  countRecovery(cause: string): void {
    this.recoveries += 1;
    this.lastFailure = `instance lost: ${cause}`;
    showState(this.state, this.recoveries);
    this.show();
  }

  /** Shows operators a failure. */
  showFailure(what: string): void {
    this.lastFailure = what;
    this.show();
  }

  /** Shows the present details in the Temporal UI. */
  show(): void {
    const { execution, taskCount, heldPence } = this.facts;
    this.details = showDetails({
      state: this.state,
      reason: reasonShown(this.state, this.reason),
      execution,
      verified: this.verified,
      failed: this.failed,
      total: taskCount,
      partsOpen: this.partsOpen,
      heldPence,
      chargedPence: this.chargedPence,
      recoveries: this.recoveries,
      lastFailure: this.lastFailure,
    });
  }

  private async change(to: JobState, reason: string | null): Promise<void> {
    if (to === this.state ? reason === this.reason : !mayFollow(this.state, to)) return;
    const shown = reasonShown(to, reason);
    const summary = shown === null ? to : `${to}: ${shown}`;
    await records.recordState.executeWithOptions({ summary }, [
      { jobId: this.facts.jobId, transition: this.nextTransition(), to, reason },
    ]);
    this.moved(to, reason);
  }

  private moved(to: JobState, reason: string | null): void {
    this.state = to;
    this.reason = reason;
    showState(to, this.recoveries);
    this.show();
  }
}

/** The reason as operators see it: the reason of a cancel is the customer's own text, which only the job's row has. */
function reasonShown(state: JobState, reason: string | null): string | null {
  return state === 'CANCELLING' || state === 'CANCELLED' ? null : reason;
}

/** The facts of a run, from the admission or from what an earlier run carried over. */
export function factsOf({ jobId, start }: JobInput): ProgressFacts {
  if (start.kind === 'continue') {
    const { execution, plan, heldPence } = start.carry;
    return { jobId, execution, taskCount: plan.taskCount, heldPence };
  }
  const { plan, quote } = start.admission;
  return { jobId, execution: 1, taskCount: plan.taskCount, heldPence: quote.heldPence };
}
