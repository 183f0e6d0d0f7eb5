import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  defineUpdate,
  setHandler,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { UPLOAD_MESSAGES } from '../src/contracts/upload.ts';
import type {
  CompletionRequest,
  UploadCarry,
  UploadDecision,
  UploadEnd,
  UploadInput,
  UploadOutcome,
  UploadResult,
  UploadTerms,
} from '../src/contracts/upload.ts';
import type { ErrorCode } from '../src/domain/errors.ts';
import type { UploadState } from '../src/domain/uploads.ts';
import { isHistoryLong } from './lib/history-length.ts';
import { runInterruptible } from './lib/interruptible.ts';
import { continueInNextRun } from './lib/builds.ts';
import {
  assemblyWithin,
  clearing,
  hashingWithin,
  opening,
  openingWithin,
  records,
} from './lib/upload-activities.ts';
import { showUpload, showUploadState } from './lib/upload-view.ts';

/** Update: waits for the opening's decision and returns it. */
export const openedUpdate = defineUpdate<UploadDecision>(UPLOAD_MESSAGES.opened);
/** Update: requests the completion, and waits for its outcome. */
export const completeUpdate = defineUpdate<UploadOutcome, [CompletionRequest]>(UPLOAD_MESSAGES.complete);
/** Update: requests an abort, and waits for its outcome. */
export const abortUpdate = defineUpdate<UploadOutcome>(UPLOAD_MESSAGES.abort);
/** Query: the current details in Markdown. */
export const uploadDetailsQuery = defineQuery<string>(UPLOAD_MESSAGES.details);

const ABORTED = 'The upload was aborted. Start a new one.';
const EXPIRED = 'The upload was not completed in time. Start a new one.';
const OTHER_SIZE =
  'The stored object has another size than announced and was removed. Upload the file again.';
const OTHER_DIGEST =
  'The stored object has another SHA-256 than announced and was removed. Upload the file again.';

/** A completion whose update handler waits for the outcome. */
interface PendingCompletion {
  readonly request: CompletionRequest;
  outcome: UploadOutcome | null;
}

/**
 * A multipart upload, from the reservation of its room to its one end: completed, failed, aborted or expired.
 *
 * Updates: `opened`, `complete`, `abort`; their handlers only wait, and the main function carries out one request after the
 * other. An abort and the expiry interrupt an activity that is under way, also one that the store refuses again and again.
 * Cancelling in the Temporal UI aborts. Continues as new when the history grows long. Parts and their digests are in the
 * store and in Postgres, never in the history. Every end but COMPLETED leaves nothing in the store.
 */
export async function upload(input: UploadInput): Promise<UploadResult> {
  return new UploadRun(input).run();
}

class UploadRun {
  private readonly input: UploadInput;
  private readonly facts: UploadTerms | UploadCarry;
  private readonly pending: PendingCompletion[] = [];
  private abortRequested = false;
  private decision: UploadDecision | null = null;
  private end: UploadEnd | null = null;
  /** Whether this run decides nothing more. */
  private over = false;
  private completions = 0;
  private lastCode: string | null = null;
  private state: UploadState = 'OPENING';
  private details = '';

  constructor(input: UploadInput) {
    this.input = input;
    this.facts = input.start.kind === 'open' ? input.start.terms : input.start.carry;
    setHandler(openedUpdate, () => this.whenDecided());
    setHandler(completeUpdate, (request) => this.whenCompleted(request));
    setHandler(abortUpdate, () => this.whenAborted());
    setHandler(uploadDetailsQuery, () => this.details);
    // Cancelling in the Temporal UI is the same as the update `abort`.
    CancellationScope.current().cancelRequested.catch(() => void (this.abortRequested = true));
  }

  async run(): Promise<UploadResult> {
    return CancellationScope.nonCancellable(async () => {
      try {
        const carry = await this.begin();
        if (carry !== null) this.end = await this.live(carry);
      } finally {
        this.over = true;
      }
      if (this.end !== null) this.show(this.end.state);
      await condition(allHandlersFinished);
      return { decision: this.decision?.kind ?? 'expired', state: this.end?.state ?? null };
    });
  }

  /** Opens the upload, or takes up what an earlier run carried. Null: the upload was not opened, or has ended before. */
  private async begin(): Promise<UploadCarry | null> {
    const { start } = this.input;
    if (start.kind === 'continue') {
      this.decision = start.carry.decision;
      return start.carry;
    }
    const decision = await this.open(start.terms);
    this.decision = decision;
    if (decision?.kind !== 'opened' || decision.replay) return null;
    const { uploadId, partCount, byteSize, provider } = start.terms;
    return { uploadId, partCount, byteSize, provider, expiresAt: decision.expiresAt, decision };
  }

  /** Opens the upload. Null: the opening was given up, which is the end of the upload. */
  private async open(terms: UploadTerms): Promise<UploadDecision | null> {
    const { firstExecutionRunId: runId, startTime } = workflowInfo();
    try {
      return await opening.openUpload(terms, runId);
    } catch (error) {
      // Only a failure of the activity is followed by further attempts; an error of the workflow's own code is thrown.
      if (!(error instanceof TemporalFailure)) throw error;
    }
    const expiresAt = new Date(startTime.getTime() + terms.expirySeconds * 1000).toISOString();
    this.show('OPENING', expiresAt);
    const { openUpload } = openingWithin(leftMs(expiresAt));
    // The attempt that is under way is waited for, because the attempt may still write the rows.
    const done = await runInterruptible(() => openUpload(terms, runId), this.abortRequest(), {
      awaitsCancelled: true,
    });
    if (done === null) this.end = await this.giveUp(expiresAt);
    return done?.value ?? null;
  }

