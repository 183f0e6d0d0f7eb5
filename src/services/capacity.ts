/**
 * Capacity is granted by rows, not queues: by plan priority, then to the account that uses least, then to the oldest,
 * within the account's and the deployment's limits. Every change grants what it can under one advisory lock, so two
 * control workers never grant the same vCPU. An account at its limit stands in nobody's way; a request that only waits
 * for the deployment is not overtaken by smaller ones of less merit, or it would wait for ever.
 */
import type { DataSource } from 'typeorm';

import { invariantBroken } from '../domain/invariant.ts';
import { inTransaction, type Tx } from './transaction.ts';

/** Limits in vCPUs. */
export interface CapacityLimits {
  readonly totalVcpus: number;
  readonly accountVcpus: number;
}

/** What an execution asks for. */
export interface CapacityRequest {
  readonly jobId: string;
  readonly execution: number;
  readonly accountId: string;
  /** More than the limits ever allow is cut to what they allow. */
  readonly vcpus: number;
  /** Higher is granted first. */
  readonly priority: number;
}

/** Whether capacity is granted; while it is not, the place in the queue from 1, and why. */
export interface CapacityAnswer {
  readonly granted: boolean;
  readonly position: number;
  readonly reason: 'ACCOUNT_LIMIT' | 'CAPACITY' | null;
}

interface Row {
  readonly job_id: string;
  readonly execution: number;
  readonly account_id: string;
  readonly vcpus: number;
  readonly priority: number;
  readonly state: 'WAITING' | 'GRANTED';
}

const LOCK = 'dockyard.capacity';

/**
 * Asks for capacity, grants what can be granted, and tells where this execution stands. Repeatable.
 * @throws Invariant when the execution has given its capacity back: it is over and gets none again.
 */
export async function requestCapacity(
  db: DataSource,
  request: CapacityRequest,
  limits: CapacityLimits,
): Promise<CapacityAnswer> {
  return inTransaction(db, async (tx) => {
    await lock(tx);
    await tx.query(
      `insert into capacity_requests (job_id, execution, account_id, vcpus, priority) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [request.jobId, request.execution, request.accountId, request.vcpus, request.priority],
    );
    const { usage, granted, waiting } = await grant(tx, limits);
    if (granted.some((row) => isOf(row, request))) return { granted: true, position: 0, reason: null };
    const index = waiting.findIndex((row) => isOf(row, request));
    const own = waiting[index];
    if (own === undefined)
      throw invariantBroken(
        `capacity of ${request.jobId}/${String(request.execution)} was given back already`,
      );
    const reason = usage.fitsAccount(own) ? 'CAPACITY' : 'ACCOUNT_LIMIT';
    // The customer reads it from the row.
    await tx.query(
      'update capacity_requests set reason = $3 where job_id = $1 and execution = $2 and reason is distinct from $3',
      [request.jobId, request.execution, reason],
    );
    return { granted: false, position: index + 1, reason };
  });
}

/**
 * Gives capacity back and grants it on. A second call finds nothing to give back; a request that arrives after it, from
 * an attempt that was given up, gets nothing, or nobody would ever give that back.
 */
export async function releaseCapacity(
  db: DataSource,
  jobId: string,
  execution: number,
  limits: CapacityLimits,
): Promise<{ newlyGranted: string[] }> {
  return inTransaction(db, async (tx) => {
    await lock(tx);
    await tx.query(
      `insert into capacity_requests as c (job_id, execution, account_id, vcpus, priority, state, released_at)
       select id, $2, account_id, 1, 0, 'RELEASED', now() from jobs where id = $1
       on conflict (job_id, execution) do update set state = 'RELEASED', released_at = now() where c.state <> 'RELEASED'`,
      [jobId, execution],
    );
    return { newlyGranted: (await grant(tx, limits)).fresh.map((row) => row.job_id) };
  });
}

function isOf(row: Row, request: { jobId: string; execution: number }): boolean {
  return row.job_id === request.jobId && row.execution === request.execution;
}

async function lock(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}

/** What came of granting: everything granted, what of it is new, and what waits, in order of merit. */
interface Grants {
  readonly usage: Usage;
  readonly granted: readonly Row[];
  readonly fresh: readonly Row[];
  readonly waiting: readonly Row[];
}

/** Grants in order of merit, which every grant changes, until the next does not fit. */
async function grant(tx: Tx, limits: CapacityLimits): Promise<Grants> {
  const rows = await tx.query<Row[]>(
    `select job_id, execution, account_id, vcpus, priority, state from capacity_requests where state <> 'RELEASED'
     order by requested_at, job_id`,
  );
  const granted = rows.filter((row) => row.state === 'GRANTED');
  const usage = new Usage(granted, limits);
  const largest = Math.min(limits.totalVcpus, limits.accountVcpus);
  let waiting = rows
    .filter((row) => row.state === 'WAITING')
    .map((row) => ({ ...row, vcpus: Math.min(row.vcpus, largest) }));
  const fresh: Row[] = [];
  for (;;) {
    const next = usage.first(waiting);
    if (next === null || !usage.fitsTotal(next)) break;
    usage.add(next);
    fresh.push(next);
    waiting = waiting.filter((row) => row !== next);
  }
  if (fresh.length > 0) {
    await tx.query(
      `update capacity_requests c set state = 'GRANTED', reason = null, granted_at = now(), vcpus = g.vcpus
       from unnest($1::uuid[], $2::int[], $3::int[]) as g (job_id, execution, vcpus)
       where c.job_id = g.job_id and c.execution = g.execution`,
      [fresh.map((row) => row.job_id), fresh.map((row) => row.execution), fresh.map((row) => row.vcpus)],
    );
  }
  return { usage, granted: [...granted, ...fresh], fresh, waiting: usage.inOrderOfMerit(waiting) };
}

/** What is in use, in all and per account. */
class Usage {
  readonly #limits: CapacityLimits;
  readonly #accounts = new Map<string, number>();
  #totalVcpus = 0;

  constructor(granted: readonly Row[], limits: CapacityLimits) {
    this.#limits = limits;
    for (const row of granted) this.add(row);
  }

  add(row: Row): void {
    this.#totalVcpus += row.vcpus;
    this.#accounts.set(row.account_id, this.#of(row) + row.vcpus);
  }

  fitsTotal(row: Row): boolean {
    return this.#totalVcpus + row.vcpus <= this.#limits.totalVcpus;
  }

  fitsAccount(row: Row): boolean {
    return this.#of(row) + row.vcpus <= this.#limits.accountVcpus;
  }

  /** The one of most merit among those whose account may have more. */
  first(waiting: readonly Row[]): Row | null {
    let best: Row | null = null;
    for (const row of waiting) {
      if (this.fitsAccount(row) && (best === null || this.#compare(row, best) < 0)) best = row;
    }
    return best;
  }

  inOrderOfMerit(waiting: readonly Row[]): Row[] {
    return [...waiting].sort((a, b) => this.#compare(a, b));
  }

  /** Plan priority, then the account that uses least; equals stay in order of age, as the rows come. */
  #compare(a: Row, b: Row): number {
    return b.priority - a.priority || this.#of(a) - this.#of(b);
  }

  #of(row: Row): number {
    return this.#accounts.get(row.account_id) ?? 0;
  }
}
