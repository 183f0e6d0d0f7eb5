/**
 * Price of finishing a stopped job now, and the advice to its customer. A status may be asked for often, and pricing a large job
 * takes a while, so a price is kept for a minute; obstacles to a resume are looked up each time.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { isResumable } from '../../domain/job-state.ts';
import { refusalNow } from '../ledger/index.ts';
import { FAILS_AGAIN, resumeAdvice } from './finish-words.ts';
import { findResumed, quoteMissing } from './missing.ts';
import type { MissingDependencies, ResumedRow } from './missing.ts';
import { ownedJob } from './owned.ts';
import { proveInputs } from './prove-inputs.ts';
import { loadJob } from '../job-records/request.ts';

/** The parts that price a job, and where its request may be stored. */
export interface ToFinishDependencies extends MissingDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/** Price of finishing, and the advice; the pence are null for a job that goes on by itself, is done, or cannot be resumed. */
export interface ToFinish {
  readonly pence: number | null;
  readonly advice: string | null;
  /** Whether a resume would end in the same way, because what is missing has failed for its own input. */
  readonly failsAgain: boolean;
}

/** Works out what finishing a job takes. */
export type ReadToFinish = (actor: Actor, jobId: string) => Promise<ToFinish>;

/** The answer for a job that goes on by itself or is done. */
export const NOTHING_TO_FINISH: ToFinish = { pence: null, advice: null, failsAgain: false };
const KEPT_MS = 60_000;
const KEPT_JOBS = 1_000;

/** Makes the function, with prices of its own. */
export function createToFinish(deps: ToFinishDependencies): ReadToFinish {
  const prices = new LRUCache<string, number>({ max: KEPT_JOBS, ttl: KEPT_MS });
  return async (actor, jobId) => {
    const found = await findResumed(deps.db, ownedJob(actor, jobId));
    if (!isResumable(found.status, found.is_ending)) return NOTHING_TO_FINISH;
    const key = `${jobId}/${String(found.execution)}`;
    try {
      const pence = prices.get(key) ?? (await price(deps, jobId, found));
      prices.set(key, pence, { noUpdateTTL: true });
      const failsAgain = found.fails_again;
      const advice = failsAgain ? FAILS_AGAIN : await advise(deps.db, actor, jobId, pence);
      return { pence, advice, failsAgain };
    } catch (error) {
      // The refusal that a resume would meet, as when the tool is gone, is the advice.
      if (error instanceof AppError && error.status < 500)
        return { pence: null, advice: error.message, failsAgain: found.fails_again };
      throw error;
    }
  };
}

async function price(deps: ToFinishDependencies, jobId: string, found: ResumedRow): Promise<number> {
  const job = await loadJob(deps.db, deps.store, jobId);
  const pins = await proveInputs({ ...deps, digests: null }, job);
  const quote = await quoteMissing(deps, found, job, pins);
  return quote.heldPence;
}

async function advise(db: DataSource, actor: Actor, jobId: string, pence: number): Promise<string> {
  const caller = callerOf(actor);
  const refusal = await refusalNow(db, {
    accountId: actor.accountId,
    jobId,
    amountPence: pence,
    ...(caller.kind === 'key' ? { keyId: caller.id } : {}),
  });
  return resumeAdvice({ heldPence: pence, isLimited: false }, refusal);
}
