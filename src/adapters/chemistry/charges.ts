/**
 * The charge with which a ligand would be docked, asked of the code that prepares ligands: one Python process of low
 * priority, one ligand at a time, within a time limit. The Python process gets nothing of this process's environment,
 * and gets SMILES only as RDKit has written them. Where the Python process cannot answer, the preview has no charge and
 * says so; a process that failed is not started again at once.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

import pLimit from 'p-limit';
import type { Logger } from 'pino';

import type { NamedSource } from '../../domain/requests.ts';
import type { ChargeAnswer, ChargeModel } from './chemistry.ts';
import { valueAt } from './value-at.ts';

/** A program and its whole environment. */
export interface ChargeCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a process asks for charges. */
export interface ChargeModelOptions {
  /** Null where the Python side is not installed. */
  readonly command: ChargeCommand | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly limitMs?: number;
}

const LIMIT_MS = 3_000;
/** The time for importing RDKit and for a first molecule, on a busy machine. */
const STARTING_MS = 30_000;
const REST_MS = 60_000;
const IDLE_MS = 300_000;
const MOST_WAITING = 64;
const LONGEST_LINE = 64 * 1024;

/** Makes the model of one process; Python starts with the first ligand and ends when it is idle. */
export function createChargeModel({ command, log, limitMs = LIMIT_MS }: ChargeModelOptions): ChargeModel {
  const turn = pLimit(1);
  let current: ChargeProcess | null = null;
  let restsUntil = 0;
  const fail = (error: unknown): null => {
    log.warn({ err: error }, 'the charge of a ligand was not computed');
    current?.end();
    current = null;
    return null;
  };
  const start = async (from: ChargeCommand): Promise<ChargeProcess | null> => {
    if (performance.now() < restsUntil) return null;
    const started = new ChargeProcess(from);
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
    async chargeAt(source, ph) {
      if (command === null || turn.pendingCount >= MOST_WAITING) return null;
      return turn(async () => {
        const running = current?.isAlive === true ? current : await start(command);
        if (running === null) return null;
        try {
          return readAnswer(await running.ask(source, ph, limitMs));
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

/** The Python process. The answers of the process come in the order of the requests, and there is one request at a time. */
class ChargeProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #awaited: { readonly resolve: (line: string) => void; readonly reject: (error: Error) => void } | null =
    null;
  #early: string | null = null;
  #idle: NodeJS.Timeout | null = null;
  #isAlive = true;

  constructor({ file, args, env }: ChargeCommand) {
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
  async ask(source: NamedSource, ph: number, limitMs: number): Promise<string> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#early = null;
    this.#child.stdin.write(`${JSON.stringify({ source, ph })}\n`);
    const line = await this.line(limitMs);
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    return line;
  }

  /** The next line. @throws Error when no line comes in time. */
  async line(limitMs: number): Promise<string> {
    const early = this.#early;
    this.#early = null;
    if (early !== null) return early;
    if (!this.#isAlive) throw new Error('the process that computes charges is gone');
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
    this.#awaited?.reject(new Error(`the process that computes charges: ${why}`));
  }
}

/** @throws Error when the line is no answer. */
function readAnswer(line: string): ChargeAnswer {
  const raw: unknown = JSON.parse(line);
  const [charge, smiles, code, message] = ['charge', 'smiles', 'code', 'message'].map((name) =>
    valueAt(raw, name),
  );
  if (typeof code === 'string' && typeof message === 'string') return { ok: false, code, message };
  const warnings = valueAt(raw, 'warnings');
  if (typeof charge !== 'number' || typeof smiles !== 'string' || !Array.isArray(warnings))
    throw new Error('no answer about a charge');
  return {
    ok: true,
    charge,
    smiles,
    warnings: warnings.map((warning) => ({
      code: String(valueAt(warning, 'code')),
      message: String(valueAt(warning, 'message')),
    })),
  };
}
