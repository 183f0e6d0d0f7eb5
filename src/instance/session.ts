/**
 * A warm tool process that does many tasks, one at a time, under limits. However it misbehaves, its task ends with a
 * code, and when the session is over nothing of it is left. A task that the tool itself reports as failed leaves the
 * session usable; after a crash, a limit or a stop it is over.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';

import type { TaskLimits } from '../contracts/instance.ts';
import { FAILURE_CODE, FAILURE_MESSAGE_CHARACTERS } from '../contracts/reports.ts';
import type { SessionMessage, SessionRequest } from '../tools/session-protocol.ts';
import type { SessionCommand } from '../tools/tool.ts';
import { startContained } from './containment.ts';
import type { Contained, ExitFacts } from './containment.ts';
import { deferred } from './deferred.ts';
import { watchDisk } from './disk-watch.ts';
import type { LogCollector } from './log-collector.ts';
import { residentBytesOf } from './process-table.ts';
import { readMessages, sendRequest } from './session-channel.ts';

/** A task as the session does it. */
export type SessionTask = Extract<SessionRequest, { type: 'task' }>;

/** An output as the tool tells it. */
export type ReportedOutput = Extract<SessionMessage, { type: 'done' }>['outputs'][number];

/** How a task ended in the tool. */
export type TaskOutcome =
  | {
      readonly end: 'done';
      readonly outputs: readonly ReportedOutput[];
      readonly summary: Readonly<Record<string, unknown>> | null;
    }
  | {
      readonly end: 'failed';
      readonly code: string;
      readonly message: string;
      /** How the process ended when nobody here ended it: by the system's hand, or by itself. */
      readonly death?: 'killed' | 'exited';
    }
  | { readonly end: 'stopped' }
  /** The instance could not run the tool at all; says nothing about the task. */
  | { readonly end: 'unstarted'; readonly reason: string };

/** What running a task tells while it goes on. */
export interface TaskHooks {
  readonly log: LogCollector;
  readonly onProgress: (percent: number) => void;
}

/** How a session is started. */
export interface SessionOptions {
  readonly command: SessionCommand;
  readonly open: Extract<SessionRequest, { type: 'open' }>;
  /** The session's own folder; the tasks' folders are below. */
  readonly folder: string;
  /** Names the instance; the rest of the marker is drawn. */
  readonly instanceId: string;
}

const WATCH_MS = 500;
/** A tool that prints more than this in one task is killed. */
const MOST_PRINTED_BYTES = 256 * 1024 * 1024;
const STOP_GRACE_SECONDS = 1;
const LAST_WORDS_MS = 200;
/** A tool that leaves more files and folders than this is killed: looking at them has to end. */
const MOST_ENTRIES = 100_000;
const TOO_MANY = `made more than ${MOST_ENTRIES} files`;

interface CurrentTask {
  readonly id: string;
  readonly limits: TaskLimits;
  readonly hooks: TaskHooks;
  readonly folder: string;
  readonly printedBefore: number;
  readonly settle: (outcome: TaskOutcome) => void;
}

/** A running tool process. */
export class ToolSession {
  readonly #contained: Contained;
  readonly #input: Writable;
  #current: CurrentTask | null = null;
  #ended: TaskOutcome | null = null;
  #isExiting = false;
  #ready = false;
  #onReady: (() => void) | null = null;
  #printedBytes = 0;

  constructor(options: SessionOptions) {
    const { command, folder, instanceId } = options;
    this.#contained = startContained({ ...command, folder, marker: `${instanceId}/${randomUUID()}` });
    const [, stdout, stderr, input, output] = this.#contained.child.stdio;
    if (!(input instanceof Writable) || !(output instanceof Readable))
      throw new Error('A session has no pipes.');
    this.#input = input;
    input.on('error', () => undefined);
    for (const stream of [stdout, stderr]) if (stream instanceof Readable) this.#drain(stream);
    readMessages(output, {
      onMessage: (message) => this.#receive(message),
      onViolation: (reason) => void this.#end({ end: 'failed', code: 'ENGINE_CRASHED', message: reason }, 0),
    });
    void this.#contained.exited.then((facts) => this.#exit(facts, output));
    sendRequest(input, options.open);
  }

  /** Its process id; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#contained.child.pid;
  }

  /** Whether it can take a task. */
  get isUsable(): boolean {
    return this.#ended === null && !this.#isExiting;
  }

