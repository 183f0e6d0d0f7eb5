/**
 * Granting: which request is next, and whether what is free suffices for the request. Only the oldest waiting request of each
 * account, class and licence is looked at, found by an index, and the few requests that are granted and want more, so thousands of
 * waiting requests cost nothing; and every change grants under one advisory lock, so two control workers never grant the same vCPU.
 *
 * Requests that wait for their first instance come before those that want one more. The next of each is that of the highest
 * plan, then of the account that uses least, then the oldest; whoever has waited for half an hour counts as of the highest
 * plan, whoever has waited for an hour comes by age alone, and while the accounts of a lower plan have less than a quarter of all
 * vCPUs, their requests come first. A request whose account is at its limit holds up later requests of this account and class
 * only. The next seat of a software goes to the oldest request for the software that may come, and a request that waits for a seat
 * holds up nobody who needs none. A request that does not fit reserves what it lacks, vCPUs or GPUs, of all or of its class: for a
 * quarter of an hour what is given back of that is kept for the request, so that smaller requests do not keep it waiting for ever.
 * Afterwards others pass for a quarter of an hour, and nobody reserves the same meanwhile.
 */
import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import type { Row } from '../../row.ts';
import type { Tx } from '../../transaction.ts';
import { isOfSeats, Usage, lackOf } from '../../../domain/capacity-pools.ts';
import type { Amount, CapacityLimits, Pooled } from '../../../domain/capacity-pools.ts';
import {
  HIGHEST_PRIORITY,
  OVERDUE_PRIORITY,
  firstStepOf,
  nextStepOf,
  nextToGrow,
  nextToStart,
} from './turns.ts';
import type { Room, Turn } from './turns.ts';

/** The job of a request that was granted its first vCPUs or more of them. */
export type Granted = Row<CapacityRequestRow, 'jobId'>;

/** The oldest waiting request of an account, a class and a licence. */
type Head = Turn & { readonly reserves: boolean };
/** A granted request that wants more, with what it is granted by now. */
type Grower = { -readonly [Name in keyof Turn]: Turn[Name] } & Row<CapacityRequestRow, 'wantedVcpus'>;

const LOCK = 'dockyard.capacity';

/** The wait after which a request counts as a request of the highest plan, and that after which only its age counts. */
const AGED = "interval '30 minutes'";
const OVERDUE = "interval '60 minutes'";
/** How long a request that does not fit keeps from others what is given back, and when the next one may. */
const RESERVATION = "interval '15 minutes'";
const NEXT_RESERVATION = "interval '30 minutes'";

/** The priority of a request with its age. */
export const AGED_PRIORITY = `case when requested_at < now() - ${OVERDUE} then ${OVERDUE_PRIORITY}
  when requested_at < now() - ${AGED} then greatest(priority, ${HIGHEST_PRIORITY}) else priority end`;

const TURN = `job_id, execution, account_id, class, plan, licence, vcpus, step_vcpus, step_gpus, ${AGED_PRIORITY} as priority,
  extract(epoch from requested_at)::text as asked`;

/** The oldest waiting request of the highest plan of an account, class and licence; the index has the requests in this order. */
const headOf = (account: string, ofClass: string, licence: string): string => `
  select ${TURN}, coalesce(reserved_at > now() - ${RESERVATION}, false) as reserves
  from capacity_requests where state = 'WAITING' and account_id = ${account} and class = ${ofClass} and licence = ${licence}
  order by capacity_requests.priority desc, requested_at, job_id limit 1`;

/** From one account, class and licence to the next by the index, so that their number counts and not that of requests. */
const HEADS = `
  with recursive waiting (account_id, class, licence) as (
    (select account_id, class, licence from capacity_requests where state = 'WAITING' order by account_id, class, licence limit 1)
    union all
    select next.* from waiting cross join lateral (
      select c.account_id, c.class, c.licence from capacity_requests c
      where c.state = 'WAITING' and (c.account_id, c.class, c.licence) > (waiting.account_id, waiting.class, waiting.licence)
      order by c.account_id, c.class, c.licence limit 1) next
  )
  select head.* from waiting
  cross join lateral (${headOf('waiting.account_id', 'waiting.class', 'waiting.licence')}) head`;

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

/** Grants requests in order until nothing more fits; to be called under the lock. Answers the jobs that got something. */
export async function grantWaiting(tx: Tx, limits: CapacityLimits): Promise<readonly Granted[]> {
  const used = await readUsage(tx);
  return used.total.vcpus >= limits.totalVcpus ? [] : new Granting(tx, limits, used).run();
}

