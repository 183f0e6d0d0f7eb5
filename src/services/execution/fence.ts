/**
 * The fence: an instance acts only while its generation is the one of its slot, and its job has neither ended nor is
 * it paused: then its execution is settled, and what is done now would be charged to nobody. Every statement of the
 * gateway starts with this condition, so a fence that is set meanwhile wins.
 */
import type { DataSource } from 'typeorm';

import type { InstanceClaims } from '../../contracts/instance.ts';
import { AppError } from '../../domain/errors.ts';
import { SETTLED_SQL } from '../job-state-sql.ts';
import { rowsOf } from '../transaction.ts';

/** From and where clauses that find the instance ($1 job, $2 slot, $3 generation) only when it may act. */
export const UNFENCED = `
  from instances i join jobs j on j.id = i.job_id
  where i.job_id = $1 and i.slot = $2 and i.generation = $3
    and i.fenced_at is null and i.state <> 'TERMINATED' and j.status not in ${SETTLED_SQL}`;

/** SQL that is true while the job `j` wants work done. */
export const JOB_WANTS_WORK = `(j.cancel_requested_at is null and j.status <> 'CANCELLING')`;

/** The fence's three parameters. */
export function fenceOf(claims: InstanceClaims): readonly [string, number, number] {
  return [claims.jobId, claims.slot, claims.generation];
}

const MAY_ACT = `select 1 ${UNFENCED}`;

/** How long an instance that may act may ask for further work without being looked at again. */
const RECENT_MS = 1_000;

/** The fence, asked for itself. Each method throws AppError FENCED. */
export interface Fence {
  /** Asks now. */
  readonly mayAct: (claims: InstanceClaims) => Promise<void>;
  /**
   * Asks, unless an answer of the last second says that the instance may act. A poll is held for up to a minute, and whatever comes of the poll
   * is fenced where it counts, so a second is nothing to it; an instance of short tasks polls as often as it answers.
   */
  readonly mayPoll: (claims: InstanceClaims) => Promise<void>;
}

/** Opens the fence. @param now monotonic time in milliseconds; tests set it. */
export function createFence(db: DataSource, now: () => number = () => performance.now()): Fence {
  // In the order of the answers, so that the old ones are the first ones.
  const answered = new Map<string, number>();
  const mayAct = async (claims: InstanceClaims): Promise<void> => {
    const name = fenceOf(claims).join('/');
    const askedAt = now();
    answered.delete(name);
    if ((await rowsOf<unknown>(db, MAY_ACT, fenceOf(claims))).length === 0) throw fenced();
    for (const [old, at] of answered) {
      if (at > askedAt - RECENT_MS) break;
      answered.delete(old);
    }
    answered.delete(name);
    answered.set(name, askedAt);
  };
  return {
    mayAct,
    async mayPoll(claims) {
      const at = answered.get(fenceOf(claims).join('/'));
      if (at === undefined || at <= now() - RECENT_MS) await mayAct(claims);
    },
  };
}

/** The refusal that makes an instance kill its tools and exit. */
export function fenced(): AppError {
  return new AppError(
    'FENCED',
    'This instance has been replaced, or its job has ended or is paused; stop the tools and exit.',
  );
}
