/**
 * Granting: which request is next, and whether the free vCPUs suffice for the request. Only the oldest waiting request of each
 * account is looked at, found by an index, and the few requests that are granted and want more, so thousands of waiting requests
 * cost nothing; and every change grants under one advisory lock, so two control workers never grant the same vCPU.
 *
 * Requests that wait for their first instance come before those that want one more. The next of each is that of the highest
 * plan, then of the account that uses least, then the oldest; whoever has waited for half an hour counts as of the highest
 * plan. A request whose account is at its limit holds up later requests of this account only. A request that does not fit
 * reserves: for a quarter of an hour what is given back is kept for the request, so that smaller requests do not keep it
 * waiting for ever. Afterwards others pass for a quarter of an hour, and nobody reserves meanwhile.
 */
import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import type { Row } from '../../row.ts';
import type { Tx } from '../../transaction.ts';
import { firstStepOf, nextToGrow, nextToStart } from './turns.ts';
import type { CapacityLimits, Room, Turn } from './turns.ts';

/** The job of a request that was granted its first vCPUs or more of them. */
export type Granted = Row<CapacityRequestRow, 'jobId'>;

/** The oldest waiting request of an account. */
type Head = Turn & { readonly reserves: boolean };
/** A granted request that wants more, with what it is granted by now. */
type Grower = { -readonly [Name in keyof Turn]: Turn[Name] } & Row<CapacityRequestRow, 'wantedVcpus'>;

const LOCK = 'dockyard.capacity';

/** The priority of the highest plan. */
const HIGHEST_PRIORITY = 10;
/** The wait after which a request counts as a request of the highest plan, so that no plan is kept waiting for ever. */
const AGED = "interval '30 minutes'";
/** How long a request that does not fit keeps from others what is given back, and when the next one may. */
const RESERVATION = "interval '15 minutes'";
const NEXT_RESERVATION = "interval '30 minutes'";

/** The priority of a request with its age. */
export const AGED_PRIORITY = `case when requested_at < now() - ${AGED} then greatest(priority, ${HIGHEST_PRIORITY}) else priority end`;

const TURN = `job_id, execution, account_id, vcpus, step_vcpus, ${AGED_PRIORITY} as priority, extract(epoch from requested_at)::text as asked`;

/** The oldest waiting request of the highest plan of an account; the index has the requests in this order. */
const headOf = (account: string): string => `
  select ${TURN}, coalesce(reserved_at > now() - ${RESERVATION}, false) as reserves
  from capacity_requests where state = 'WAITING' and account_id = ${account}
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

const GROWERS = `
  select ${TURN}, wanted_vcpus from capacity_requests where state = 'GRANTED' and wanted_vcpus >= vcpus + step_vcpus`;

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

/** Grants requests in order until the next one does not fit; to be called under the lock. Answers the jobs that got something. */
export async function grantWaiting(tx: Tx, limits: CapacityLimits): Promise<readonly Granted[]> {
  const used = await usedByAccount(tx);
  const left = limits.totalVcpus - sum(used.values());
  return left <= 0 ? [] : new Granting(tx, { limits, used }, left).run();
}

/** One round of granting. */
class Granting {
  private readonly tx: Tx;
  private readonly room: Room;
  private readonly used: Map<string, number>;
  private left: number;
  private readonly granted = new Set<string>();
  private growers: Grower[] = [];
  private readonly grown = new Set<Grower>();

  constructor(tx: Tx, { limits, used }: { limits: CapacityLimits; used: Map<string, number> }, left: number) {
    this.tx = tx;
    this.used = used;
    this.room = { limits, used };
    this.left = left;
  }

  async run(): Promise<readonly Granted[]> {
    this.growers = await this.tx.query<Grower[]>(GROWERS);
    if (!(await this.start())) this.grow();
    await this.writeGrown();
    return [...this.granted].map((jobId) => ({ job_id: jobId }));
  }

  /** Grants first instances; true when a request reserves what is left. */
  private async start(): Promise<boolean> {
    const heads = new Map((await this.tx.query<Head[]>(HEADS)).map((head) => [head.account_id, head]));
    for (;;) {
      const next = nextToStart(heads.values(), this.room);
      if (next === null) return false;
      const vcpus = firstStepOf(next, this.room.limits);
      if (vcpus > this.left) {
        if (next.reserves || (await this.reserve(next))) return true;
        heads.delete(next.account_id);
        continue;
      }
      await this.grantFirst(next, vcpus);
      const [behind] = await this.tx.query<Head[]>(headOf('$1'), [next.account_id]);
      if (behind === undefined) heads.delete(next.account_id);
      else heads.set(next.account_id, behind);
    }
  }

  private async grantFirst(head: Head, vcpus: number): Promise<void> {
    await this.tx.query(
      `update capacity_requests set state = 'GRANTED', reason = null, granted_at = now(), vcpus = $3, wanted_vcpus = $4
       where job_id = $1 and execution = $2`,
      [head.job_id, head.execution, vcpus, head.step_vcpus === null ? null : head.vcpus],
    );
    this.take(head, vcpus);
    if (head.step_vcpus !== null && head.vcpus >= vcpus + head.step_vcpus)
      this.growers.push({ ...head, vcpus, wanted_vcpus: head.vcpus });
  }

  /** Reserves what is given back for a request, unless some request has reserved of late; true when it does. */
  private async reserve({ job_id, execution }: Head): Promise<boolean> {
    const reserved = await this.tx.query<unknown[]>(
      `with reserved as (update capacity_requests set reserved_at = now() where job_id = $1 and execution = $2 and not exists (
           select 1 from capacity_requests where state = 'WAITING' and reserved_at > now() - ${NEXT_RESERVATION})
         returning 1)
       select 1 from reserved`,
      [job_id, execution],
    );
    return reserved.length > 0;
  }

  /** Grants one instance more after the other, while something is left. */
  private grow(): void {
    for (;;) {
      const next = nextToGrow(this.growers, this.room, this.left);
      if (next === null) return;
      const step = next.step_vcpus ?? 0;
      next.vcpus += step;
      this.grown.add(next);
      this.take(next, step);
      if ((next.wanted_vcpus ?? 0) < next.vcpus + step) this.growers.splice(this.growers.indexOf(next), 1);
    }
  }

  private async writeGrown(): Promise<void> {
    const rows = [...this.grown];
    if (rows.length === 0) return;
    await this.tx.query(
      `update capacity_requests c set vcpus = grown.vcpus, granted_at = now(), noticed_at = null
       from unnest($1::uuid[], $2::int[], $3::int[]) as grown (job_id, execution, vcpus)
       where c.job_id = grown.job_id and c.execution = grown.execution`,
      [rows.map((row) => row.job_id), rows.map((row) => row.execution), rows.map((row) => row.vcpus)],
    );
  }

  private take({ job_id, account_id: account }: Turn, vcpus: number): void {
    this.left -= vcpus;
    this.used.set(account, (this.used.get(account) ?? 0) + vcpus);
    this.granted.add(job_id);
  }
}

async function usedByAccount(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.query<Row<CapacityRequestRow, 'accountId' | 'vcpus'>[]>(
    `select account_id, sum(vcpus)::int as vcpus from capacity_requests where state = 'GRANTED' group by 1`,
  );
  return new Map(rows.map((row) => [row.account_id, row.vcpus]));
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
