/**
 * Turns at working through a stored file as a whole: putting its parts together, reading it for its digest. That takes
 * as long as the bytes are many, so an account has a few turns at once over all control workers, and one process gives
 * out a few in all; the rest of its slots stay free for the commits of everybody.
 *
 * Nobody waits here: who gets no turn is told when to ask again, and holds nothing meanwhile. Of an account those that
 * asked first ask most often, and the more accounts wait, the less often each of them asks; so the load of ten thousand
 * that wait is that of a few, and a turn that is free goes to somebody soon. A turn is a lease by the database's clock,
 * which its holder renews; of a holder that died it is free again within half a minute, and the next attempt at the
 * same work takes it over at once. Where a lease is lost to a slow database the work goes on: two readings too many
 * do no harm.
 */
import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { inTransaction } from './transaction.ts';
import type { Tx } from './transaction.ts';

/** How many files are worked through at once. */
export interface FileTurnLimits {
  /** Of one account, over all processes. */
  readonly ofAccount: number;
  /** Of all accounts, in this process. */
  readonly inProcess: number;
  /** How long a turn lasts that its holder does not renew. */
  readonly leaseSeconds?: number;
}

/** For what a turn is asked. */
export interface TurnWish {
  /** The upload or the job; a repeated attempt at its work asks with the same. */
  readonly id: string;
  readonly accountId: string;
}

/** The turns of one process. */
export interface FileTurns {
  /** Does the work when there is a turn for it now. @throws NoTurnError when there is none. */
  during<T>(wish: TurnWish, work: () => Promise<T>): Promise<T>;
}

/** All turns are taken. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
  /** When to ask again. */
  readonly againInMs: number;

  constructor(againInMs: number) {
    super(`All turns at files are taken; to be asked for again in ${String(againInMs)} ms.`);
    this.againInMs = againInMs;
  }
}

/** How many work files through, and how many wait to. */
export interface TurnCounts {
  readonly held: number;
  readonly waiting: number;
}

const LEASE_SECONDS = 30;
/** Who does not ask again for so long after it was to has given up. */
const GRACE_SECONDS = 30;
const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 600_000;
/** Beyond so many accounts that wait each asks less often. */
const ACCOUNTS_AT_ONCE = 20;

/** When to ask again: `ahead` of the same account have waited for longer, `accounts` wait in all. */
export function againInMs(ahead: number, accounts: number): number {
  const wait = FIRST_AGAIN_MS * (1 + ahead) * Math.max(1, accounts / ACCOUNTS_AT_ONCE);
  return Math.round(Math.min(wait, LAST_AGAIN_MS));
}

/** Makes the turns of one process. */
export function createFileTurns(db: DataSource, limits: FileTurnLimits): FileTurns {
  let held = 0;
  const { leaseSeconds = LEASE_SECONDS } = limits;
  return {
    async during(wish, work) {
      if (held >= limits.inProcess) throw new NoTurnError(await lineUp(db, wish));
      held += 1;
      try {
        const lease = { id: wish.id, holder: randomUUID(), seconds: leaseSeconds };
        await take(db, wish, lease, limits.ofAccount);
        return await whileRenewed(db, lease, work);
      } finally {
        held -= 1;
      }
    },
  };
}

/** Counts turns over all processes. */
export async function countFileTurns(db: DataSource): Promise<TurnCounts> {
  const [row] = await db.query<{ held: number; waiting: number }[]>(
    `select count(*) filter (where holder is not null)::int as held, count(*) filter (where holder is null)::int as waiting
     from file_turns where until > clock_timestamp()`,
  );
  return row ?? { held: 0, waiting: 0 };
}

/** A turn as its holder keeps it. */
interface Lease {
  readonly id: string;
  readonly holder: string;
  readonly seconds: number;
}

/** Removes turns that count for nothing any more; those of accounts that ask for others go then. */
export async function sweepFileTurns(db: DataSource): Promise<void> {
  await db.query('delete from file_turns where until <= clock_timestamp()');
}

/** Takes a turn. @throws NoTurnError. */
async function take(db: DataSource, wish: TurnWish, lease: Lease, ofAccount: number): Promise<void> {
  const wait = await inTransaction(db, async (tx) => {
    await lockAccount(tx, wish.accountId);
    await tx.query('delete from file_turns where account_id = $1 and until <= clock_timestamp()', [
      wish.accountId,
    ]);
    const [others] = await tx.query<{ held: number }[]>(
      'select count(*)::int as held from file_turns where account_id = $1 and holder is not null and id <> $2',
      [wish.accountId, wish.id],
    );
    if ((others?.held ?? 0) >= ofAccount) return waitFor(tx, wish);
    await tx.query(
      `insert into file_turns (id, account_id, holder, until) values ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')
       on conflict (id) do update set holder = excluded.holder, until = excluded.until`,
      [wish.id, wish.accountId, lease.holder, lease.seconds],
    );
    return null;
  });
  if (wait !== null) throw new NoTurnError(wait);
}

/** Notes that it waits; answers when to ask again. */
function lineUp(db: DataSource, wish: TurnWish): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, wish.accountId);
    return waitFor(tx, wish);
  });
}

async function waitFor(tx: Tx, { id, accountId }: TurnWish): Promise<number> {
  const [line] = await tx.query<{ ahead: number; accounts: number }[]>(
    `with own as (select coalesce((select asked_at from file_turns where id = $1), clock_timestamp()) as asked_at)
     select (select count(*)::int from file_turns t, own where t.account_id = $2 and t.holder is null
               and (t.asked_at, t.id) < (own.asked_at, $1)) as ahead,
       (select count(distinct account_id)::int from file_turns where holder is null and until > clock_timestamp()) as accounts`,
    [id, accountId],
  );
  const wait = againInMs(line?.ahead ?? 0, line?.accounts ?? 0);
  await tx.query(
    `insert into file_turns (id, account_id, until) values ($1, $2, clock_timestamp() + $3 * interval '1 second')
     on conflict (id) do update set holder = null, until = excluded.until`,
    [id, accountId, wait / 1000 + GRACE_SECONDS],
  );
  return wait;
}

/** One decision of an account at a time, else two could take its last turn. */
async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`file-turns/${accountId}`]);
}

/** Does the work and keeps the lease; a lease that could not be given back ends by itself. */
async function whileRenewed<T>(
  db: DataSource,
  { id, holder, seconds }: Lease,
  work: () => Promise<T>,
): Promise<T> {
  const renew = (): void => {
    db.query(
      `update file_turns set until = clock_timestamp() + $3 * interval '1 second' where id = $1 and holder = $2`,
      [id, holder, seconds],
    ).catch(() => undefined);
  };
  const timer = setInterval(renew, (seconds * 1000) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await db
      .query('delete from file_turns where id = $1 and holder = $2', [id, holder])
      .catch(() => undefined);
  }
}
