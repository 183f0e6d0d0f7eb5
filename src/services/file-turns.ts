/**
 * Turns at working through a stored file as a whole: putting the parts of an upload together, or reading a file for its
 * digest. The time of such work grows with the size of the file. An account therefore has a few turns at once over all
 * control workers, and one process gives out a few turns in all; the other slots of the process stay free for commits.
 *
 * No attempt waits for a turn. An attempt that gets no turn is told when to ask again, and holds nothing until then.
 * The attempts of an account that asked first ask most often, and the more accounts wait, the less often each attempt
 * asks; so ten thousand waiting attempts cost as much as a few, and a free turn is taken soon. A turn is a lease by the
 * database's clock, and its holder renews the lease. The turn of a holder that died is free again within half a minute,
 * and the next attempt at the same work takes the turn over at once. When a slow database makes a holder lose its
 * lease, the holder goes on with its work: a file that is read twice does no harm.
 */
import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { FileTurnEntity } from '../../entities/turns.ts';
import { inTransaction } from './transaction.ts';
import type { Tx } from './transaction.ts';

/** How many files are worked through at once. */
export interface FileTurnLimits {
  /** Turns of one account at once, over all processes. */
  readonly ofAccount: number;
  /** Turns of all accounts at once, in this process. */
  readonly inProcess: number;
  /** How long a turn lasts when its holder does not renew the turn. */
  readonly leaseSeconds?: number;
}

/** The work that a turn is asked for. */
export interface TurnWish {
  /** The id of the upload or the job; a repeated attempt at the same work asks with the same id. */
  readonly id: string;
  readonly accountId: string;
}

/** The turns of one process. */
export interface FileTurns {
  /** Does the work when a turn is free now. @throws NoTurnError when no turn is free. */
  during<T>(wish: TurnWish, work: () => Promise<T>): Promise<T>;
}

/** Thrown when all turns are taken. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
  /** The milliseconds after which the attempt is to ask again. */
  readonly againInMs: number;

  constructor(againInMs: number) {
    super(`All turns at files are taken; to be asked for again in ${String(againInMs)} ms.`);
    this.againInMs = againInMs;
  }
}

/** How many attempts have a turn, and how many wait for a turn. */
export interface TurnCounts {
  readonly held: number;
  readonly waiting: number;
}

const LEASE_SECONDS = 30;
/** An attempt that is this late with asking again is taken to have given up. */
const GRACE_SECONDS = 30;
const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 600_000;
/** When more accounts than this wait, each attempt asks less often. */
const ACCOUNTS_AT_ONCE = 20;

/**
 * When to ask again, where `ahead` attempts of the same account have waited for longer and `accounts` accounts wait.
 */
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

/** Removes turns whose time is over. A request for a turn removes only turns of its own account. */
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

/** Notes that an attempt waits; answers when the attempt is to ask again. */
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

/** Lets one attempt of an account decide at a time, else two attempts could take the account's last turn. */
async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`file-turns/${accountId}`]);
}

/** Does the work and renews the lease meanwhile; a lease that cannot be given back ends by the clock. */
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
      .getRepository(FileTurnEntity)
      .delete({ id, holder })
      .catch(() => undefined);
  }
}
