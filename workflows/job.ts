import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  log,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import type { JobAdmission, JobCarry, JobInput, JobOutcome } from '../src/contracts/job.ts';
import { isTerminal, outcomeOf, type TerminalState } from '../src/domain/job-state.ts';
import { admission, housekeeping, records, storage } from './lib/activities.ts';
import { Fleet } from './lib/fleet.ts';
import { Parts } from './lib/parts.ts';
import { Progress } from './lib/progress.ts';
import { Requests } from './lib/requests.ts';
import { causeOf, firstFault, sweptLater } from './lib/steps.ts';

type End =
  | { readonly kind: 'finished' | 'cancelled' | 'paused' | 'continue' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

const LONGEST_IDLE_SECONDS = 60;
/** Patch: a cancel that comes while the end is written still cancels. */
const CANCELLED_UNTIL_SETTLED = 'cancelled-until-settled';

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
  private readonly input: JobInput;
  private readonly jobId: string;
  private readonly requests: Requests;
  private readonly progress: Progress;
  private partRuns = 0;
  private hasCapacity = false;
  /** Whether tasks, not only preparations, may run. */
  private working = false;
  private idleRounds = 0;
  /** Whether the control step is decided. */
  private controlled = false;
  /** Whether it was undecided when that was last read. */
  private controlOpen = false;

  constructor(input: JobInput) {
    this.input = input;
    this.jobId = input.jobId;
    this.requests = new Requests(() => this.progress.details);
    this.progress = new Progress(factsOf(input));
  }

  async run(): Promise<JobOutcome> {
    return CancellationScope.nonCancellable(async () => {
      const carry = await this.begin();
      const outcome = carry === null ? this.outcome(null) : await this.execute(carry);
      await condition(allHandlersFinished);
      return outcome;
    });
  }

  /** Admits the job, or takes up what an earlier run carried. Null: not admitted, or admitted by another run. */
  private async begin(): Promise<JobCarry | null> {
    const start = this.input.start;
    if (start.kind === 'continue') {
      this.requests.restore(start.carry);
      this.progress.restore(start.carry);
      this.partRuns = start.carry.partRuns;
      this.hasCapacity = start.carry.hasCapacity;
      this.progress.show();
      return start.carry;
    }
    const decision = await admission.admitJob(start.admission, workflowInfo().firstExecutionRunId);
    this.requests.decision = decision;
    if (decision.kind === 'admitted') {
      if (decision.replay) return null;
      this.progress.show();
      return firstCarry(start.admission, this.requests);
    }
    // A refused submit leaves nothing behind, not even its stored request.
    const { requestKey } = start.admission;
    if (requestKey !== null)
      await sweptLater(housekeeping.removeRefusedRequest({ jobId: this.jobId, requestKey }));
    return null;
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
    return this.finishOrFail(carry, fleet, end);
  }

  /** Everything between admission and the end of the work. */
  private async lifecycle(carry: JobCarry, fleet: Fleet): Promise<End> {
    if (this.progress.state === 'PAUSED') return { kind: 'paused' };
    const id = { jobId: this.jobId, execution: carry.execution };
    if (this.progress.state === 'SUBMITTED') {
      const planning = storage.planTasks({ ...id, plan: carry.plan });
      // Hashing gigabytes of input must not keep a cancel waiting; a planning that is late plans nothing.
      const cancelled = condition(() => this.requests.cancelRequested).then(() => null);
      const planned = await Promise.race([planning, cancelled]);
      if (planned === null) planning.catch(() => undefined);
      else if (!planned.ok) return { kind: 'refused', code: planned.code, message: planned.message };
      else await this.progress.enter('QUEUED', null);
    }
    const parts = new Parts(this.partsOwner(carry), fleet);
    for (;;) {
      const early = await this.whyStop(carry);
      if (early !== null) return early;
      if (!(await this.obtainCapacity(carry))) continue;
      if (this.progress.state === 'QUEUED') await this.progress.enter('PROVISIONING', null);
      if (carry.plan.steps.includes('prepare')) {
        if (!(await parts.runStep('prepare'))) continue;
        const refused = await records.preparationFailure(id);
        if (refused !== null) return { kind: 'refused', ...refused };
      }
      if (await this.work(carry, fleet, parts)) continue;
      if (this.requests.stopping() !== null) continue;
      if (await this.provenComplete(carry)) return { kind: 'finished' };
    }
  }

  /** The tasks, and beside them the control, which needs nothing of them; true when something is left to do. */
  private async work(carry: JobCarry, fleet: Fleet, parts: Parts): Promise<boolean> {
    if (this.controlled || !carry.plan.steps.includes('control')) return this.workOff(carry, fleet, parts);
    const [left, controlled] = await Promise.all([
      this.workOff(carry, fleet, parts),
      parts.runStep('control'),
    ]);
    this.controlled = controlled;
    return left || !controlled;
  }

  /** Runs the parts that have undecided tasks; false when there are none. */
  private async workOff(carry: JobCarry, fleet: Fleet, parts: Parts): Promise<boolean> {
    if (this.requests.stopping() !== null) return true;
    const left = await this.outstanding(carry);
    if (this.requests.stopping() !== null) return true;
    if (left.length === 0) return false;
    this.working = true;
    if (fleet.openCount > 0) await this.progress.enter('RUNNING', null);
    const decided = this.progress.decided;
    await parts.run(left);
    this.idleRounds = this.progress.decided > decided || this.draining() ? 0 : this.idleRounds + 1;
    // A round that decides nothing is not repeated at once, whatever makes it so.
    if (this.idleRounds > 0) await this.unlessStopped(Math.min(2 ** this.idleRounds, LONGEST_IDLE_SECONDS));
    return true;
  }

  /** The parts that are left. The fact of a cancel is read with them: its message may have been lost. */
  private async outstanding(carry: JobCarry): Promise<readonly number[]> {
    const left = await records.outstanding({ jobId: this.jobId, execution: carry.execution });
    if (left.cancelRequested) this.requests.cancel(left.cancelReason);
    this.controlOpen = left.controlOpen ?? false;
    return left.parts;
  }

  private async unlessStopped(seconds: number): Promise<void> {
    await condition(() => this.requests.stopping() !== null, seconds * 1000, {
      summary: 'before the next round',
    });
  }

  private async provenComplete(carry: JobCarry): Promise<boolean> {
    await this.progress.enter('FINALIZING', null);
    const id = { jobId: this.jobId, execution: carry.execution };
    const { setBack, standing } = await storage.checkCompleteness(id);
    if (setBack === 0) return true;
    if (standing !== undefined) {
      this.progress.stand(standing.verified, standing.failed);
      if (standing.steps.includes('control')) this.controlled = false;
    }
    this.progress.lastFailure = `outputs of ${String(setBack)} tasks missing or changed in the store`;
    await this.progress.enter('RECOVERING', 'OUTPUTS_MISSING');
    return false;
  }

  private async whyStop(carry: JobCarry): Promise<End | null> {
    if (this.requests.cancelRequested) return { kind: 'cancelled' };
    if (this.requests.pauseRequested !== null) {
      const left = await this.outstanding(carry);
      if (this.requests.stopping() === 'cancel') return { kind: 'cancelled' };
      // A control alone is no reason to rest, unless it is what the job cannot get done.
      if (left.length > 0 || (this.requests.pauseCause !== null && this.controlOpen))
        return { kind: 'paused' };
      this.requests.pauseRequested = this.requests.pauseCause = null;
    }
    return this.draining() ? { kind: 'continue' } : null;
  }

  /** Waits until capacity is granted; false when the job is stopping or its history grew long. */
  private async obtainCapacity(carry: JobCarry): Promise<boolean> {
    while (!this.hasCapacity) {
      const { accountId, accountPlan, execution, plan } = carry;
      const vcpus = plan.instances * plan.vcpusPerInstance;
      const answer = await records.requestCapacity.executeWithOptions({ summary: `${String(vcpus)} vCPUs` }, [
        { jobId: this.jobId, execution, accountId, accountPlan, vcpus },
      ]);
      this.hasCapacity = answer.granted;
      if (answer.granted) break;
      await this.progress.enter('QUEUED', answer.reason);
      const awake = (): boolean => this.requests.capacityHint || this.requests.stopping() !== null;
      await condition(awake, this.input.timing.capacityPollSeconds * 1000, { summary: 'look for capacity' });
      this.requests.capacityHint = false;
      if (this.requests.stopping() !== null || this.draining()) return false;
    }
    return true;
  }

  /**
   * The end of an execution: fence, settle in the transaction of the terminal state, then clear away. A step that
   * fails for good keeps no later one from being done, least of all the settlement; it fails the workflow at the end.
   */
  private async finish(carry: JobCarry, fleet: Fleet, end: End): Promise<JobOutcome> {
    const id = { jobId: this.jobId, execution: carry.execution };
    const cancelled = end.kind === 'cancelled' || (this.requests.cancelRequested && end.kind === 'finished');
    // Only the completeness check brings a job here in this state.
    const isProven = this.progress.state === 'FINALIZING';
    const ending = cancelled ? 'CANCELLING' : 'FINALIZING';
    const unfinished = await firstFault([
      () => this.progress.enter(ending, cancelled ? this.requests.cancelReason : null),
      () => fleet.fenceAll(cancelled ? 'CANCELLED' : 'FINISHED'),
      () => (end.kind === 'refused' ? this.refuseTasks(end.code, end.message) : Promise.resolve()),
      () => storage.writeManifest({ ...id, isProven }),
    ]);
    const counts = await records.taskCounts({ jobId: this.jobId });
    const late = !cancelled && end.kind === 'finished' && (await this.cancelledLate());
    const deserved = cancelled || late ? 'CANCELLED' : outcomeOf(counts.verified, counts.total);
    const to = await this.settle(carry, deserved, end.kind === 'refused' ? end.code : null);
    const uncleared = await this.clearAway(carry, fleet);
    const fault = unfinished ?? uncleared;
    if (fault !== null) throw fault;
    return this.outcome(to === 'PAUSED' ? null : to);
  }

  /** Whether a cancel came after the end had begun; it is taken until the settlement. */
  private async cancelledLate(): Promise<boolean> {
    if (!this.requests.cancelRequested || !patched(CANCELLED_UNTIL_SETTLED)) return false;
    await firstFault([() => this.progress.enter('CANCELLING', this.requests.cancelReason)]);
    return true;
  }

  private async refuseTasks(code: string, message: string): Promise<void> {
    this.progress.lastFailure = code;
    await records.failTasks({ jobId: this.jobId, code, message });
  }

  /** Settles; answers the state that the job ended in: the settlement itself may meet a cancel. */
  private async settle(
    carry: JobCarry,
    to: TerminalState | 'PAUSED',
    reason: string | null,
  ): Promise<TerminalState | 'PAUSED'> {
    const pauseReason = to === 'PAUSED' ? this.requests.pauseRequested : null;
    const settled = await records.settleJob.executeWithOptions({ summary: to }, [
      {
        jobId: this.jobId,
        execution: carry.execution,
        transition: this.progress.nextTransition(),
        to,
        reason,
        pauseReason,
      },
    ]);
    const endedAs = settled.to ?? to;
    this.progress.ended(endedAs, reason, settled);
    return endedAs;
  }

  /** Nothing that an execution used outlives it: instances, capacity, staged files. Answers and shows what failed. */
  private async clearAway(carry: JobCarry, fleet: Fleet): Promise<Error | null> {
    const fault = await firstFault([
      () => fleet.close(),
      () => records.releaseCapacity({ jobId: this.jobId, execution: carry.execution }),
      () => sweptLater(housekeeping.sweepStaging({ jobId: this.jobId })),
    ]);
    this.hasCapacity = false;
    if (fault !== null) this.progress.fault(`clearing away: ${causeOf(fault)}`);
    return fault;
  }

  /** PAUSED: settled, everything given back; waits for a cancel, or finishes after a long time. */
  private async rest(carry: JobCarry, fleet: Fleet): Promise<JobOutcome> {
    if (this.progress.state !== 'PAUSED') {
      await fleet.fenceAll('PAUSED');
      await this.settle(carry, 'PAUSED', this.requests.pauseCause);
      await this.clearAway(carry, fleet);
      return this.continueLater(carry, fleet);
    }
    const days = `${this.input.timing.pausedDays} days` as const;
    await condition(() => this.requests.cancelRequested, days, { summary: 'paused for long: finish' });
    const kind = this.requests.cancelRequested ? 'cancelled' : 'finished';
    return this.finishOrFail(carry, fleet, { kind });
  }

  /** A fault of the service: the customer pays for what is verified only, the operator finds the cause. */
  private async failInternally(carry: JobCarry, fleet: Fleet, error: unknown): Promise<never> {
    log.error('job failed by a fault of the service', { jobId: this.jobId, error: causeOf(error) });
    this.requests.failing = true;
    fleet.stopOpening();
    if (!isTerminal(this.progress.state)) {
      const message = 'The service failed while it worked on this task; it was not charged.';
      const end: End = { kind: 'refused', code: 'INTERNAL_ERROR', message };
      await firstFault([() => this.finish(carry, fleet, end)]);
    }
    return this.failWorkflow(error);
  }

  private async finishOrFail(carry: JobCarry, fleet: Fleet, end: End): Promise<JobOutcome> {
    try {
      return await this.finish(carry, fleet, end);
    } catch (error) {
      return this.failWorkflow(error);
    }
  }

  /** The operator finds a failed workflow; its last words say whether the customer's money is where it belongs. */
  private async failWorkflow(error: unknown): Promise<never> {
    await condition(allHandlersFinished);
    const money = isTerminal(this.progress.state) ? 'it is settled' : 'it is NOT settled';
    throw ApplicationFailure.create({
      message: `The job ended by a fault of the service; ${money}.`,
      nonRetryable: true,
      ...(error instanceof Error ? { cause: error } : {}),
    });
  }

  private async continueLater(carry: JobCarry, fleet: Fleet): Promise<never> {
    await condition(allHandlersFinished);
    const { cancelRequested, cancelReason, pauseRequested } = this.requests;
    const { state, reason, verified, failed, recoveries, lastFailure, chargedPence } = this.progress;
    const { partRuns, hasCapacity } = this;
    const now = {
      state,
      reason,
      lastFailure,
      chargedPence,
      transition: this.progress.transitions,
      verified,
      failed,
      recoveries,
      cancelRequested,
      cancelReason,
      pauseRequested,
      partRuns,
      hasCapacity,
    };
    return continueAsNew<typeof job>({
      ...this.input,
      start: { kind: 'continue', carry: { ...carry, ...now, slots: fleet.carry() } },
    });
  }

  private draining(): boolean {
    const info = workflowInfo();
    return info.continueAsNewSuggested || info.historyLength > this.input.maxHistoryEvents;
  }

  private fleetOwner(carry: JobCarry): ConstructorParameters<typeof Fleet>[0] {
    return {
      jobId: this.jobId,
      execution: carry.execution,
      provider: carry.provider,
      slotsPerInstance: carry.plan.slotsPerInstance,
      vcpusPerInstance: carry.plan.vcpusPerInstance,
      stopping: () => this.requests.stopping() !== null,
      draining: () => this.draining(),
      cannotGoOn: (cause) => this.requests.pauseFor(cause),
      fleetChanged: async (open, lost) => {
        if (lost !== null) this.progress.recovered(lost);
        if (this.requests.stopping() !== null) return;
        if (open === 0) await this.progress.enter('RECOVERING', lost);
        else if (this.working) await this.progress.enter('RUNNING', null);
      },
    };
  }

  private partsOwner(carry: JobCarry): ConstructorParameters<typeof Parts>[0] {
    return {
      jobId: this.jobId,
      execution: carry.execution,
      plan: carry.plan,
      timing: this.input.timing,
      draining: () => this.draining(),
      stopping: () => this.requests.stopping(),
      nextRun: () => (this.partRuns += 1),
      partsAtWork: (open) => this.progress.partsAtWork(open),
      partEnded: (verified, failed) => this.progress.add(verified, failed),
      broke: () => void (this.requests.failing = true),
    };
  }

  private outcome(state: TerminalState | null): JobOutcome {
    return {
      decision: this.requests.decision?.kind ?? 'expired',
      state,
      verified: this.progress.verified,
      failed: this.progress.failed,
      chargedPence: this.progress.chargedPence ?? 0,
    };
  }
}

