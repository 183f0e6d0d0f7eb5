/**
 * The story of a job: admission, plan, capacity, instances, parts, ending. Money, instances and state are decided here;
 * tasks run in `jobPart` children. The endings are in job-endings.ts.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  ContinueAsNew,
  log,
  workflowInfo,
} from '@temporalio/workflow';
import type { JobAdmission, JobCarry, JobInput, JobOutcome } from '../src/contracts/job.ts';
import { partStarts } from '../src/domain/shards.ts';
import { JobEndings, jobOutcome, type FinalEnd } from './job-endings.ts';
import { admission, housekeeping, records, storage } from './lib/activities.ts';
import { continueInNextRun } from './lib/builds.ts';
import { tellParent } from './lib/tell-parent.ts';
import { Capacity } from './lib/capacity.ts';
import { causeForLog, leaveErrorToSweep } from './lib/collect-errors.ts';
import { firstCarry } from './lib/first-carry.ts';
import { Fleet, type FleetOwner } from './lib/fleet.ts';
import { isHistoryLong } from './lib/history-length.ts';
import { JobSignals } from './lib/job-signals.ts';
import { Parts, type PartsOwner } from './lib/parts.ts';
import { factsOf, Progress } from './lib/progress.ts';

/** End of the work of a run; job-endings.ts has a method for each. */
type End = FinalEnd | { readonly kind: 'paused' } | { readonly kind: 'continue' };

const LONGEST_IDLE_SECONDS = 60;
/** Why the instances of a run are given up that was lost. */
const CONTROL_LOST = 'CONTROL_LOST';
/** Why a job queues whose provider has no room. */
const NO_CAPACITY = 'NO_CAPACITY';
/** The pauses of such a job double, from the first to fifteen of it. */
const MOST_NO_ROOM_PAUSES = 15;

/**
 * A job, from admission to settlement.
 *
 * Signals: `cancel`, `pause`, `capacity`, `resume`, `endPause`, `drain`, `instanceHeard`. Update: `admitted`. Timer: looking for capacity.
 * Cancelling the workflow in the Temporal UI is the same as the signal. Continues as new when the history grows long
 * and while queued for long; what is done stands in Postgres, so a continued run finds only what is left.
 * A pause ends the run; the next message starts one from the rows of the job. The admission, commits and
 * the settlement are never cancelled. A run that was lost is taken up from the rows of the job: its carry says so. The next
 * execution of a resumed job is such a run, too, and begins when this one has ended.
 */
export async function job(input: JobInput): Promise<JobOutcome> {
  return new JobRun(input).run();
}

/** One run of the workflow: the admission or what an earlier run carried over, then the execution. */
class JobRun {
  readonly input: JobInput;
  readonly signals: JobSignals;
  readonly progress: Progress;

  constructor(input: JobInput) {
    this.input = input;
    this.signals = new JobSignals(() => this.progress.details);
    this.progress = new Progress(factsOf(input));
  }

  async run(): Promise<JobOutcome> {
    return CancellationScope.nonCancellable(async () => {
      const carry = await this.begin();
      try {
        const outcome = carry === null ? jobOutcome(this, null) : await new Execution(this, carry).run();
        await condition(allHandlersFinished);
        if (this.signals.resumed === null) return outcome;
      } catch (error) {
        if (this.signals.resumed === null) throw error;
        // A pause ends with a new run, which waits; the resume has come before that run.
        if (!(error instanceof ContinueAsNew))
          log.error('the execution before the resume left something undone', { error: causeForLog(error) });
      }
      return this.resume(this.signals.resumed);
    });
  }

  /** Goes on with the next execution; a cancel that has come since the resume is meant for that one. */
  private async resume(carry: JobCarry): Promise<never> {
    const { cancelRequested, cancelReason } = this.signals;
    const asked = cancelRequested ? { cancelRequested, cancelReason } : {};
    return continueInNextRun<typeof job>({
      ...this.input,
      start: { kind: 'continue', carry: { ...carry, ...asked } },
    });
  }

  private async begin(): Promise<JobCarry | null> {
    const { start } = this.input;
    if (start.kind === 'admit') return this.admit(start.admission);
    this.signals.restore(start.carry);
    this.progress.restore(start.carry);
    this.progress.show();
    return start.carry;
  }

