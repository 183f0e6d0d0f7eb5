/**
 * The places where tools run, one task at a time each. A slot keeps its session warm for the next task of the job,
 * whichever shard brings it; a session that is over is replaced at the next use.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { SessionRequest } from '../tools/session-protocol.ts';
import type { SessionCommand } from '../tools/tool.ts';
import { makeTaskFolder, removeFolder } from './folders.ts';
import { ToolSession } from './session.ts';

/** The part of a tool that an instance needs. */
export interface SessionTool {
  readonly id: string;
  /** Whether its sessions take so long to start that idle slots start theirs ahead. */
  readonly startsAhead: boolean;
  session(workFolder: string): SessionCommand;
}

/** What slots are made of. */
export interface SlotOptions {
  readonly instanceId: string;
  /** Work folders are made below. */
  readonly folder: string;
  /** Told of each tool process that is started. */
  readonly onStart: (pid: number | undefined, toolId: string) => void;
}

interface LiveSession {
  readonly session: ToolSession;
  readonly folder: string;
  /** Outputs that are still being staged from its folder. */
  readonly uses: Set<Promise<unknown>>;
}

let sessionCount = 0;

/** One place for a tool. */
export class Slot {
  readonly #options: SlotOptions;
  #live: LiveSession | null = null;
  #starting: Promise<LiveSession> | null = null;
  #taskCount = 0;
  #isClosed = false;
  readonly #removals = new Set<Promise<void>>();

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** The warm session, or a fresh one. */
  async open(
    tool: SessionTool,
    open: Extract<SessionRequest, { type: 'open' }>,
  ): Promise<{ session: ToolSession; makeFolder: () => Promise<string> }> {
    if (this.#live !== null && !this.#live.session.isUsable) this.#retire(this.#live);
    if (this.#live === null) {
      // A session that is being started ahead is waited for, not started twice.
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

  /** Keeps the session's folder until the promise is settled. */
  holdFolder(use: Promise<unknown>): void {
    const uses = this.#live?.uses;
    if (uses === undefined) return;
    const settled = use.catch(() => undefined).finally(() => uses.delete(settled));
    uses.add(settled);
  }

  /** Ends the session for good and removes its folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => undefined);
    if (this.#live !== null) this.#retire(this.#live);
    await Promise.all(this.#removals);
  }

  async #start(tool: SessionTool, open: Extract<SessionRequest, { type: 'open' }>): Promise<LiveSession> {
    sessionCount += 1;
    const folder = join(this.#options.folder, `session-${sessionCount}`);
    await mkdir(folder, { recursive: true });
    if (this.#isClosed) throw new Error('The instance ends.');
    const { instanceId, onStart } = this.#options;
    const session = new ToolSession({ command: tool.session(folder), open, folder, instanceId });
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

/** Hands slots to shards, first come first served. */
export class SlotQueue {
  readonly #all: readonly Slot[];
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  constructor(count: number, options: SlotOptions) {
    this.#all = Array.from({ length: count }, () => new Slot(options));
    this.#free = [...this.#all];
  }

  /** Waits for a free slot; it has to be given back. */
  async acquire(): Promise<Slot> {
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a slot to the next who waits. */
  release(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next(slot);
  }

  /** Starts sessions where none is, for tasks that are sure to come. One that fails is started again by its task. */
  startAhead(tool: SessionTool, open: Extract<SessionRequest, { type: 'open' }>): void {
    for (const slot of this.#free) void slot.open(tool, open).catch(() => undefined);
  }

  /** Ends every session. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((slot) => slot.close()));
  }
}
