/**
 * One run or batch of docking with the job that works on it. The job is a child that is left alone when this workflow is
 * terminated. A job that pauses ends its run, and a job that is resumed or taken up runs without a parent; the rows of the job
 * are looked at in every case, so that a job is followed until its end whoever runs it.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  ParentClosePolicy,
  type ChildWorkflowHandle,
  type ChildWorkflowOptions,
  setCurrentDetails,
  setHandler,
  startChild,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { DOCKING_MESSAGES } from '../../src/contracts/docking.ts';
import type {
  DockingProgress,
  DockingWorkInput,
  DockingWorkOutcome,
  ShownJob,
} from '../../src/contracts/docking.ts';
import type { AdmissionDecision, JobInput } from '../../src/contracts/job.ts';
import { jobSearchAttributes } from '../../src/contracts/job-visibility.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import { backOff } from '../../src/domain/back-off.ts';
import { isTerminal, type JobState } from '../../src/domain/job-state.ts';
import type { job } from '../job.ts';
import { continueInNextRun } from './builds.ts';
import { cancels, looks } from './docking-activities.ts';
import { isHistoryLong } from './history-length.ts';

/** Update: waits for the decision about the job and returns the decision. */
export const dockingAdmittedUpdate = defineUpdate<AdmissionDecision>(DOCKING_MESSAGES.admitted);
/** Signal: the decision, from the child. */
export const dockingDecidedSignal = defineSignal<[AdmissionDecision]>(DOCKING_MESSAGES.decided);
/** Query: the current details in Markdown. */
export const dockingDetailsQuery = defineQuery<string>(DOCKING_MESSAGES.details);

const JOB_STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 5 * 60_000;
/** How long the admission of a sample may take; nobody waits for the admission. */
const SAMPLE_ADMIT_MS = 60 * 60_000;
const CANCELLED_BY_OPERATOR = 'cancelled by an operator';

/** One run of the workflow: the start of the child or what an earlier run carried over, then following the job. */
export class DockingWork {
  private readonly input: DockingWorkInput;
  private decision: AdmissionDecision | null = null;
  private cancelRequested = false;
  private cancelSent = false;
  /** Whether the child has ended since the job was last looked at. */
  private childEnded = false;
  private shown: JobState = 'SUBMITTED';
  private details = '';

  constructor(input: DockingWorkInput) {
    this.input = input;
    setHandler(dockingAdmittedUpdate, () => this.decided());
    setHandler(dockingDecidedSignal, (decision) => void (this.decision ??= decision));
    setHandler(dockingDetailsQuery, () => this.details);
    CancellationScope.current().cancelRequested.catch(() => void (this.cancelRequested = true));
  }

  async run(): Promise<DockingWorkOutcome> {
    return CancellationScope.nonCancellable(async () => {
      const { start } = this.input;
      if (start.kind === 'begin') await this.begin(start.job, start.shown);
      else this.restore(start);
      await condition(() => this.decision !== null || this.childEnded);
      // A job that has ended without a word was never admitted: another run of the job runs already.
      this.decision ??= { kind: 'expired' };
      const state = this.decision.kind === 'admitted' ? await this.follow(this.decision) : null;
      if (state === 'SUCCEEDED' || state === 'PARTIALLY_SUCCEEDED') await this.runSamples();
      await condition(allHandlersFinished);
      return { decision: this.decision.kind, state };
    });
  }

  /** Starts the job. A job that runs already is not this workflow's child, and is followed by its rows all the same. */
  private async begin(input: JobInput, shown: ShownJob): Promise<void> {
    try {
      const child = await startChild<typeof job>('job', { ...asChild(input, shown), args: [input] });
      const end = (): void => void (this.childEnded = true);
      child.result().then(end, end);
    } catch {
      this.childEnded = true;
    }
  }