  /** Carries out requests until the upload has ended. */
  private async live(carry: UploadCarry): Promise<UploadEnd> {
    this.show('OPEN', carry.expiresAt);
    for (;;) {
      const left = leftMs(carry.expiresAt);
      const awake = (): boolean => this.pending.length > 0 || this.abortRequested || this.mayContinue();
      const woken = left > 0 ? await condition(awake, left, { summary: 'expiry' }) : awake();
      const completion = this.pending.shift();
      if (this.abortRequested) return this.close('ABORTED', 'UPLOAD_ABORTED', ABORTED);
      if (completion !== undefined) {
        const end = await this.complete(completion, carry);
        if (end !== null) return end;
      } else if (!woken) {
        return this.close('EXPIRED', 'UPLOAD_EXPIRED', EXPIRED);
      } else {
        return continueInNextRun<typeof upload>({ ...this.input, start: { kind: 'continue', carry } });
      }
    }
  }

  /** Carries out one completion; null when the completion was refused and the upload is still open. */
  private async complete(completion: PendingCompletion, carry: UploadCarry): Promise<UploadEnd | null> {
    const { uploadId } = carry;
    this.completions += 1;
    const { assembleUpload } = assemblyWithin(leftMs(carry.expiresAt));
    const done = await runInterruptible(
      () => assembleUpload({ uploadId, request: completion.request }),
      this.abortRequest(),
    );
    if (done === null) return this.giveUp(carry.expiresAt);
    const assembly = done.value;
    switch (assembly.kind) {
      case 'refused':
        this.lastCode = assembly.code;
        completion.outcome = { kind: 'refused', code: assembly.code, message: assembly.message };
        this.show('OPEN', carry.expiresAt);
        return null;
      case 'failed':
        return this.close('FAILED', assembly.code, assembly.message);
      case 'ended':
        return assembly.end;
      case 'assembled':
        return this.verify(assembly.sha256, carry);
      default:
        return assembly satisfies never;
    }
  }

  /** Compares the stored bytes with the announced digest, where there is one, and releases the key. */
  private async verify(announced: string | null, carry: UploadCarry): Promise<UploadEnd> {
    const { uploadId } = carry;
    if (announced !== null) {
      this.show('VERIFYING', carry.expiresAt);
      const { hashStoredUpload } = hashingWithin(leftMs(carry.expiresAt), carry.byteSize);
      const done = await runInterruptible(() => hashStoredUpload({ uploadId }), this.abortRequest());
      if (done === null) return this.giveUp(carry.expiresAt);
      const digest = done.value;
      if (digest.byteSize !== carry.byteSize) return this.close('FAILED', 'SIZE_MISMATCH', OTHER_SIZE);
      if (digest.sha256 !== announced) return this.close('FAILED', 'CHECKSUM_MISMATCH', OTHER_DIGEST);
    }
    return records.releaseUpload({ uploadId, sha256: announced });
  }

  /** Ends an upload whose activity was given up: as aborted after a request to abort, else as expired when its time is over. */
  private async giveUp(expiresAt: string): Promise<UploadEnd> {
    const left = leftMs(expiresAt);
    if (!this.abortRequested && left > 0)
      await condition(() => this.abortRequested, left, { summary: 'expiry' });
    if (this.abortRequested) return this.close('ABORTED', 'UPLOAD_ABORTED', ABORTED);
    return this.close('EXPIRED', 'UPLOAD_EXPIRED', EXPIRED);
  }

  /** Removes everything from the store and gives the room back; answers the end that was recorded first. */
  private close(
    state: 'FAILED' | 'ABORTED' | 'EXPIRED',
    code: ErrorCode,
    message: string,
  ): Promise<UploadEnd> {
    return clearing.closeUpload({ uploadId: this.facts.uploadId, state, code, message });
  }

  private abortRequest(): Promise<void> {
    return condition(() => this.abortRequested);
  }

  private async whenDecided(): Promise<UploadDecision> {
    await condition(() => this.decision !== null || this.over);
    return this.decision ?? { kind: 'expired' };
  }

  private async whenCompleted(request: CompletionRequest): Promise<UploadOutcome> {
    const completion: PendingCompletion = { request, outcome: null };
    this.pending.push(completion);
    await condition(() => completion.outcome !== null || this.over);
    return completion.outcome ?? this.ended();
  }

  private async whenAborted(): Promise<UploadOutcome> {
    this.abortRequested = true;
    await condition(() => this.over);
    return this.ended();
  }

  private ended(): UploadOutcome {
    if (this.end !== null) return { kind: 'ended', end: this.end };
    // The API then reads the upload's row, and asks another run when the upload is still open.
    throw ApplicationFailure.nonRetryable('The run ended without deciding this.');
  }

  private mayContinue(): boolean {
    return isHistoryLong(this.input.maxHistoryEvents) && allHandlersFinished();
  }

  private show(state: UploadState, expiresAt: string | null = null): void {
    if (state !== this.state) showUploadState(state);
    this.state = state;
    if (this.end !== null && this.end.state !== 'COMPLETED') this.lastCode = this.end.code;
    const { byteSize, partCount, provider } = this.facts;
    const { completions, lastCode } = this;
    this.details = showUpload({ state, byteSize, partCount, provider, expiresAt, completions, lastCode });
  }
}

function leftMs(expiresAt: string): number {
  return Date.parse(expiresAt) - Date.now();
}
