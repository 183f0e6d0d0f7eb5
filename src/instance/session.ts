/**
 * A warm tool process that runs many tasks, one at a time, under limits. However the tool misbehaves, the task ends with a
 * code, and when the session is over no process of the tool is left. A session stays usable after a task that the tool
 * itself has reported as failed; a session is over after a crash, after a limit and after a stop.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';

import type { Containment } from '../contracts/containment.ts';
import type { TaskLimits } from '../contracts/instance.ts';
import { FAILURE_CODE, FAILURE_MESSAGE_CHARACTERS } from '../contracts/reports.ts';
import type { SessionMessage, SessionRequest } from '../tools/session-protocol.ts';
import type { SessionCommand } from '../tools/tool.ts';
import { startContained } from './containment.ts';
import type { Contained, ExitFacts } from './containment.ts';
import { deferred } from './deferred.ts';
import { watchDisk } from './disk-watch.ts';
import type { LogCollector } from './log-collector.ts';
import { recentProcesses, residentBytesOf } from './process-table.ts';
import { readMessages, sendRequest } from './session-channel.ts';

/** The request with which a session is given a task. */
export type SessionTask = Extract<SessionRequest, { type: 'task' }>;

/** An output as the tool has reported it. */
export type ReportedOutput = Extract<SessionMessage, { type: 'done' }>['outputs'][number];

/** End of a tool's work on a task. */
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
      /** End of a process that this instance did not end: killed by the system, or exited by itself. */
      readonly death?: 'killed' | 'exited';
    }
  | { readonly end: 'stopped' }
  /** The instance could not run the tool at all, which says nothing about the task. */
  | { readonly end: 'unstarted'; readonly reason: string };

/** Receivers of the output and the progress of a running task. */
export interface TaskHooks {
  readonly log: LogCollector;
  readonly onProgress: (percent: number) => void;
  /** Called once at most, when the tool begins with the work that counts. */
  readonly onWorking?: () => void;
  /** Called with the files that the tool wants to be kept; answers whether they are. */
  readonly onCheckpoint?: (files: readonly string[]) => Promise<boolean>;
}

/** The command of a session, and the folder in which the session works. */
export interface SessionOptions {
  readonly command: SessionCommand;
  readonly open: Extract<SessionRequest, { type: 'open' }>;
  /** Containment of the tool's processes. */
  readonly containment: Containment;
  /** Devices that a sandbox lets through. */
  readonly devices: readonly string[];
  /** The session's own folder; the folders of its tasks are made below. */
  readonly folder: string;
  /** The first part of the marker of the tool's processes; the rest of the marker is random. */
  readonly instanceId: string;
}

const WATCH_MS = 500;
/** A tool that prints more bytes than this in one task is killed. */
const MOST_PRINTED_BYTES = 256 * 1024 * 1024;
const STOP_GRACE_SECONDS = 1;
const LAST_WORDS_MS = 200;
/** A tool that makes more files and folders than this is killed, so that measuring its folder takes bounded time. */
const MOST_ENTRIES = 100_000;
const TOO_MANY = `made more than ${MOST_ENTRIES} files`;

interface CurrentTask {
  readonly id: string;
  readonly limits: TaskLimits;
  readonly hooks: TaskHooks;
  /** Whether the tool has said that the work begins, or keeps checkpoints, before which it would have to. */
  isWorking: boolean;
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
  readonly #settled = deferred<null>();
  #onReady: (() => void) | null = null;
  #printedBytes = 0;