  /** Does one task. Aborting the signal kills the session; the task is then `stopped` unless it was complete. */
  async run(
    task: SessionTask,
    limits: TaskLimits,
    hooks: TaskHooks,
    signal: AbortSignal,
  ): Promise<TaskOutcome> {
    if (signal.aborted) return { end: 'stopped' };
    if (this.#ended !== null) return this.#ended;
    const { promise, resolve } = deferred<TaskOutcome>();
    this.#current = {
      id: task.id,
      limits,
      hooks,
      folder: task.folder,
      printedBefore: this.#printedBytes,
      settle: resolve,
    };
    const stop = (): void => void this.#end({ end: 'stopped' }, STOP_GRACE_SECONDS);
    signal.addEventListener('abort', stop, { once: true });
    const watch = this.#watch(this.#current);
    if (this.#ready) sendRequest(this.#input, task);
    else this.#onReady = () => sendRequest(this.#input, task);
    const outcome = await promise;
    watch();
    signal.removeEventListener('abort', stop);
    this.#current = null;
    return outcome;
  }

  /** Ends the process and everything it started. */
  async close(): Promise<void> {
    await this.#end({ end: 'stopped' }, 0);
  }

  #receive(message: SessionMessage): void {
    if (message.type === 'ready') {
      this.#ready = true;
      this.#onReady?.();
      this.#onReady = null;
      return;
    }
    const current = this.#current;
    // A tool speaks for its present task only.
    if (current === null || message.id !== current.id || this.#ended !== null) return;
    if (message.type === 'progress') {
      current.hooks.onProgress(Math.min(100, Math.max(0, message.percent)));
      return;
    }
    const outcome: TaskOutcome =
      message.type === 'done'
        ? { end: 'done', outputs: message.outputs, summary: message.summary }
        : { end: 'failed', code: codeOf(message.code), message: storableText(message.message) };
    // What was printed before the end may still be in its pipe.
    setImmediate(() => current.settle(outcome));
  }

  /** The process has ended; what it said before may still be in the pipe, which a child of it may hold open. */
  async #exit(facts: ExitFacts, output: Readable): Promise<void> {
    this.#isExiting = true;
    if (!output.readableEnded && !output.destroyed) {
      const patience = AbortSignal.timeout(LAST_WORDS_MS);
      await once(output, 'end', { signal: patience }).catch(() => undefined);
    }
    await this.#end(outcomeOfExit(facts), 0);
  }

  /** Ends the session with the outcome of its present task, which is told when everything is gone. */
  async #end(outcome: TaskOutcome, graceSeconds: number): Promise<void> {
    this.#ended ??= outcome;
    await this.#contained.kill(graceSeconds);
    this.#current?.settle(this.#ended);
  }

  #drain(stream: Readable): void {
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      this.#printedBytes += chunk.byteLength;
      const current = this.#current;
      current?.hooks.log.write(chunk);
      if (this.#printedBytes - (current?.printedBefore ?? 0) > MOST_PRINTED_BYTES) {
        stream.removeAllListeners('data').resume();
        void this.#end(overLimit('It printed more than 256 MiB.'), 0);
      }
    });
  }

  /** Looks after time, memory and disk; returns what ends the watch. A short task costs one timer. */
  #watch(current: CurrentTask): () => void {
    const { limits, folder } = current;
    const kill = (outcome: TaskOutcome): void => void this.#end(outcome, 0);
    const wall = setTimeout(() => {
      kill({
        end: 'failed',
        code: 'ENGINE_TIMEOUT',
        message: `It ran longer than its limit of ${limits.wallSeconds} s.`,
      });
    }, limits.wallSeconds * 1000);
    const memory = setInterval(() => {
      const used = this.pid === undefined ? 0 : residentBytesOf(this.pid);
      if (used <= limits.memoryBytes) return;
      const message = `It used ${used} bytes of memory; its limit is ${limits.memoryBytes}.`;
      kill({ end: 'failed', code: 'ENGINE_OUT_OF_MEMORY', message });
    }, WATCH_MS);
    const most = { bytes: limits.diskBytes, entries: MOST_ENTRIES };
    const endDiskWatch = watchDisk(folder, most, ({ bytes }) => {
      const what = bytes > most.bytes ? `wrote more than its limit of ${most.bytes} bytes` : TOO_MANY;
      kill(overLimit(`It ${what}.`));
    });
    return () => {
      clearTimeout(wall);
      clearInterval(memory);
      endDiskWatch();
    };
  }
}

function overLimit(message: string): TaskOutcome {
  return { end: 'failed', code: 'ENGINE_LIMIT_EXCEEDED', message };
}

function outcomeOfExit({ exitCode, signal, startError }: ExitFacts): TaskOutcome {
  if (startError !== null) return { end: 'unstarted', reason: startError };
  if (signal === 'SIGKILL') {
    // Whoever means to end a tool here says why before; what is left is the system's own want of memory.
    const message =
      'It was killed by the system, most likely for want of memory. Submit it again, or a smaller one.';
    return { end: 'failed', code: 'ENGINE_OUT_OF_MEMORY', message, death: 'killed' };
  }
  const message =
    signal === null ? `It ended with exit code ${exitCode ?? 'unknown'}.` : `It was ended by ${signal}.`;
  return { end: 'failed', code: 'ENGINE_CRASHED', message, death: 'exited' };
}

/** A tool names its own codes; one that is none of the form is a crash of its reporting. */
function codeOf(code: string): string {
  return FAILURE_CODE.test(code) ? code : 'ENGINE_CRASHED';
}

/** What a tool says, as it can be stored; the cut may have gone through a character. */
function storableText(text: string): string {
  return text.slice(0, FAILURE_MESSAGE_CHARACTERS).replaceAll('\0', '\uFFFD').toWellFormed();
}