  /** Docks the sample again, one job after the other. Nobody pays for these jobs, and their end changes nothing of the batch. */
  private async runSamples(): Promise<void> {
    for (const { job: input, shown } of this.input.samples ?? []) {
      if (this.cancelRequested) return;
      const child = await this.startSample(input, shown);
      if (child === null) continue;
      const sample = { ended: false };
      const end = (): void => void (sample.ended = true);
      child.result().then(end, end);
      await condition(() => sample.ended || this.cancelRequested);
      if (!sample.ended) await this.cancelSample(input.jobId);
      await condition(() => sample.ended);
    }
  }

  private async cancelSample(jobId: string): Promise<void> {
    const { accountId } = this.input;
    await cancels.cancelDockingJob({ jobId, accountId, reason: CANCELLED_BY_OPERATOR });
  }

  /** Null where the job runs or has run already. Its admission is of the time of the batch, so it gets another time limit. */
  private async startSample(
    input: JobInput,
    shown: ShownJob,
  ): Promise<ChildWorkflowHandle<typeof job> | null> {
    const { start } = input;
    if (start.kind !== 'admit') return null;
    const admitBy = new Date(Date.now() + SAMPLE_ADMIT_MS).toISOString();
    try {
      return await startChild<typeof job>('job', {
        ...asChild(input, shown),
        args: [{ ...input, start: { ...start, admission: { ...start.admission, admitBy } } }],
      });
    } catch {
      return null;
    }
  }

  private restore({
    decision,
    cancelRequested,
  }: Extract<DockingWorkInput['start'], { kind: 'continue' }>): void {
    this.decision = decision;
    this.cancelRequested ||= cancelRequested;
  }

  /** Looks at the job until it has ended, and passes a cancel on. */
  private async follow(decision: AdmissionDecision): Promise<JobState> {
    const { jobId, accountId, maxHistoryEvents } = this.input;
    const pauses = backOff(FIRST_LOOK_MS, LONGEST_LOOK_MS);
    for (;;) {
      this.childEnded = false;
      const progress = await looks.lookAtDockingJob({ jobId });
      this.show(progress);
      if (isTerminal(progress.state)) return progress.state;
      if (this.cancelRequested && !this.cancelSent) {
        this.cancelSent = true;
        await cancels.cancelDockingJob({ jobId, accountId, reason: CANCELLED_BY_OPERATOR });
      }
      if (isHistoryLong(maxHistoryEvents)) return this.continueAsNew(decision);
      await condition(
        () => this.childEnded || (this.cancelRequested && !this.cancelSent),
        pauses.next().value,
        { summary: 'until the job is looked at' },
      );
    }
  }

  private async continueAsNew(decision: AdmissionDecision): Promise<never> {
    await condition(allHandlersFinished);
    const { cancelRequested } = this;
    return continueInNextRun<(input: DockingWorkInput) => Promise<DockingWorkOutcome>>({
      ...this.input,
      start: { kind: 'continue', decision, cancelRequested },
    });
  }

  private show({ state, total, succeeded, failed, bestAffinityKcalMol }: DockingProgress): void {
    if (state !== this.shown) upsertSearchAttributes([{ key: JOB_STATUS, value: state }]);
    this.shown = state;
    const best = bestAffinityKcalMol === null ? 'none yet' : `${bestAffinityKcalMol.toFixed(2)} kcal/mol`;
    this.details = [
      `**${state}**, job \`${this.input.jobId}\``,
      `ligands: ${succeeded} of ${total} docked, ${failed} failed`,
      `best affinity: ${best}`,
    ].join('\n\n');
    setCurrentDetails(`${this.details}\n\n\u00a0`);
  }

  private async decided(): Promise<AdmissionDecision> {
    for (;;) {
      if (this.decision !== null) return this.decision;
      await condition(() => this.decision !== null);
    }
  }
}

/** Makes the options of a job that starts as the child of its run or batch. */
function asChild(input: JobInput, shown: ShownJob): ChildWorkflowOptions {
  return {
    workflowId: jobWorkflowId(input.jobId),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    parentClosePolicy: ParentClosePolicy.ABANDON,
    typedSearchAttributes: jobSearchAttributes({ ...shown, status: 'SUBMITTED', recoveries: 0 }),
    staticSummary: shown.summary,
    staticDetails: shown.details,
  };
}