  /** Null when the job was not admitted, or was admitted by another run. */
  private async admit(asked: JobAdmission): Promise<JobCarry | null> {
    const decision = await admission.admitJob(asked, workflowInfo().firstExecutionRunId);
    this.signals.decision = decision;
    await tellParent(decision);
    if (decision.kind === 'admitted') {
      if (decision.replay) return null;
      this.progress.show();
      return firstCarry(asked, decision);
    }
    // A refused submit leaves nothing behind, not even its stored request.
    const { jobId, requestKey } = asked;
    if (requestKey !== null)
      await leaveErrorToSweep(housekeeping.removeRefusedRequest({ jobId, requestKey }));
    return null;
  }
}

/** An execution in one run of the workflow: plan, capacity, instances, parts, until one of the ends is reached. */
class Execution {
  private readonly input: JobInput;
  private readonly carry: JobCarry;
  private readonly id: { readonly jobId: string; readonly execution: number };
  private readonly signals: JobSignals;
  private readonly progress: Progress;
  private readonly capacity: Capacity;
  private readonly fleet: Fleet;
  private readonly parts: Parts;
  /** Whether tasks, not only preparations, may run. */
  private runsTasks = false;
  /** Whether a run that was taken up plans again, because nobody knows whether the planning was refused. */
  private isPlanOpen = false;
  /** Rounds of parts in a row that decided no task. */
  private idleRounds = 0;
  /** How often in a row the provider had no room. */
  private shortages: number;
  /** Whether the control step is decided. */
  private isControlDecided = false;
  /** Whether the control step was undecided when Postgres was last asked. */
  private isControlOpen = false;
  /** Whether the merge was undecided, with something to merge, when Postgres was last asked. */
  private isMergeOpen = false;

  constructor({ input, signals, progress }: JobRun, carry: JobCarry) {
    this.input = input;
    this.carry = carry;
    this.id = { jobId: input.jobId, execution: carry.execution };
    this.signals = signals;
    this.progress = progress;
    this.shortages = carry.shortages;
    this.capacity = this.openCapacity();
    this.fleet = new Fleet(this.fleetOwner(), carry.slots);
    this.signals.instanceDrains = (slot, generation) => this.fleet.drain(slot, generation);
    this.signals.instanceHeard = (slot, generation) => this.fleet.heard(slot, generation);
    this.parts = new Parts(this.partsOwner(), this.fleet, carry.partRuns);
  }

  async run(): Promise<JobOutcome> {
    const { input, carry, signals, progress, capacity, fleet, parts } = this;
    const shortages = (): number => this.shortages;
    const endings = new JobEndings({ input, carry, signals, progress, capacity, fleet, parts, shortages });
    let end: End;
    try {
      end = await this.work();
    } catch (error) {
      return endings.failInternally(error);
    }
    if (end.kind === 'continue') return endings.continueAsNew();
    if (end.kind === 'paused') return progress.state === 'PAUSED' ? endings.stayPaused() : endings.pause();
    return endings.finish(end);
  }

  /** Everything between the admission and the ending. */
  private async work(): Promise<End> {
    if (this.carry.takenUp === true) await this.takeUp();
    if (this.progress.state === 'PAUSED') return { kind: 'paused' };
    if (this.progress.state === 'SUBMITTED' || this.isPlanOpen) {
      const refused = await this.plan();
      if (refused !== null) return refused;
    }
    for (;;) {
      const early = await this.earlyEnd();
      if (early !== null) return early;
      if (this.fleet.isStarved) await this.queueAgain();
      this.fleet.forgetShortage();
      if (!(await this.capacity.obtain())) continue;
      if (this.progress.state === 'QUEUED') await this.progress.enter('PROVISIONING', null);
      if (this.carry.plan.steps.includes('prepare')) {
        if (!(await this.parts.runStep('prepare'))) continue;
        const refused = await records.preparationFailure(this.id);
        if (refused !== null) return { kind: 'refused', ...refused };
      }
      if (this.carry.plan.requiresControl === true && !this.isControlDecided) {
        this.isControlDecided = await this.parts.runStep('control');
        if (!this.isControlDecided) continue;
        const missed = await records.controlMiss(this.id);
        if (missed !== null) return { kind: 'refused', ...missed };
      }
      if (await this.runTasksAndControl()) continue;
      if (await this.runMerge()) continue;
      if (this.signals.stopping() !== null) continue;
      if (await this.provesComplete()) return { kind: 'finished' };
    }
  }

