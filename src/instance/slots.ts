/**
 * Slots: the places of an instance where tools run, one task at a time in each slot. A slot keeps its session warm for the
 * next task of the job, whichever shard brings the task; a session that is over is replaced at the next use of the slot.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Containment } from '../contracts/containment.ts';
import { TRACE_VARIABLE } from '../contracts/tracing.ts';
import { SLOT_VCPUS } from '../tools/session-protocol.ts';
import type { SessionRequest } from '../tools/session-protocol.ts';
import type { SessionCommand } from '../tools/tool.ts';
import { makeTaskFolder, removeFolder } from './folders.ts';
import { gpusOfSlots } from './gpus.ts';
import type { SlotGpus } from './gpus.ts';
import { ToolSession } from './session.ts';

/** A tool as an instance starts it: the command of a session. */
export interface SessionTool {
  readonly id: string;
  /** Whether a session of the tool takes so long to start that idle slots start their sessions ahead. */
  readonly startsAhead: boolean;
  /** The signal is aborted when the session is not wanted any more; a session may wait for its programs. */
  session(workFolder: string, signal: AbortSignal, vcpus: number): SessionCommand | Promise<SessionCommand>;
}

/** The instance that the slots belong to, and the folder in which their sessions work. */
export interface SlotOptions {
  readonly instanceId: string;
  /** The folder below which the folders of sessions are made. */
  readonly folder: string;
  /** The folder of the job's inputs, which every session reads. */
  readonly inputs: string;
  readonly containment: Containment;
  /** GPUs of the machine, by their numbers, that the slots deal out among them. */
  readonly gpus: readonly number[];
  /** The vCPUs on which the tool of a slot may compute. */
  readonly vcpusPerSlot: number;
  /** Called at each start of a tool process. */
  readonly onStart: (pid: number | undefined, toolId: string) => void;
  /** The trace that a tool's process belongs to; null for none. */
  readonly traceparent?: () => string | null;
}

interface LiveSession {
  readonly session: ToolSession;
  readonly folder: string;
  /** Outputs that are still being staged from the folder of the session. */
  readonly uses: Set<Promise<unknown>>;
}

let sessionCount = 0;

/** A place where one tool process runs one task at a time. */
export class Slot {
  readonly #options: SlotOptions;
  readonly #gpus: SlotGpus;
  #live: LiveSession | null = null;
  #starting: Promise<LiveSession> | null = null;
  #taskCount = 0;
  readonly #closing = new AbortController();
  readonly #removals = new Set<Promise<void>>();

  constructor(options: SlotOptions, gpus: SlotGpus) {
    this.#options = options;
    this.#gpus = gpus;
  }

  /** The warm session of the slot, or a new session when the slot has none or its session is over. */
  async open(
    tool: SessionTool,
    open: Extract<SessionRequest, { type: 'open' }>,
  ): Promise<{ session: ToolSession; makeFolder: () => Promise<string> }> {
    if (this.#live !== null && !this.#live.session.isUsable) this.#retire(this.#live);
    if (this.#live === null) {
      // When a session is being started ahead, that session is waited for, and no second one is started.
      this.#starting ??= this.#start(tool, open).finally(() => (this.#starting = null));
      this.#live = await this.#starting;
    }
    const { session, folder } = this.#live;
    const makeFolder = async (): Promise<string> => {
      this.#taskCount += 1;
      const taskFolder = join(folder, `task-${this.#taskCount}`);
      await makeTaskFolder(taskFolder);
      return taskFolder;
    };
    return { session, makeFolder };
  }

  /** Keeps the folder of the session until the promise is settled. */
  holdFolder(use: Promise<unknown>): void {
    const uses = this.#live?.uses;
    if (uses === undefined) return;
    const settled = use.catch(() => undefined).finally(() => uses.delete(settled));
    uses.add(settled);
  }

  /** Ends the session and removes its folder; the slot starts no other session. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => undefined);
    if (this.#live !== null) this.#retire(this.#live);
    await Promise.all(this.#removals);
  }

  async #start(tool: SessionTool, open: Extract<SessionRequest, { type: 'open' }>): Promise<LiveSession> {
    sessionCount += 1;
    const folder = join(this.#options.folder, `session-${sessionCount}`);
    const { inputs, containment, instanceId, onStart, traceparent = () => null } = this.#options;
    await mkdir(folder, { recursive: true });
    // A sandbox shows a folder that was there at its start; what is put there later is seen.
    await mkdir(inputs, { recursive: true });
    const { signal } = this.#closing;
    const { vcpusPerSlot } = this.#options;
    const plain = await tool.session(folder, signal, vcpusPerSlot);
    if (signal.aborted) throw new Error('The instance ends.');
    const trace = traceparent();
    const { devices, env } = this.#gpus;
    const cores = { [SLOT_VCPUS]: String(vcpusPerSlot) };
    const command = {
      ...plain,
      env: { ...plain.env, ...env, ...cores, ...(trace === null ? {} : { [TRACE_VARIABLE]: trace }) },
      reads: [...plain.reads, inputs],
    };
    const session = new ToolSession({ command, open, containment, devices, folder, instanceId });
    onStart(session.pid, tool.id);
    return { session, folder, uses: new Set() };
  }

  #retire(live: LiveSession): void {
    this.#live = null;
    const removal = (async () => {
      await live.session.close();
      await Promise.all(live.uses);
      await removeFolder(live.folder);
    })()
      .catch(() => undefined)
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }
}

/** Hands out slots to shards in the order in which the shards asked. */
export class SlotQueue {
  readonly #all: readonly Slot[];
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  constructor(count: number, options: SlotOptions) {
    this.#all = gpusOfSlots(count, options.gpus).map((gpus) => new Slot(options, gpus));
    this.#free = [...this.#all];
  }

  /** Waits for a free slot, which has to be given back with `release`. */
  async acquire(): Promise<Slot> {
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a slot to the shard that has waited longest, or keeps the slot free. */
  release(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next(slot);
  }

  /** Starts a session in every free slot, for tasks that are sure to come. A task starts a session that failed again. */
  startAhead(tool: SessionTool, open: Extract<SessionRequest, { type: 'open' }>): void {
    for (const slot of this.#free) void slot.open(tool, open).catch(() => undefined);
  }

  /** Ends the session of every slot. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((slot) => slot.close()));
  }
}
