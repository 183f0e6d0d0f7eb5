/**
 * Molecules beside the event loop. One thread treats one molecule at a time. A molecule that takes too long ends with
 * the thread, and the next task starts another thread. The number of tasks that wait is bounded, so that a call beyond
 * the bound is refused instead of kept waiting.
 */
import pLimit from 'p-limit';
import { Piscina } from 'piscina';

import { AppError } from '../../domain/errors.ts';
import type { NamedSource } from '../../domain/requests.ts';
import type { Molecules, StructureAnswer } from './chemistry.ts';
import type { MoleculeResult, MoleculeTask } from './molecule-thread.ts';

/** How a process treats molecules. */
export interface MoleculesOptions {
  /** Path of the dictionary's index; empty where it is not installed. */
  readonly dictionary: string;
  /** How long one molecule may take. */
  readonly limitMs?: number;
  /** Tasks that may wait for the thread. */
  readonly mostWaiting?: number;
}

const LIMIT_MS = 2_000;
const MOST_WAITING = 64;
/** Loading takes a quarter of a second on an idle machine. */
const LOADING_MS = 30_000;
const IDLE_MS = 300_000;
const BUSY_RETRY_SECONDS = 2;

/** Makes the molecules of a process; the thread starts with the first task and ends when it is idle. */
export function createMolecules({ dictionary, ...limits }: MoleculesOptions): Molecules {
  const { limitMs = LIMIT_MS, mostWaiting = MOST_WAITING } = limits;
  const turn = pLimit(1);
  const pool = new Piscina<MoleculeTask, MoleculeResult>({
    filename: new URL('./molecule-thread.ts', import.meta.url).href,
    name: 'treatMolecule',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
  const run = async (task: MoleculeTask): Promise<MoleculeResult> => {
    if (turn.pendingCount >= mostWaiting) throw busy();
    return turn(async () => {
      // The time for loading does not count as the time of the molecule.
      await pool.run({ kind: 'ready' }, { signal: AbortSignal.timeout(LOADING_MS) });
      return pool.run(task, { signal: AbortSignal.timeout(limitMs) });
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
        if (answer !== null && 'ok' in answer) return answer;
        throw new Error('the thread of molecules answered something else');
      } catch (error) {
        if (error instanceof Error && error.name === 'AbortError') return tookTooLong(source, limitMs);
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}

function busy(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'Too many ligands are being resolved at the moment. Repeat this request shortly.',
    { retryAfterSeconds: BUSY_RETRY_SECONDS },
  );
}

function tookTooLong(source: NamedSource, limitMs: number): StructureAnswer {
  const what = source.kind === 'smiles' ? 'SMILES' : `component ${source.componentId}`;
  const message = `The ${what} was not drawn within ${limitMs / 1000} s: it is too complex to be previewed.`;
  return { ok: false, fault: { code: 'LIGAND_PREPARATION_TIMEOUT', message } };
}