  /** The provider has no room: the capacity is given back, and asked for again after a pause that grows as long as there is none. */
  private async queueAgain(): Promise<void> {
    await this.capacity.giveBackForNow();
    await this.progress.enter('QUEUED', NO_CAPACITY);
    const seconds = this.input.timing.noRoomSeconds * Math.min(2 ** this.shortages, MOST_NO_ROOM_PAUSES);
    this.shortages += 1;
    const options = { summary: 'before the provider is asked for room again' };
    await condition(() => this.signals.stopping() !== null, seconds * 1000, options);
  }

  /**
   * Goes on from the rows where an earlier run was lost. The instances of the lost run are given up, because nobody knows what
   * those instances were told to do, and their tasks are set back. An end that was begun is begun again, which finds what is left to be done.
   */
  private async takeUp(): Promise<void> {
    await this.outstandingParts();
    if (this.signals.cancelRequested) return;
    for (const [slot, { generation, open }] of this.carry.slots.entries())
      if (open) await this.fleet.replace(slot, generation, CONTROL_LOST);
    if (this.progress.state !== 'FINALIZING') return;
    // An execution whose planning was refused is FINALIZING as well, and is refused again.
    this.isPlanOpen = true;
    await this.progress.enter('RECOVERING', CONTROL_LOST);
  }

  /** Plans the tasks; answers the refusal of a job whose inputs cannot be used. */
  private async plan(): Promise<FinalEnd | null> {
    const planning = storage.planTasks({ ...this.id, plan: this.carry.plan });
    // Hashing gigabytes of input must not keep a cancel waiting; planning that ends after the cancel writes no tasks.
    const cancelled = condition(() => this.signals.cancelRequested).then(() => null);
    const planned = await Promise.race([planning, cancelled]);
    if (planned === null) planning.catch(() => undefined);
    else if (!planned.ok) return { kind: 'refused', code: planned.code, message: planned.message };
    else if (!this.isPlanOpen) await this.progress.enter('QUEUED', null);
    return null;
  }

  /** The end of a run whose work is not done: cancelled, paused, or continued because the history is long. */
  private async earlyEnd(): Promise<End | null> {
    const { signals } = this;
    if (signals.cancelRequested) return { kind: 'cancelled' };
    if (signals.pauseRequested !== null) {
      const parts = await this.outstandingParts();
      if (signals.stopping() === 'cancel') return { kind: 'cancelled' };
      // An open step alone does not pause the job, unless the step is what the service paused the job for.
      const isStepOpen = this.isControlOpen || this.isMergeOpen;
      if (parts.length > 0 || (signals.pauseCause !== null && isStepOpen)) return { kind: 'paused' };
      signals.pauseRequested = signals.pauseCause = null;
    }
    return this.isDraining() ? { kind: 'continue' } : null;
  }

  /** Runs the tasks and beside them the control step, which needs nothing of them; true when something is left to do. */
  private async runTasksAndControl(): Promise<boolean> {
    if (this.isControlDecided || !this.carry.plan.steps.includes('control')) return this.runTasks();
    const [isTaskLeft, isDecided] = await Promise.all([this.runTasks(), this.parts.runStep('control')]);
    this.isControlDecided = isDecided;
    return isTaskLeft || !isDecided;
  }

  /** Runs the parts that have undecided tasks; false when there are none. */
  private async runTasks(): Promise<boolean> {
    if (this.signals.stopping() !== null) return true;
    const parts = await this.outstandingParts();
    if (this.signals.stopping() !== null) return true;
    if (parts.length === 0) return false;
    this.runsTasks = true;
    if (this.fleet.openCount > 0) await this.progress.enter('RUNNING', null);
    const decided = this.progress.decided;
    await this.parts.run(parts);
    this.idleRounds =
      this.progress.decided > decided || this.isDraining() || this.fleet.isStarved ? 0 : this.idleRounds + 1;
    // A round that decides nothing is not repeated at once, whatever the reason is.
    if (this.idleRounds > 0) await this.pauseBetweenRounds();
    return true;
  }

  /** Runs the merge, once every task is decided and one is verified; true when the merge is left to do. */
  private async runMerge(): Promise<boolean> {
    if (!this.isMergeOpen) return false;
    this.runsTasks = true;
    if (this.fleet.openCount > 0) await this.progress.enter('RUNNING', null);
    return !(await this.parts.runStep('merge'));
  }

  private async pauseBetweenRounds(): Promise<void> {
    const seconds = Math.min(2 ** this.idleRounds, LONGEST_IDLE_SECONDS);
    const options = { summary: 'before the next round' };
    await condition(() => this.signals.stopping() !== null, seconds * 1000, options);
  }

