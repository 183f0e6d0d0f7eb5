/** Work of a control worker for jobs that wait for capacity, besides the requests of their workflows: it grants, and looks after them. */
import type { DataSource } from 'typeorm';
import type { Logger } from 'pino';

import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import { grantDue } from '../../services/execution/capacity/capacity.ts';
import type { CapacityLimits } from '../../domain/capacity-pools.ts';
import { lookAfterWaiting } from '../../services/execution/sweep/waiting-jobs.ts';
import type { TakeUp } from '../../services/job-records/take-up.ts';
import { keepAsking } from '../../services/tools/keep-asking.ts';

/** The database, Temporal, and how often waiting jobs are looked after. */
export interface GrantingOptions {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'capacity' | 'endOf' | 'openJobs'>;
  readonly takeUp: TakeUp;
  readonly limits: CapacityLimits;
  readonly lookSeconds: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** How long a grant may wait that no event has made: after a crash, or with higher limits. */
const GRANT_SECONDS = 2;
/** Each process asks this often in the time between two looks whether the next look is due. */
const ASKED_BETWEEN_LOOKS = 10;

/** Grants and looks after waiting jobs until the function that it answers is called. */
export function keepGranting(options: GrantingOptions): () => void {
  const { db, workflows, limits, lookSeconds, logger } = options;
  const endGranting = keepAsking(
    async () => {
      const { newlyGranted } = await grantDue(db, limits);
      if (newlyGranted.length > 0) await workflows.capacity(newlyGranted);
    },
    {
      everyMs: GRANT_SECONDS * 1000,
      onFailure: (error) => logger.warn({ err: error }, 'no capacity could be granted'),
    },
  );
  const askSeconds = lookSeconds / ASKED_BETWEEN_LOOKS;
  const times = { everySeconds: lookSeconds, againSeconds: askSeconds };
  const endLooking = keepAsking(
    async () => {
      const look = await lookAfterWaiting(options, times);
      if (look === null) return;
      for (const job of look.takenUp) logger.warn({ ...job }, 'a job was taken up from its rows');
      for (const job of look.left) logger.warn({ ...job }, 'a job cannot be taken up');
      if (look.told.length > 0)
        logger.info({ jobs: look.told.length }, 'waiting jobs were told to ask again');
    },
    {
      everyMs: askSeconds * 1000,
      onFailure: (error) => logger.warn({ err: error }, 'waiting jobs could not be looked after'),
    },
  );
  return () => {
    endGranting();
    endLooking();
  };
}
