import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { JOB_MESSAGES, type AdmissionDecision, type JobAdmission, type JobCarry, type JobInput, type JobOutcome } from '../src/contracts/job.ts';
import { isTerminal, mayFollow, outcomeOf, type JobState, type PauseReason, type TerminalState } from '../src/domain/job-state.ts';
import { admission, housekeeping, records, storage } from './lib/activities.ts';
import { Fleet } from './lib/fleet.ts';
import { Parts } from './lib/parts.ts';
import { showDetails, showState } from './lib/visibility.ts';

/** Update: waits for the admission's decision and returns it; it effects nothing, so losing it loses an answer only. */
export const admittedUpdate = defineUpdate<AdmissionDecision>(JOB_MESSAGES.admitted);
/** Signal: cancel. The request is a fact in the job's row already. */
export const cancelSignal = defineSignal<[{ reason: string | null }]>(JOB_MESSAGES.cancel);
/** Signal: pause, by an operator. */
export const pauseSignal = defineSignal<[{ reason: PauseReason }]>(JOB_MESSAGES.pause);
/** Signal: capacity was given back by another job; look now. */
export const capacitySignal = defineSignal(JOB_MESSAGES.capacity);
/** Query: the current details in Markdown. */
export const detailsQuery = defineQuery<string>(JOB_MESSAGES.details);

type End = { readonly kind: 'finished' | 'cancelled' | 'paused' | 'continue' } | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/**
 * A job, from admission to settlement. Money, instances and state are decided here; tasks run in `jobPart` children.
 *
 * Signals: `cancel`, `pause`, `capacity`. Update: `admitted`. Timers: looking for capacity, the end of a long pause.
 * Cancelling the workflow in the Temporal UI is the same as the signal. Continues as new when the history grows long
 * and while paused or queued for long; what is done stands in Postgres, so a continued run finds only what is left.
 * The admission, commits and the settlement are never cancelled.
 */
export async function job(input: JobInput): Promise<JobOutcome> {
  return new JobRun(input).run();
}

class JobRun {
  readonly jobId: string;
  private readonly input: JobInput;
  private decision: AdmissionDecision | null = null;
  private cancelRequested = false;
  private cancelReason: string | null = null;
  private pauseRequested: PauseReason | null = null;
  private capacityHint = false;
  private failing = false;
  /** Whether tasks, not only preparations, may run. */
  private working = false;
  private state: JobState = 'SUBMITTED';
  private reason: string | null = null;
  private recoveries = 0;
  private partRuns = 0;
  private verified = 0;
  private failed = 0;
  private chargedPence: number | null = null;
  private lastFailure: string | null = null;
  private hasCapacity = false;
  private details = '';
  private transitions: Promise<void> = Promise.resolve();

  constructor(input: JobInput) {
    this.input = input;
    this.jobId = input.jobId;
    setHandler(admittedUpdate, async () => {
      await condition(() => this.decision !== null);
      if (this.decision === null) throw new Error('unreachable: decided');
      return this.decision;
    });
    setHandler(cancelSignal, ({ reason }) => this.cancel(reason));
    setHandler(pauseSignal, ({ reason }) => void (this.pauseRequested ??= reason));
    setHandler(capacitySignal, () => void (this.capacityHint = true));
    setHandler(detailsQuery, () => this.details);
    CancellationScope.current().cancelRequested.catch(() => this.cancel('cancelled by an operator'));
  }

  async run(): Promise<JobOutcome> {
    return CancellationScope.nonCancellable(async () => {
      const carry = await this.begin();
      const outcome = carry === null ? this.outcome(null) : await this.execute(carry);
      await condition(allHandlersFinished);
      return outcome;
    });
  }

  private cancel(reason: string | null): void {
    if (!this.cancelRequested) this.cancelReason = reason;
    this.cancelRequested = true;
  }

  /** Admits the job, or takes up what an earlier run carried. Null: not admitted, or admitted by another run. */
  private async begin(): Promise<JobCarry | null> {
    const start = this.input.start;
    if (start.kind === 'continue') {
      this.restore(start.carry);
      return start.carry;
    }
    this.decision = await admission.admitJob(start.admission, workflowInfo().firstExecutionRunId);
    if (this.decision.kind === 'admitted' && !this.decision.replay) {
      this.show();
      return firstCarry(start.admission, this.decision);
    }
    await this.forgetRequest(start.admission);
    return null;
  }

