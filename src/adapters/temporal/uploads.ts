/**
 * Messages to upload workflows. A message starts the workflow when none runs: the first message of an upload opens it,
 * and a later message revives an upload whose workflow was lost, from what the upload's row knows.
 */
import { randomUUID } from 'node:crypto';

import { WithStartWorkflowOperation } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { CONTROL_QUEUE, uploadWorkflowId } from '../../contracts/names.ts';
import { UPLOAD_MESSAGES } from '../../contracts/upload.ts';
import type {
  CompletionRequest,
  UploadCarry,
  UploadDecision,
  UploadInput,
  UploadOutcome,
  UploadTerms,
} from '../../contracts/upload.ts';
import { isRunning, noAnswerOf, openTemporal } from './connection.ts';
import type { NoAnswer, TemporalClient, TemporalSettings } from './connection.ts';

/** An answer of the workflow, or why there is none. */
export type UploadAnswer<T> = { readonly kind: 'decided'; readonly decision: T } | NoAnswer;

/** The facts of an upload that every message carries. */
export interface UploadFacts {
  readonly accountId: string;
  readonly carry: UploadCarry;
}

/** Messages to upload workflows. */
export interface UploadWorkflows {
  /** Starts the upload's workflow, or joins the one that runs, and waits for the opening's decision. */
  open(terms: UploadTerms, waitMs: number): Promise<UploadAnswer<UploadDecision>>;
  complete(
    facts: UploadFacts,
    request: CompletionRequest,
    waitMs: number,
  ): Promise<UploadAnswer<UploadOutcome>>;
  abort(facts: UploadFacts, waitMs: number): Promise<UploadAnswer<UploadOutcome>>;
  /** Whether a workflow of the upload runs. Throws when Temporal does not answer. */
  isOpen(uploadId: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Message<Args extends unknown[]> {
  readonly name: string;
  readonly args: Args;
  readonly accountId: string;
  readonly input: UploadInput;
  readonly waitMs: number;
}

/** The number of history events after which a workflow continues as new, where the configuration names none. */
const MAX_HISTORY_EVENTS = 8_000;

const ACCOUNT_ID = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const PROVIDER = defineSearchAttributeKey('Provider', SearchAttributeType.KEYWORD);

/** Makes the messenger; nothing is sent before the first call. */
export function createUploadWorkflows(
  settings: TemporalSettings & { readonly maxHistoryEvents?: number },
): UploadWorkflows {
  const temporal = openTemporal(settings);
  const { maxHistoryEvents = MAX_HISTORY_EVENTS } = settings;
  const revive = (carry: UploadCarry): UploadInput => ({
    maxHistoryEvents,
    start: { kind: 'continue', carry },
  });
  return {
    open: (terms, waitMs) =>
      send<UploadDecision, []>(temporal, {
        name: UPLOAD_MESSAGES.opened,
        args: [],
        accountId: terms.accountId,
        input: { maxHistoryEvents, start: { kind: 'open', terms } },
        waitMs,
      }),
    complete: ({ accountId, carry }, request, waitMs) =>
      send<UploadOutcome, [CompletionRequest]>(temporal, {
        name: UPLOAD_MESSAGES.complete,
        args: [request],
        accountId,
        input: revive(carry),
        waitMs,
      }),
    abort: ({ accountId, carry }, waitMs) =>
      send<UploadOutcome, []>(temporal, {
        name: UPLOAD_MESSAGES.abort,
        args: [],
        accountId,
        input: revive(carry),
        waitMs,
      }),
    isOpen: (uploadId) => isRunning(temporal, uploadWorkflowId(uploadId)),
    close: () => temporal.connection.close(),
  };
}

async function send<T, Args extends unknown[]>(
  { connection, client }: TemporalClient,
  message: Message<Args>,
): Promise<UploadAnswer<T>> {
  const { start } = message.input;
  const facts = start.kind === 'open' ? start.terms : start.carry;
  const operation = new WithStartWorkflowOperation('upload', {
    workflowId: uploadWorkflowId(facts.uploadId),
    taskQueue: CONTROL_QUEUE,
    // The workflow run that has ended was a refused upload, or an upload that its own row remembers; both may start
    // again.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [message.input],
    typedSearchAttributes: [
      { key: ACCOUNT_ID, value: message.accountId },
      { key: STATUS, value: 'OPENING' },
      { key: PROVIDER, value: facts.provider },
    ],
    staticSummary: `upload of ${facts.byteSize} bytes in ${facts.partCount} parts`,
    // The details never contain the name of the file, because operators of another company may read them.
    staticDetails: `Upload \`${facts.uploadId}\` of account \`${message.accountId}\``,
  });
  try {
    const decision = await connection.withDeadline(Date.now() + message.waitMs, () =>
      client.workflow.executeUpdateWithStart<(...args: unknown[]) => Promise<unknown>, T, Args>(
        message.name,
        {
          // With a fixed id Temporal would answer the refusal of an earlier message.
          updateId: randomUUID(),
          args: message.args,
          startWorkflowOperation: operation,
        },
      ),
    );
    return { kind: 'decided', decision };
  } catch (error) {
    return noAnswerOf(error);
  }
}
