/**
 * A Python process that answers JSON requests line by line: one process of low priority, one request at a time, within a time limit.
 * The process gets nothing of this process's environment, starts with the first request and ends when it is idle. Where it cannot
 * answer, there is no answer; a process that did not start is not started again at once.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

import pLimit from 'p-limit';
import type { Logger } from 'pino';

/** A program and its whole environment. */
export interface LineCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LineProcessOptions {
  /** Null where the Python side is not installed. */
  readonly command: LineCommand | null;
  readonly log: Pick<Logger, 'warn'>;
  /** Text for the log where there is no answer: the work that was not done. */
  readonly failure: string;
}

/** A process that is asked for one thing after the other. */
export interface LineProcess {
  /** Answers null where the process is not installed, too many wait, or no answer that can be read comes in time. */
  ask<Answer>(request: object, limitMs: number, read: (line: string) => Answer): Promise<Answer | null>;
  close(): Promise<void>;
}

/** The time for importing RDKit and for a first molecule, on a busy machine. */
const STARTING_MS = 30_000;
const REST_MS = 60_000;
const IDLE_MS = 300_000;
const MOST_WAITING = 64;
const LONGEST_LINE = 256 * 1024;

/** Makes the access to one process. */
export function createLineProcess({ command, log, failure }: LineProcessOptions): LineProcess {
  const turn = pLimit(1);
  let current: Running | null = null;
  let restsUntil = 0;
  const fail = (error: unknown): null => {
    log.warn({ err: error }, failure);
    current?.end();
    current = null;
    return null;
  };
  const start = async (from: LineCommand): Promise<Running | null> => {
    if (performance.now() < restsUntil) return null;
    const started = new Running(from);
    current = started;
    try {
      await started.line(STARTING_MS);
      return started;
    } catch (error) {
      restsUntil = performance.now() + REST_MS;
      return fail(error);
    }
  };
  return {
    async ask(request, limitMs, read) {
      if (command === null || turn.pendingCount >= MOST_WAITING) return null;
      return turn(async () => {
        const running = current?.isAlive === true ? current : await start(command);
        if (running === null) return null;
        try {
          return read(await running.ask(request, limitMs));
        } catch (error) {
          return fail(error);
        }
      });
    },
    async close() {
      current?.end();
      current = null;
    },
  };
}

/** The process. Its answers come in the order of the requests, and there is one request at a time. */
class Running {
  readonly #child: ChildProcessWithoutNullStreams;
  #awaited: { readonly resolve: (line: string) => void; readonly reject: (error: Error) => void } | null =
    null;
  #early: string | null = null;
  #idle: NodeJS.Timeout | null = null;
  #isAlive = true;

  constructor({ file, args, env }: LineCommand) {
    this.#child = spawn(file, [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.resume();
    this.#child.stdin.on('error', () => this.#ended('its input is closed'));
    this.#child.once('error', (error) => this.#ended(error.message));
    this.#child.once('exit', (code) => this.#ended(`it ended with ${code ?? 'a signal'}`));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Asks one question. @throws Error when no answer comes in time; the process cannot be used any more. */
  async ask(request: object, limitMs: number): Promise<string> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#early = null;
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const line = await this.line(limitMs);
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    return line;
  }

  /** The next line. @throws Error when no line comes in time. */
  async line(limitMs: number): Promise<string> {
    const early = this.#early;
    this.#early = null;
    if (early !== null) return early;
    if (!this.#isAlive) throw new Error('the process is gone');
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#awaited = { resolve, reject };
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#awaited = null;
    }
  }

  /** Ends the process at once; the process keeps no state that could be lost. */
  end(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#isAlive = false;
    this.#child.kill('SIGKILL');
  }

  #take(line: string): void {
    if (line.length > LONGEST_LINE) this.#ended('its answer is too long');
    else if (this.#awaited === null) this.#early = line;
    else this.#awaited.resolve(line);
  }

  #ended(why: string): void {
    this.#isAlive = false;
    this.#awaited?.reject(new Error(`the process: ${why}`));
  }
}