  /** A refused submit leaves nothing behind, not even its stored request. */
  private async forgetRequest(refused: JobAdmission): Promise<void> {
    if (refused.requestKey === null || this.decision?.kind === 'admitted') return;
    await housekeeping.removeRefusedRequest({ jobId: this.jobId, requestKey: refused.requestKey });
  }

  private restore(carry: JobCarry): void {
    this.decision = carry.decision;
    this.state = carry.state;
    this.recoveries = carry.recoveries;
    this.partRuns = carry.partRuns;
    this.cancelRequested ||= carry.cancelRequested;
    this.cancelReason ??= carry.cancelReason;
    this.pauseRequested ??= carry.pauseRequested;
    this.hasCapacity = carry.hasCapacity;
    this.verified = carry.verified;
    this.failed = carry.failed;
  }

  private async execute(carry: JobCarry): Promise<JobOutcome> {
    const fleet = new Fleet(this.fleetOwner(carry), carry.slots);
    let end: End;
    try {
      end = await this.lifecycle(carry, fleet);
    } catch (error) {
      return this.failInternally(carry, fleet, error);
    }
    if (end.kind === 'continue') return this.continueLater(carry, fleet);
    if (end.kind === 'paused') return this.rest(carry, fleet);
    return this.finish(carry, fleet, end);
  }

  private fleetOwner(carry: JobCarry): ConstructorParameters<typeof Fleet>[0] {
    return {
      jobId: this.jobId,
      execution: carry.execution,
      provider: carry.provider,
      slotsPerInstance: carry.plan.slotsPerInstance,
      vcpusPerInstance: carry.plan.vcpusPerInstance,
      timing: this.input.timing,
      stopping: () => this.stopping() !== null,
      fleetChanged: async (open, lost) => {
        if (lost !== null) {
          this.recoveries += 1;
          this.lastFailure = `instance lost: ${lost}`;
        }
        if (this.stopping() !== null) return;
        if (open > 0 && this.working) await this.enter('RUNNING', null);
        else if (open === 0) await this.enter('RECOVERING', lost);
      },
    };
  }

  private stopping(): 'cancel' | 'pause' | null {
    if (this.cancelRequested || this.failing) return 'cancel';
    return this.pauseRequested === null ? null : 'pause';
  }

  private draining(): boolean {
    const info = workflowInfo();
    return info.continueAsNewSuggested || info.historyLength > this.input.maxHistoryEvents;
  }

  /** Everything between admission and the end of the work. */
  private async lifecycle(carry: JobCarry, fleet: Fleet): Promise<End> {
    if (this.state === 'PAUSED') return { kind: 'paused' };
    const { jobId } = this;
    const { execution } = carry;
    if (this.state === 'SUBMITTED') {
      const planned = await storage.planTasks({ jobId, execution, plan: carry.plan });
      if (!planned.ok) return { kind: 'refused', code: planned.code, message: planned.message };
      await this.enter('QUEUED', null);
    }
    const parts = new Parts(this.partsOwner(carry), fleet);
    for (;;) {
      const early = await this.whyStop(carry);
      if (early !== null) return early;
      if (!(await this.obtainCapacity(carry))) continue;
      if (this.state !== 'RECOVERING' && this.state !== 'RUNNING') await this.enter('PROVISIONING', null);
      if (carry.plan.steps.includes('prepare')) {
        await parts.runStep('prepare');
        const refused = await records.preparationFailure({ jobId, execution });
        if (refused !== null) return { kind: 'refused', ...refused };
      }
      const pending = await records.pendingParts({ jobId, execution });
      if (pending.length > 0) {
        this.working = true;
        if (fleet.openCount > 0) await this.enter('RUNNING', null);
        await parts.run(pending);
        continue;
      }
      if (carry.plan.steps.includes('control') && this.stopping() === null) await parts.runStep('control');
      if (this.stopping() !== null) continue;
      await this.enter('FINALIZING', null);
      const complete = await storage.checkCompleteness({ jobId, execution });
      if (complete.setBack === 0) return { kind: 'finished' };
      this.lastFailure = `${String(complete.setBack)} outputs missing or changed in the store`;
      await this.enter('RECOVERING', 'OUTPUTS_MISSING');
    }
  }