  /** The parts that have undecided tasks. The row's cancel request is read with them: the signal may have been lost. */
  private async outstandingParts(): Promise<readonly number[]> {
    const left = await records.outstanding({ ...this.id, partStarts: partStarts(this.carry.plan) });
    if (left.cancelRequested) this.signals.cancel(left.cancelReason);
    this.isControlOpen = left.controlOpen;
    this.isMergeOpen = left.mergeOpen;
    return left.parts;
  }

  /** Whether the store has every output that the job's rows name; a task or step whose output is missing is set back. */
  private async provesComplete(): Promise<boolean> {
    await this.progress.enter('FINALIZING', null);
    const { setBack, standing } = await storage.checkCompleteness(this.id);
    if (standing === null) return true;
    this.progress.replaceCounts(standing.verified, standing.failed);
    if (standing.steps.includes('control')) this.isControlDecided = false;
    this.progress.lastFailure = `outputs of ${String(setBack)} tasks missing or changed in the store`;
    await this.progress.enter('RECOVERING', 'OUTPUTS_MISSING');
    return false;
  }

  /** Whether this run takes up nothing new, because the next run of the workflow is to do it. */
  private isDraining(): boolean {
    return isHistoryLong(this.input.maxHistoryEvents);
  }

  private openCapacity(): Capacity {
    const { accountId, accountPlan, plan } = this.carry;
    const vcpus = plan.instances * plan.vcpusPerInstance;
    const byInstance = plan.instances > 1 ? { stepVcpus: plan.vcpusPerInstance } : {};
    const { instanceClass, gpusPerInstance, licence } = plan;
    const ofClass = {
      ...(instanceClass !== undefined && { instanceClass }),
      ...(gpusPerInstance !== undefined && { stepGpus: gpusPerInstance }),
      ...(licence !== undefined && { licence }),
    };
    const need = { ...this.id, accountId, accountPlan, vcpus, ...byInstance, ...ofClass };
    const { signals, progress } = this;
    const pollSeconds = this.input.timing.capacityPollSeconds;
    const job = { signals, progress, pollSeconds, draining: () => this.isDraining() };
    return new Capacity(need, job, this.carry);
  }

  private fleetOwner(): FleetOwner {
    const { provider, plan } = this.carry;
    return {
      ...this.id,
      provider,
      slotsPerInstance: plan.slotsPerInstance,
      vcpusPerInstance: plan.vcpusPerInstance,
      ...(plan.gpusPerInstance === undefined ? {} : { gpusPerInstance: plan.gpusPerInstance }),
      ...(plan.instanceClass === undefined ? {} : { instanceClass: plan.instanceClass }),
      stopping: () => this.signals.stopping() !== null,
      draining: () => this.isDraining(),
      pauseJob: (cause) => this.signals.pauseFor(cause),
      instanceEnded: () => this.capacity.reduceBy(plan.vcpusPerInstance),
      fleetChanged: async (open, lost) => {
        if (lost !== null) this.progress.countRecovery(lost);
        if (open > 0) this.shortages = 0;
        if (this.signals.stopping() !== null) return;
        if (open === 0) await this.progress.enter('RECOVERING', lost);
        else if (this.runsTasks) await this.progress.enter('RUNNING', null);
      },
    };
  }

  /** Counts the instances that the granted vCPUs are for; limits may have cut those of the plan. */
  private grantedInstances(): number {
    const { instances, vcpusPerInstance } = this.carry.plan;
    const { grantedVcpus } = this.capacity;
    return Math.max(1, Math.min(instances, Math.floor(grantedVcpus / vcpusPerInstance)));
  }

  private partsOwner(): PartsOwner {
    return {
      ...this.id,
      plan: this.carry.plan,
      coversDispatch: this.carry.coversDispatch === true,
      instances: () => this.grantedInstances(),
      growth: this.capacity,
      timing: this.input.timing,
      maxHistoryEvents: this.input.maxHistoryEvents,
      draining: () => this.isDraining(),
      stopping: () => this.signals.stopping(),
      partsAtWork: (open) => this.progress.showPartsAtWork(open),
      partEnded: (verified, failed) => this.progress.addCounts(verified, failed),
      holdRefused: ({ reason, cause }) => this.signals.pauseFor(cause, reason),
      partFailed: () => void (this.signals.failing = true),
    };
  }
}