function factsOf(input: JobInput): ConstructorParameters<typeof Progress>[0] {
  const { jobId, start } = input;
  return start.kind === 'admit'
    ? {
        jobId,
        execution: 1,
        taskCount: start.admission.plan.taskCount,
        heldPence: start.admission.quote.heldPence,
      }
    : {
        jobId,
        execution: start.carry.execution,
        taskCount: start.carry.plan.taskCount,
        heldPence: start.carry.heldPence,
      };
}

function firstCarry(admitted: JobAdmission, requests: Requests): JobCarry {
  const decision = requests.decision;
  if (decision === null) throw new TypeError('not decided');
  const { accountId, accountPlan, jobType, simulator, provider, plan } = admitted;
  return {
    ...{ decision, accountId, accountPlan, jobType, simulator, provider, plan },
    execution: 1,
    ...{ state: 'SUBMITTED', reason: null, lastFailure: null, chargedPence: null },
    slots: Array.from({ length: plan.instances }, () => ({ generation: 1, open: false })),
    hasCapacity: false,
    partRuns: 0,
    recoveries: 0,
    transition: 0,
    verified: 0,
    failed: 0,
    cancelRequested: false,
    cancelReason: null,
    pauseRequested: null,
    heldPence: admitted.quote.heldPence,
  };
}
