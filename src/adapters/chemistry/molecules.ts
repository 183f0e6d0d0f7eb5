/**
 * Molecules beside the event loop. One thread treats one molecule at a time. A molecule that takes too much time of the processor ends
 * with the thread, and the next task starts another thread; time in which the thread waits for the processor is no fault of the molecule.
 * Where the machine is so busy that no end is in sight, the caller is told to come again. The number of tasks that wait is
 * bounded, so that a call beyond the bound is refused instead of kept waiting.
 */
import type { Worker } from 'node:worker_threads';

import pLimit from 'p-limit';
import { Piscina } from 'piscina';

import { AppError } from '../../domain/errors.ts';
import type { NamedSource } from '../../domain/requests.ts';
import type { Molecules, StructureAnswer } from './chemistry.ts';
import type { MoleculeResult, MoleculeTask } from './molecule-thread.ts';

export interface MoleculesOptions {
  /** Path of the dictionary's index; empty where it is not installed. */
  readonly dictionary: string;
  /** How much time of the processor one molecule may take. */
  readonly limitMs?: number;
  /** How long a task may take on a machine that is busy with other things. */
  readonly patienceMs?: number;
  /** The time of the processor that a thread has taken; tests stand in for a busy machine with it. */
  readonly usedMs?: (thread: Worker) => Promise<number>;
  /** Tasks that may wait for the thread. */
  readonly mostWaiting?: number;
}

const LIMIT_MS = 2_000;
/** Callers wait no longer for an answer. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 100;
const MOST_WAITING = 64;
/** Loading takes a quarter of a second on an idle machine. */
const LOADING_MS = 30_000;
const IDLE_MS = 300_000;
const BUSY_RETRY_SECONDS = 2;

/** Makes the molecules of a process; the thread starts with the first task and ends when it is idle. */
export function createMolecules({ dictionary, ...limits }: MoleculesOptions): Molecules {
  const { limitMs = LIMIT_MS, patienceMs = PATIENCE_MS, mostWaiting = MOST_WAITING } = limits;
  const { usedMs = processorMs } = limits;
  const turn = pLimit(1);
  const pool = new Piscina<MoleculeTask, MoleculeResult>({
    filename: new URL('./molecule-thread.ts', import.meta.url).href,
    name: 'treatMolecule',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
  const run = async (task: MoleculeTask): Promise<MoleculeResult> => {
    if (turn.pendingCount >= mostWaiting) throw busy('Too many ligands are being resolved at the moment.');
    return turn(async () => {
      // The time for loading does not count as the time of the molecule.
      await inTime(AbortSignal.timeout(LOADING_MS), (signal) => pool.run({ kind: 'ready' }, { signal }));
      const [thread] = pool.threads;
      if (thread === undefined) throw new Error('the thread of molecules is gone');
      const watch = watchThread(() => usedMs(thread), { limitMs, patienceMs });
      try {
        return await inTime(watch.signal, (signal) => pool.run(task, { signal }));
      } finally {
        watch.end();
      }
    });
  };
  return {
    async findComponents(text, by) {
      const found = await run({ kind: 'find', dictionary, text, by });
      return found !== null && 'components' in found ? found : null;
    },
    async draw(source) {
      try {
        const answer = await run({ kind: 'draw', dictionary, source });
        if (answer !== null && ('structure' in answer || 'fault' in answer)) return answer;
        throw otherAnswer();
      } catch (error) {
        if (error instanceof TooMuchTime) return tookTooLong(source, limitMs);
        throw error;
      }
    },
    async match(smarts, smiles) {
      try {
        const answer = await run({ kind: 'match', smarts, smiles });
        if (answer !== null && ('matched' in answer || 'reason' in answer)) return answer;
        throw otherAnswer();
      } catch (error) {
        if (!(error instanceof TooMuchTime)) throw error;
        return { ok: false, reason: `it takes more than ${limitMs / 1000} s of processor time` };
      }
    },
    close: () => pool.destroy(),
  };
}

function otherAnswer(): Error {
  return new Error('the thread of molecules answered something else');
}

/** A task has taken more time of the processor than it may. */
class TooMuchTime extends Error {}

/** Runs work until a signal; the end by the signal is the signal's reason, or that the machine is busy. */
async function inTime<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const reason: unknown = signal.reason;
    throw reason instanceof TooMuchTime
      ? reason
      : busy('The service is too busy to draw ligands at the moment.');
  }
}

/** Looks at the time that a thread takes from now on, and gives the signal when it is too much. */
function watchThread(
  usedMs: () => Promise<number>,
  { limitMs, patienceMs }: { readonly limitMs: number; readonly patienceMs: number },
): { readonly signal: AbortSignal; end(): void } {
  const end = new AbortController();
  let before: number | null = null;
  let isLooking = true;
  const look = async (): Promise<void> => {
    // A thread that has ended answers nothing, and neither does one that is not asked in time.
    const used = await usedMs().catch(() => null);
    isLooking = false;
    if (used === null) return;
    before ??= used;
    if (used - before > limitMs) end.abort(new TooMuchTime());
  };
  void look();
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look();
  }, LOOK_MS);
  const patience = setTimeout(() => end.abort(), patienceMs);
  return {
    signal: end.signal,
    end() {
      clearInterval(timer);
      clearTimeout(patience);
    },
  };
}

async function processorMs(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
}

function busy(why: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', `${why} Repeat this request shortly.`, {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

function tookTooLong(source: NamedSource, limitMs: number): StructureAnswer {
  const what = source.kind === 'smiles' ? 'SMILES' : `component ${source.componentId}`;
  const message = `The ${what} was not drawn within ${limitMs / 1000} s of processor time: it is too complex to be previewed.`;
  return { ok: false, fault: { code: 'LIGAND_PREPARATION_TIMEOUT', message } };
}
