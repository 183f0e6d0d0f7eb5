/**
 * Uploads outputs to the staging prefix. The store checks length and digest of each PUT. An upload is repeated until an
 * outage of the store or the gateway is over. The task fails when the bytes differ from those that were hashed, and when
 * the outputs are larger than the task may have.
 */
import { createReadStream } from 'node:fs';

import pLimit from 'p-limit';
import { Agent, request } from 'undici';

import type { WorkKind } from '../contracts/job.ts';
import { tellsFullStore } from '../domain/full-store.ts';
import type { FoundOutput } from './outputs.ts';
import { OutputError, OutputLimitError, orAborted, RefusedError, repeat, TooLargeError } from './repeat.ts';
import type { UploadUrlBatcher } from './upload-url-batcher.ts';

/** The task whose outputs are staged. */
export interface StagingTask {
  readonly kind: WorkKind;
  readonly ordinal: number;
  /** Whether the task is the last of its shard, so that the shard waits for the outputs. */
  readonly isUrgent: boolean;
}

/** Uploads the outputs of tasks. */
export interface Stager {
  /**
   * Uploads the outputs of a task; returns when every output is in the store.
   * @throws OutputError when a file has changed since it was hashed; OutputLimitError when the gateway takes no more of the
   * task; FencedError, RefusedError; the signal's reason.
   */
  stage(task: StagingTask, outputs: readonly FoundOutput[], signal: AbortSignal): Promise<void>;
  /** Whether the store has refused an output for want of room since this was asked last. */
  wasStoreFull(): boolean;
  close(): Promise<void>;
}

const PARALLEL_UPLOADS = 16;
const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** Opens a stager; its connections are kept alive between uploads. */
export function createStager(batcher: UploadUrlBatcher): Stager {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    connections: PARALLEL_UPLOADS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    keepAliveTimeout: 30_000,
  });
  const limit = pLimit(PARALLEL_UPLOADS);
  let isFull = false;

  async function stage(
    task: StagingTask,
    outputs: readonly FoundOutput[],
    signal: AbortSignal,
  ): Promise<void> {
    const files = outputs.map(({ staged: { name, byteSize, sha256 } }) => ({
      ordinal: task.ordinal,
      name,
      byteSize,
      sha256,
    }));
    const uploads = await orAborted(signal, batcher.request(task.kind, files, task.isUrgent)).catch(limitOf);
    await Promise.all(outputs.map((output, index) => limit(() => upload(output, index))));

    async function upload(output: FoundOutput, index: number): Promise<void> {
      let target = uploads[index];
      await repeat(signal, async () => {
        const file = files[index];
        // A URL may have expired while the store was out of reach, so each repetition asks for a new URL.
        if (target === undefined && file !== undefined)
          [target] = await orAborted(signal, batcher.request(task.kind, [file], true)).catch(limitOf);
        if (target === undefined) throw new RefusedError('There is no URL for an output.');
        const { url, headers } = target;
        target = undefined;
        const refusal = await put(agent, url, headers, output, signal);
        if (refusal === null) return;
        isFull ||= tellsFullStore(refusal.status, refusal.text);
        throw new Error(`The store answered ${refusal.status}.`);
      });
    }
  }

  const wasStoreFull = (): boolean => {
    const was = isFull;
    isFull = false;
    return was;
  };

  return { stage, wasStoreFull, close: () => agent.destroy() };
}

/** The error that a refused request for URLs means: a refusal for size fails the task, other errors the instance. */
function limitOf(error: unknown): never {
  throw error instanceof TooLargeError ? new OutputLimitError(error.message) : error;
}

/** Sends an output. @returns what the store answered when it refused, which a repetition may cure; null when it took the output. */
async function put(
  dispatcher: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  output: FoundOutput,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string } | null> {
  const answer = await request(url, {
    method: 'PUT',
    dispatcher,
    signal,
    headers: { ...headers, 'content-length': String(output.staged.byteSize) },
    body: output.bytes ?? createReadStream(output.path),
  });
  const text = await answer.body.text();
  if (answer.statusCode < 300) return null;
  if (/BadDigest|IncompleteBody|XAmzContentSHA256Mismatch/.test(text)) {
    throw new OutputError(`The output ${output.staged.name} changed while it was staged.`);
  }
  return { status: answer.statusCode, text };
}