  private async whyStop(carry: JobCarry): Promise<End | null> {
    if (this.cancelRequested) return { kind: 'cancelled' };
    if (this.pauseRequested !== null) {
      const left = await records.pendingParts({ jobId: this.jobId, execution: carry.execution });
      if (left.length > 0) return { kind: 'paused' };
      this.pauseRequested = null;
    }
    return this.draining() ? { kind: 'continue' } : null;
  }

  private partsOwner(carry: JobCarry): ConstructorParameters<typeof Parts>[0] {
    return {
      jobId: this.jobId,
      execution: carry.execution,
      plan: carry.plan,
      timing: this.input.timing,
      draining: () => this.draining(),
      stopping: () => this.stopping(),
      nextRun: () => (this.partRuns += 1),
      partEnded: (verified, failed) => {
        this.verified += verified;
        this.failed += failed;
        this.show();
      },
      broke: () => void (this.failing = true),
    };
  }

  /** Waits until capacity is granted; false when the job is stopping or its history grew long. */
  private async obtainCapacity(carry: JobCarry): Promise<boolean> {
    const { jobId } = this;
    while (!this.hasCapacity) {
      const answer = await records.requestCapacity({
        jobId,
        execution: carry.execution,
        accountId: carry.accountId,
        accountPlan: carry.accountPlan,
        vcpus: carry.plan.instances * carry.plan.vcpusPerInstance,
      });
      this.hasCapacity = answer.granted;
      if (answer.granted) break;
      await this.enter('QUEUED', answer.reason);
      const hinted = (): boolean => this.capacityHint || this.stopping() !== null;
      await condition(hinted, this.input.timing.capacityPollSeconds * 1000);
      this.capacityHint = false;
      if (this.stopping() !== null || this.draining()) return false;
    }
    return true;
  }

  /** The end of an execution: fence, settle in the transaction of the terminal state, then clear away. */
  private async finish(carry: JobCarry, fleet: Fleet, end: End): Promise<JobOutcome> {
    const { jobId } = this;
    const { execution } = carry;
    const cancelled = end.kind === 'cancelled' || (this.cancelRequested && end.kind === 'finished');
    await this.enter(cancelled ? 'CANCELLING' : 'FINALIZING', cancelled ? this.cancelReason : null);
    await fleet.fenceAll(cancelled ? 'CANCELLED' : 'FINISHED');
    if (end.kind === 'refused') {
      this.lastFailure = `${end.code}: ${end.message}`;
      await records.failTasks({ jobId, code: end.code, message: end.message });
    }
    await storage.writeManifest({ jobId, execution });
    const counts = await records.taskCounts({ jobId });
    const to = cancelled ? 'CANCELLED' : outcomeOf(counts.verified, counts.total);
    await this.settle(execution, to, end.kind === 'refused' ? end.code : null);
    await this.clearAway(carry, fleet);
    return this.outcome(to);
  }

  private async settle(execution: number, to: TerminalState | 'PAUSED', reason: string | null): Promise<void> {
    const settled = await records.settleJob({ jobId: this.jobId, execution, to, reason, pauseReason: to === 'PAUSED' ? this.pauseRequested : null });
    this.chargedPence = settled.chargedPence;
    this.verified = settled.verified;
    this.failed = settled.failed;
    this.state = to;
    this.reason = reason;
    showState(to, this.recoveries);
    this.show();
  }

  /** Nothing that an execution used outlives it: instances, capacity, staged files. */
  private async clearAway(carry: JobCarry, fleet: Fleet): Promise<void> {
    await fleet.close();
    await records.releaseCapacity({ jobId: this.jobId, execution: carry.execution });
    this.hasCapacity = false;
    await housekeeping.sweepStaging({ jobId: this.jobId });
  }

