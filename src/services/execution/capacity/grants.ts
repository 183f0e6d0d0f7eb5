/**
 * Granting: which request is next, and whether the free vCPUs suffice for the request. Only the oldest waiting request of each account is looked at, found
 * by an index, so thousands of waiting requests cost nothing; and every change grants under one advisory lock, so two control
 * workers never grant the same vCPU.
 *
 * The next request is that of the highest plan, then of the account that uses least, then the oldest; whoever has waited for
 * half an hour counts as of the highest plan. A request whose account
 * is at its limit holds up later requests of this account only. A request that waits for the limit of the deployment holds up
 * all others, because smaller requests behind it would keep it waiting for ever.
 */
import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import type { Row } from '../../row.ts';
import type { Tx } from '../../transaction.ts';

/** Limits in vCPUs. */
export interface CapacityLimits {
  readonly totalVcpus: number;
  readonly accountVcpus: number;
}

/** A request that was granted, with the vCPUs that it got. */
export type Granted = Row<CapacityRequestRow, 'jobId' | 'execution' | 'vcpus'>;

type Head = Row<CapacityRequestRow, 'jobId' | 'execution' | 'accountId' | 'vcpus' | 'priority'> & {
  /** The time of the request in microseconds, by which ties are decided. */
  readonly asked: string;
};

const LOCK = 'dockyard.capacity';

/** The priority of the highest plan. */
const HIGHEST_PRIORITY = 10;
/** The wait after which a request counts as a request of the highest plan, so that no plan is kept waiting for ever. */
const AGED = "interval '30 minutes'";

/** The priority of a request with its age. */
export const AGED_PRIORITY = `case when requested_at < now() - ${AGED} then greatest(priority, ${HIGHEST_PRIORITY}) else priority end`;

const HEAD = `job_id, execution, account_id, vcpus, ${AGED_PRIORITY} as priority, extract(epoch from requested_at)::text as asked`;

/** The oldest waiting request of the highest plan of an account; the index has the requests in this order. */
const headOf = (account: string): string => `
  select ${HEAD} from capacity_requests where state = 'WAITING' and account_id = ${account}
  order by capacity_requests.priority desc, requested_at, job_id limit 1`;

/** From one account to the next by the index, so that the number of accounts counts and not that of requests. */
const HEADS = `
  with recursive waiting (account_id) as (
    (select account_id from capacity_requests where state = 'WAITING' order by account_id limit 1)
    union all
    select (select c.account_id from capacity_requests c where c.state = 'WAITING' and c.account_id > waiting.account_id
      order by c.account_id limit 1)
    from waiting where waiting.account_id is not null
  )
  select head.* from waiting cross join lateral (${headOf('waiting.account_id')}) head where waiting.account_id is not null`;

/** Takes the lock under which capacity is granted, to the end of the transaction. */
export async function lockCapacity(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}

/** Takes the lock unless another process has it. */
export async function tryLockCapacity(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ readonly taken: boolean }[]>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
    [LOCK],
  );
  return row?.taken === true;
}

/** Grants requests in order until the next one does not fit; to be called under the lock. */
export async function grantWaiting(tx: Tx, limits: CapacityLimits): Promise<readonly Granted[]> {
  const used = await usedByAccount(tx);
  let left = limits.totalVcpus - sum(used.values());
  if (left <= 0) return [];
  const largest = Math.min(limits.totalVcpus, limits.accountVcpus);
  const heads = new Map((await tx.query<Head[]>(HEADS)).map((head) => [head.account_id, head]));
  const granted: Granted[] = [];
  for (;;) {
    const next = firstOf(heads.values(), { used, largest, limit: limits.accountVcpus });
    if (next === null || Math.min(next.vcpus, largest) > left) return granted;
    const { job_id, execution, account_id: account } = next;
    const vcpus = Math.min(next.vcpus, largest);
    await tx.query(
      `update capacity_requests set state = 'GRANTED', reason = null, granted_at = now(), vcpus = $3
       where job_id = $1 and execution = $2`,
      [job_id, execution, vcpus],
    );
    granted.push({ job_id, execution, vcpus });
    left -= vcpus;
    used.set(account, (used.get(account) ?? 0) + vcpus);
    const [behind] = await tx.query<Head[]>(headOf('$1'), [account]);
    if (behind === undefined) heads.delete(account);
    else heads.set(account, behind);
  }
}

async function usedByAccount(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.query<Row<CapacityRequestRow, 'accountId' | 'vcpus'>[]>(
    `select account_id, sum(vcpus)::int as vcpus from capacity_requests where state = 'GRANTED' group by 1`,
  );
  return new Map(rows.map((row) => [row.account_id, row.vcpus]));
}

/** The next head among the accounts that have room; null when no account has room. */
function firstOf(
  heads: Iterable<Head>,
  {
    used,
    largest,
    limit,
  }: { readonly used: ReadonlyMap<string, number>; readonly largest: number; readonly limit: number },
): Head | null {
  let first: Head | null = null;
  const useOf = (head: Head): number => used.get(head.account_id) ?? 0;
  const isBefore = (a: Head, b: Head): boolean =>
    b.priority - a.priority < 0 ||
    (a.priority === b.priority &&
      (useOf(a) < useOf(b) ||
        (useOf(a) === useOf(b) && (a.asked < b.asked || (a.asked === b.asked && a.job_id < b.job_id)))));
  for (const head of heads) {
    if (useOf(head) + Math.min(head.vcpus, largest) > limit) continue;
    if (first === null || isBefore(head, first)) first = head;
  }
  return first;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