  constructor(options: SessionOptions) {
    const { command, containment, devices, folder, instanceId } = options;
    const marker = `${instanceId}/${randomUUID()}`;
    this.#contained = startContained({ ...command, containment, devices, folder, marker });
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

  /** The process id of the tool; undefined when the tool could not be started. */
  get pid(): number | undefined {
    return this.#contained.child.pid;
  }

  /** Resolves when the session is ready for tasks, or is over. */
  get ready(): Promise<unknown> {
    return this.#settled.promise;
  }

  /** Whether the session can run another task. */
  get isUsable(): boolean {
    return this.#ended === null && !this.#isExiting;
  }

  /** Runs one task. Aborting the signal kills the session; the task is then `stopped` unless it was complete. */
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
      isWorking: false,
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

  /** Ends the tool's process and every process that the tool has started. */
  async close(): Promise<void> {
    await this.#end({ end: 'stopped' }, 0);
  }

  #receive(message: SessionMessage): void {
    if (message.type === 'ready') {
      this.#ready = true;
      this.#settled.resolve(null);
      this.#onReady?.();
      this.#onReady = null;
      return;
    }
    const current = this.#current;
    // A message about another task than the present one is ignored.
    if (current === null || message.id !== current.id || this.#ended !== null) return;
    if (message.type === 'progress') {
      current.hooks.onProgress(Math.min(100, Math.max(0, message.percent)));
      return;
    }
    if (message.type === 'working') {
      if (!current.isWorking) current.hooks.onWorking?.();
      current.isWorking = true;
      return;
    }
    if (message.type === 'checkpoint') {
      current.isWorking = true;
      void this.#keep(current, message.files);
      return;
    }
    const outcome: TaskOutcome =
      message.type === 'done'
        ? { end: 'done', outputs: message.outputs, summary: message.summary }
        : { end: 'failed', code: codeOf(message.code), message: storableText(message.message) };
    // Bytes that the tool printed before its last message may still be in the pipe of the log.
    setImmediate(() => current.settle(outcome));
  }

  async #keep({ id, hooks }: CurrentTask, files: readonly string[]): Promise<void> {
    const isKept = (await hooks.onCheckpoint?.(files)) ?? false;
    if (this.isUsable) sendRequest(this.#input, { type: 'kept', id, isKept });
  }

  /**
   * The process has ended. The last message of the process may still be in the pipe, which a child process may hold open.
   */
  async #exit(facts: ExitFacts, output: Readable): Promise<void> {
    this.#isExiting = true;
    if (!output.readableEnded && !output.destroyed) {
      const patience = AbortSignal.timeout(LAST_WORDS_MS);
      await once(output, 'end', { signal: patience }).catch(() => undefined);
    }
    await this.#end(outcomeOfExit(facts), 0);
  }

  /** Ends the session; the present task is settled with the outcome when every process of the tool is gone. */
  async #end(outcome: TaskOutcome, graceSeconds: number): Promise<void> {
    this.#ended ??= outcome;
    this.#settled.resolve(null);
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

  /** Watches time, memory and disk; returns a function that ends the watch. */
  #watch(current: CurrentTask): () => void {
    const { limits, folder } = current;
    const kill = (outcome: TaskOutcome): void => void this.#end(outcome, 0);
    // A run may take longer than a timer can wait, which is 24 days.
    const endsAt = performance.now() + limits.wallSeconds * 1000;
    const timeAndMemory = setInterval(() => {
      if (performance.now() >= endsAt) {
        const message = `It ran longer than its limit of ${limits.wallSeconds} s.`;
        kill({ end: 'failed', code: 'ENGINE_TIMEOUT', message });
        return;
      }
      const used = this.pid === undefined ? 0 : residentBytesOf(this.pid, recentProcesses());
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
      clearInterval(timeAndMemory);
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
    // This instance notes why before it kills a tool, so this SIGKILL came from the system, for want of memory.
    const message =
      'It was killed by the system, most likely for want of memory. Submit it again, or a smaller one.';
    return { end: 'failed', code: 'ENGINE_OUT_OF_MEMORY', message, death: 'killed' };
  }
  const message =
    signal === null ? `It ended with exit code ${exitCode ?? 'unknown'}.` : `It was ended by ${signal}.`;
  return { end: 'failed', code: 'ENGINE_CRASHED', message, death: 'exited' };
}

/** The code that a tool has named for a failure; a code of another form than codes have is replaced by ENGINE_CRASHED. */
function codeOf(code: string): string {
  return FAILURE_CODE.test(code) ? code : 'ENGINE_CRASHED';
}

/** The message of a tool in a form that PostgreSQL can store; cutting the message may split a character. */
function storableText(text: string): string {
  return text.slice(0, FAILURE_MESSAGE_CHARACTERS).replaceAll('\0', '\uFFFD').toWellFormed();
}