  /** PAUSED: settled, everything given back; waits for a cancel, or finishes after a long time. */
  private async rest(carry: JobCarry, fleet: Fleet): Promise<JobOutcome> {
    if (this.state !== 'PAUSED') {
      await fleet.fenceAll('PAUSED');
      await this.settle(carry.execution, 'PAUSED', null);
      await this.clearAway(carry, fleet);
      return this.continueLater(carry, fleet);
    }
    this.show();
    await condition(() => this.cancelRequested, `${this.input.timing.pausedDays} days`);
    return this.finish(carry, fleet, { kind: this.cancelRequested ? 'cancelled' : 'finished' });
  }

  /** A fault of the service: the customer pays for what is verified only, the operator finds the cause. */
  private async failInternally(carry: JobCarry, fleet: Fleet, error: unknown): Promise<never> {
    log.error('job failed by a fault of the service', { jobId: this.jobId, error: String(error) });
    this.failing = true;
    fleet.stopOpening();
    this.lastFailure = 'INTERNAL_ERROR (see the workflow’s failure)';
    if (!isTerminal(this.state)) {
      await this.finish(carry, fleet, { kind: 'refused', code: 'INTERNAL_ERROR', message: 'The service failed while it worked on this task; it was not charged.' });
    }
    await condition(allHandlersFinished);
    throw ApplicationFailure.create({ message: 'The job ended by a fault of the service; it is settled.', nonRetryable: true, ...(error instanceof Error ? { cause: error } : {}) });
  }

  private async continueLater(carry: JobCarry, fleet: Fleet): Promise<never> {
    await condition(allHandlersFinished);
    return continueAsNew<typeof job>({
      ...this.input,
      start: {
        kind: 'continue',
        carry: {
          ...carry,
          state: this.state,
          slots: fleet.carry(),
          hasCapacity: this.hasCapacity,
          partRuns: this.partRuns,
          recoveries: this.recoveries,
          verified: this.verified,
          failed: this.failed,
          cancelRequested: this.cancelRequested,
          cancelReason: this.cancelReason,
          pauseRequested: this.pauseRequested,
        },
      },
    });
  }

  /** Moves the job's row and what the UI shows. One at a time; a state that may not follow is left out. */
  private async enter(to: JobState, reason: string | null): Promise<void> {
    const turn = this.transitions.then(async () => {
      if ((to === this.state && reason === this.reason) || (to !== this.state && !mayFollow(this.state, to))) return;
      await records.recordState({ jobId: this.jobId, to, reason });
      this.state = to;
      this.reason = reason;
      showState(to, this.recoveries);
      this.show();
    });
    this.transitions = turn.catch(() => undefined);
    return turn;
  }

  private show(): void {
    const start = this.input.start;
    const plan = start.kind === 'admit' ? start.admission.plan : start.carry.plan;
    this.details = showDetails({
      state: this.state,
      reason: this.reason,
      execution: start.kind === 'admit' ? 1 : start.carry.execution,
      verified: this.verified,
      failed: this.failed,
      total: plan.taskCount,
      heldPence: start.kind === 'admit' ? start.admission.quote.heldPence : start.carry.heldPence,
      chargedPence: this.chargedPence,
      recoveries: this.recoveries,
      lastFailure: this.lastFailure,
    });
  }

  private outcome(state: TerminalState | null): JobOutcome {
    return {
      decision: this.decision?.kind ?? 'expired',
      state,
      verified: this.verified,
      failed: this.failed,
      chargedPence: this.chargedPence ?? 0,
    };
  }
}

function firstCarry(admitted: JobAdmission, decision: AdmissionDecision): JobCarry {
  return {
    decision,
    accountId: admitted.accountId,
    accountPlan: admitted.accountPlan,
    jobType: admitted.jobType,
    simulator: admitted.simulator,
    provider: admitted.provider,
    plan: admitted.plan,
    execution: 1,
    state: 'SUBMITTED',
    slots: Array.from({ length: admitted.plan.instances }, () => ({ generation: 1, open: false })),
    hasCapacity: false,
    partRuns: 0,
    recoveries: 0,
    verified: 0,
    failed: 0,
    cancelRequested: false,
    cancelReason: null,
    pauseRequested: null,
    heldPence: admitted.quote.heldPence,
  };
}
