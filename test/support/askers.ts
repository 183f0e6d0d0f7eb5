/** Jobs that ask for capacity, without workflows. */
import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import {
  reduceCapacity,
  releaseCapacity,
  requestCapacity,
  withdrawCapacity,
} from '../../src/services/execution/capacity/capacity.ts';
import { placeIn, readQueue } from '../../src/services/execution/capacity/queue.ts';
import type { CapacityLimits } from '../../src/domain/capacity-pools.ts';

/** Answer to an asker. */
export type Standing = Awaited<ReturnType<typeof requestCapacity>>;

/** One job that asks for capacity. */
export interface Asker {
  readonly jobId: string;
  readonly accountId: string;
  /** Asks for the vCPUs of the asker, or for so many. */
  ask(vcpus?: number): Promise<Standing>;
  /** Keeps so many vCPUs; answers the jobs that get the others. */
  keep(vcpus: number): Promise<readonly string[]>;
  giveBack(): Promise<readonly string[]>;
  /** Gives back because there is no room; answers the jobs that get it. */
  withdraw(): Promise<readonly string[]>;
  /** The place in the queue, as a process sees it that does not ask for capacity. */
  place(limits?: CapacityLimits): Promise<number | null>;
}

export interface AskerOptions {
  readonly priority?: number;
  readonly limits?: CapacityLimits;
  readonly stepVcpus?: number | null;
  readonly stepGpus?: number;
  readonly instanceClass?: string;
  readonly licence?: string;
  readonly plan?: string | null;
}

/** Askers over a database. */
export class Askers {
  private readonly db: DataSource;
  private readonly limits: CapacityLimits;

  constructor(db: DataSource, limits: CapacityLimits) {
    this.db = db;
    this.limits = limits;
  }

  /** Makes an account. */
  async account(): Promise<string> {
    const accountId = randomUUID();
    await this.db.query('insert into accounts (id) values ($1)', [accountId]);
    await this.db.query('insert into users (id, account_id, email) values ($1, $1, $2)', [
      accountId,
      `${accountId}@example.com`,
    ]);
    return accountId;
  }

  /** Makes a job of an account that will ask for so many vCPUs. */
  async asker(
    accountId: string,
    vcpus: number,
    { priority = 0, limits = this.limits, stepVcpus = null, ...others }: AskerOptions = {},
  ): Promise<Asker> {
    const { db } = this;
    const jobId = randomUUID();
    await db.query(
      `insert into jobs (id, account_id, user_id, job_type, tool_id, provider, status, request, fingerprint, submit_response, first_run_id, unit, task_total)
       values ($1, $2, $2, 'simulation', 'noop', 'local', 'QUEUED', '{}', '', '{}', '', 'task', 1)`,
      [jobId, accountId],
    );
    const request = { jobId, execution: 1, accountId, priority, stepVcpus, ...others };
    return {
      ...{ jobId, accountId },
      ask: (wanted = vcpus) => requestCapacity(db, { ...request, vcpus: wanted }, limits),
      keep: async (kept) =>
        (await reduceCapacity(db, { jobId, execution: 1, vcpus: kept }, limits)).newlyGranted,
      giveBack: async () => (await releaseCapacity(db, jobId, 1, limits)).newlyGranted,
      withdraw: async () => (await withdrawCapacity(db, { jobId, execution: 1 }, limits)).newlyGranted,
      place: async (within = limits) =>
        placeIn(await readQueue(db, within), { jobId, execution: 1 })?.position ?? null,
    };
  }

  /** How many vCPUs are granted in all, and to the account that has most. */
  async inUse(): Promise<{ total: number; largestAccount: number }> {
    const [row] = await this.db.query<{ total: number; largestAccount: number }[]>(
      `select coalesce(sum(vcpus), 0)::int as total, coalesce(max(vcpus), 0)::int as "largestAccount"
       from (select account_id, sum(vcpus) as vcpus from capacity_requests where state = 'GRANTED' group by 1) used`,
    );
    return row ?? { total: 0, largestAccount: 0 };
  }
}
