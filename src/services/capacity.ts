/**
 * Capacity is granted by rows, not queues: by plan priority, then to the account that uses least, then to the oldest,
 * within the account's and the deployment's limits. Every change grants what it can under one advisory lock, so two
 * control workers never grant the same vCPU, and an account at its limit stands in nobody's way.
 */
import type { DataSource } from 'typeorm';
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
  job_id: string;
  execution: number;
  account_id: string;
  vcpus: number;
  priority: number;
  state: 'WAITING' | 'GRANTED';
}

const LOCK = 'dockyard.capacity';

/** Asks for capacity, grants what can be granted, and tells where this execution stands. Repeatable. */
export async function requestCapacity(db: DataSource, request: CapacityRequest, limits: CapacityLimits): Promise<CapacityAnswer> {
  return inTransaction(db, async (tx) => {
    await lock(tx);
    await tx.query(
      `insert into capacity_requests (job_id, execution, account_id, vcpus, priority) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [request.jobId, request.execution, request.accountId, Math.min(request.vcpus, limits.totalVcpus, limits.accountVcpus), request.priority],
    );
    const { granted, waiting } = await grant(tx, limits);
    const position = waiting.findIndex((row) => isOf(row, request));
    if (position < 0) return { granted: granted.some((row) => isOf(row, request)), position: 0, reason: null };
    const used = granted.filter((row) => row.account_id === request.accountId).reduce((sum, row) => sum + row.vcpus, 0);
    const own = waiting[position]?.vcpus ?? 0;
    return { granted: false, position: position + 1, reason: used + own > limits.accountVcpus ? 'ACCOUNT_LIMIT' : 'CAPACITY' };
  });
}

/** Gives capacity back and grants it on; a second call finds nothing to give back. */
export async function releaseCapacity(db: DataSource, jobId: string, execution: number, limits: CapacityLimits): Promise<{ newlyGranted: string[] }> {
  return inTransaction(db, async (tx) => {
    await lock(tx);
    await tx.query(
      `update capacity_requests set state = 'RELEASED', released_at = now() where job_id = $1 and execution = $2 and state <> 'RELEASED'`,
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

/** Grants every waiting request that fits, in order of merit; a request is never larger than what an empty deployment has. */
async function grant(tx: Tx, limits: CapacityLimits): Promise<{ granted: Row[]; fresh: Row[]; waiting: Row[] }> {
  const rows = await tx.query<Row[]>(
    `select job_id, execution, account_id, vcpus, priority, state from capacity_requests where state <> 'RELEASED'
     order by requested_at, job_id`,
  );
  const granted = rows.filter((row) => row.state === 'GRANTED');
  const fresh: Row[] = [];
  let waiting = rows.filter((row) => row.state === 'WAITING');
  for (;;) {
    const next = inOrderOfMerit(waiting, granted).find((row) => fits(row, granted, limits));
    if (next === undefined) break;
    granted.push(next);
    fresh.push(next);
    waiting = waiting.filter((row) => row !== next);
  }
  if (fresh.length > 0) {
    await tx.query(
      `update capacity_requests c set state = 'GRANTED', granted_at = now()
       from unnest($1::uuid[], $2::int[]) as g (job_id, execution) where c.job_id = g.job_id and c.execution = g.execution`,
      [fresh.map((row) => row.job_id), fresh.map((row) => row.execution)],
    );
  }
  return { granted, fresh, waiting: inOrderOfMerit(waiting, granted) };
}

function used(granted: readonly Row[], accountId?: string): number {
  return granted.reduce((sum, row) => (accountId === undefined || row.account_id === accountId ? sum + row.vcpus : sum), 0);
}

function fits(row: Row, granted: readonly Row[], limits: CapacityLimits): boolean {
  return used(granted) + row.vcpus <= limits.totalVcpus && used(granted, row.account_id) + row.vcpus <= limits.accountVcpus;
}

/** Plan priority, then the account that uses least, then age (the rows come in order of age). */
function inOrderOfMerit(waiting: readonly Row[], granted: readonly Row[]): Row[] {
  return [...waiting].sort((a, b) => b.priority - a.priority || used(granted, a.account_id) - used(granted, b.account_id));
}
