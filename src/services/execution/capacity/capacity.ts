/**
 * Capacity is granted by rows, not queues: by plan priority, then to the account that uses least, then to the oldest,
 * within the account's and the deployment's limits. Every change grants what it can under one advisory lock, so two
 * control workers never grant the same vCPU. A request whose account is at its limit is skipped, so requests of other
 * accounts behind it are granted. A request that waits only for the limit of the deployment is not skipped, because smaller
 * requests behind it would keep it waiting for ever.
 */
import type { DataSource } from 'typeorm';

import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import type { Row } from '../../row.ts';
import { inTransaction, type Tx } from '../../transaction.ts';

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
  /** A number above the limits is cut to the limits. */
  readonly vcpus: number;
  /** Higher is granted first. */
  readonly priority: number;
}

/** Which execution's request. */
export type CapacityOf = Pick<CapacityRequest, 'jobId' | 'execution'>;

/** Whether capacity is granted; while it is not, the place in the order of granting from 1, and why. */
export interface CapacityAnswer {
  readonly granted: boolean;
  readonly position: number;
  readonly reason: 'ACCOUNT_LIMIT' | 'CAPACITY' | null;
  /** How many vCPUs are granted, which are fewer than were asked for where the limits are lower; absent while none are. */
  readonly vcpus?: number;
}

type OpenRequest = Row<
  CapacityRequestRow,
  'jobId' | 'execution' | 'accountId' | 'vcpus' | 'priority' | 'state'
>;

const LOCK = 'dockyard.capacity';

/** Oldest first. */
const OPEN = `
  select job_id, execution, account_id, vcpus, priority, state from capacity_requests where state <> 'RELEASED'
  order by requested_at, job_id`;

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
    const { granted, waiting } = await grant(tx, limits);
    const given = granted.find((row) => isOf(row, request));
    if (given !== undefined) return { granted: true, position: 0, reason: null, vcpus: given.vcpus };
    const index = waiting.findIndex((row) => isOf(row, request));
    const own = waiting[index];
    if (own === undefined)
      throw invariantBroken(
        `capacity of ${request.jobId}/${String(request.execution)} was given back already`,
      );
    const usedVcpus = sumOf(granted.filter((row) => row.account_id === own.account_id));
    const reason = usedVcpus + own.vcpus > limits.accountVcpus ? 'ACCOUNT_LIMIT' : 'CAPACITY';
    // The status of the job shows the reason from this row.
    await tx.query(
      'update capacity_requests set reason = $3 where job_id = $1 and execution = $2 and reason is distinct from $3',
      [request.jobId, request.execution, reason],
    );
    return { granted: false, position: index + 1, reason };
  });
}

/**
 * Gives capacity back and grants it to other executions. A second call finds nothing to give back. A request for the same
 * execution that arrives afterwards, from an attempt that was given up, gets nothing: no one would give that capacity back.
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

/** The places of all waiting requests in the order of granting, from 1. */
export type QueuePlaces = ReadonlyMap<string, number>;

/** Reads the whole queue; frequent callers use the cached view in queue-view.ts. */
export async function readQueue(db: DataSource, limits: CapacityLimits): Promise<QueuePlaces> {
  const { turns } = queueOf(await db.query<OpenRequest[]>(OPEN), limits);
  return new Map(turns.map(({ row }, index) => [nameOf(row.job_id, row.execution), index + 1]));
}

/** The place of a request; null when it does not wait. */
export function placeIn(places: QueuePlaces, { jobId, execution }: CapacityOf): number | null {
  return places.get(nameOf(jobId, execution)) ?? null;
}

function nameOf(jobId: string, execution: number): string {
  return `${jobId}/${execution}`;
}

function isOf(row: OpenRequest, request: CapacityOf): boolean {
  return row.job_id === request.jobId && row.execution === request.execution;
}

async function lock(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}

/** The result of granting: all granted requests, the newly granted ones, and the waiting ones in the order of granting. */
interface Grants {
  readonly granted: readonly OpenRequest[];
  readonly fresh: readonly OpenRequest[];
  readonly waiting: readonly OpenRequest[];
}

/** Grants requests in order until the next request does not fit. */
async function grant(tx: Tx, limits: CapacityLimits): Promise<Grants> {
  const { granted, turns } = queueOf(await tx.query<OpenRequest[]>(OPEN), limits);
  let totalVcpus = sumOf(granted);
  const end = turns.findIndex(({ row, blocked }) => {
    totalVcpus += row.vcpus;
    return blocked || totalVcpus > limits.totalVcpus;
  });
  const rows = turns.map(({ row }) => row);
  const [fresh, waiting] = end < 0 ? [rows, []] : [rows.slice(0, end), rows.slice(end)];
  if (fresh.length > 0) {
    await tx.query(
      `update capacity_requests c set state = 'GRANTED', reason = null, granted_at = now(), vcpus = g.vcpus
       from unnest($1::uuid[], $2::int[], $3::int[]) as g (job_id, execution, vcpus)
       where c.job_id = g.job_id and c.execution = g.execution`,
      [fresh.map((row) => row.job_id), fresh.map((row) => row.execution), fresh.map((row) => row.vcpus)],
    );
  }
  return { granted: [...granted, ...fresh], fresh, waiting };
}

/** A waiting request in the order of granting. */
interface Turn {
  readonly row: OpenRequest;
  /** What its account uses when all before it are granted. */
  readonly usedVcpus: number;
  /** Whether the account's limit is in its way then. */
  readonly blocked: boolean;
}

/**
 * The order in which waiting requests will be granted, as long as no capacity is given back: by plan priority, then by
 * what the account uses, least first, then by age. Each request in the order counts as granted for the requests after it.
 * Requests whose account is at its limit come last, because granting skips them.
 */
function queueOf(
  open: readonly OpenRequest[],
  limits: CapacityLimits,
): { readonly granted: readonly OpenRequest[]; readonly turns: readonly Turn[] } {
  const granted = open.filter((row) => row.state === 'GRANTED');
  const used = new Map<string, number>();
  const use = (row: OpenRequest): unknown =>
    used.set(row.account_id, (used.get(row.account_id) ?? 0) + row.vcpus);
  granted.forEach(use);
  const largest = Math.min(limits.totalVcpus, limits.accountVcpus);
  // The requests of one account keep this order among themselves, whatever other accounts are granted in between.
  const turns = open
    .filter((row) => row.state === 'WAITING')
    .map((row) => ({ ...row, vcpus: Math.min(row.vcpus, largest) }))
    .sort((a, b) => b.priority - a.priority)
    .map((row): Turn => {
      const usedVcpus = used.get(row.account_id) ?? 0;
      const blocked = usedVcpus + row.vcpus > limits.accountVcpus;
      if (!blocked) use(row);
      return { row, usedVcpus, blocked };
    })
    .sort(
      (a, b) =>
        Number(a.blocked) - Number(b.blocked) || b.row.priority - a.row.priority || a.usedVcpus - b.usedVcpus,
    );
  return { granted, turns };
}

function sumOf(rows: readonly OpenRequest[]): number {
  return rows.reduce((sum, row) => sum + row.vcpus, 0);
}