/** One round of granting. */
class Granting implements Room {
  private readonly tx: Tx;
  readonly limits: CapacityLimits;
  readonly used: Usage;
  readonly kept = new Set<string>();
  private readonly granted = new Set<string>();
  private growers: Grower[] = [];
  private readonly grown = new Set<Grower>();

  constructor(tx: Tx, limits: CapacityLimits, used: Usage) {
    this.tx = tx;
    this.limits = limits;
    this.used = used;
  }

  async run(): Promise<readonly Granted[]> {
    this.growers = await this.tx.query<Grower[]>(GROWERS);
    await this.start();
    this.grow();
    await this.writeGrown();
    return [...this.granted].map((jobId) => ({ job_id: jobId }));
  }

  /** Grants first instances, and keeps what is left for requests that reserve it. */
  private async start(): Promise<void> {
    const heads = new Map((await this.tx.query<Head[]>(HEADS)).map((head) => [nameOf(head), head]));
    for (;;) {
      const next = nextToStart(heads.values(), this);
      if (next === null) return;
      const need = firstStepOf(next, this.limits);
      const lack = lackOf(next, need, this.limits, this.used);
      if (lack !== null) {
        // One seat is the most that an instance takes, so nobody need keep seats from smaller requests.
        if (!isOfSeats(lack) && (next.reserves || (await this.reserve(next, lack.what))))
          this.kept.add(lack.what);
        else this.passBy(heads, lack.what);
        heads.delete(nameOf(next));
        continue;
      }
      await this.grantFirst(next, need);
      const [behind] = await this.tx.query<Head[]>(headOf('$1', '$2', '$3'), [
        next.account_id,
        next.class,
        next.licence,
      ]);
      if (behind === undefined) heads.delete(nameOf(next));
      else heads.set(nameOf(next), behind);
    }
  }

  /** Leaves out who lacks what nobody may reserve now, at once, so that a round looks at each of many accounts a few times only. */
  private passBy(heads: Map<string, Head>, what: string): void {
    for (const [name, head] of heads) {
      const lack = lackOf(head, firstStepOf(head, this.limits), this.limits, this.used);
      if (lack?.what === what && (isOfSeats(lack) || !head.reserves)) heads.delete(name);
    }
  }

  private async grantFirst(head: Head, need: Amount): Promise<void> {
    await this.tx.query(
      `update capacity_requests set state = 'GRANTED', reason = null, granted_at = now(), first_granted_at = now(),
         vcpus = $3, wanted_vcpus = $4
       where job_id = $1 and execution = $2`,
      [head.job_id, head.execution, need.vcpus, head.step_vcpus === null ? null : head.vcpus],
    );
    this.take(head, need);
    if (head.step_vcpus !== null && head.vcpus >= need.vcpus + head.step_vcpus)
      this.growers.push({ ...head, vcpus: need.vcpus, wanted_vcpus: head.vcpus });
  }

  /** Reserves what a request lacks, unless some request has reserved the same of late; true when it does. */
  private async reserve({ job_id, execution }: Head, what: string): Promise<boolean> {
    const reserved = await this.tx.query<unknown[]>(
      `with reserved as (update capacity_requests set reserved_at = now(), reserved_for = $3
         where job_id = $1 and execution = $2 and not exists (select 1 from capacity_requests
           where state = 'WAITING' and reserved_at > now() - ${NEXT_RESERVATION} and coalesce(reserved_for, $3) = $3)
         returning 1)
       select 1 from reserved`,
      [job_id, execution, what],
    );
    return reserved.length > 0;
  }

  /** Grants one instance more after the other, while something is left. */
  private grow(): void {
    for (;;) {
      const next = nextToGrow(this.growers, this);
      if (next === null) return;
      const step = nextStepOf(next);
      next.vcpus += step.vcpus;
      this.grown.add(next);
      this.take(next, step);
      if ((next.wanted_vcpus ?? 0) < next.vcpus + step.vcpus)
        this.growers.splice(this.growers.indexOf(next), 1);
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

  private take(turn: Turn, need: Amount): void {
    this.used.take(turn, need);
    this.granted.add(turn.job_id);
  }
}

/** Reads what is granted. */
export async function readUsage(db: Pick<Tx, 'query'>): Promise<Usage> {
  const rows = await db.query<(Pooled & Amount)[]>(
    `select account_id, class, plan, licence, sum(vcpus)::int as vcpus, sum(gpus)::int as gpus, sum(seats)::int as seats
     from capacity_requests where state = 'GRANTED' group by 1, 2, 3, 4`,
  );
  const used = new Usage();
  for (const row of rows) used.take(row, row);
  return used;
}

function nameOf({ account_id: account, class: ofClass, licence }: Pooled): string {
  return `${account}/${ofClass}/${licence}`;
}
