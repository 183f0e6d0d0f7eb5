/**
 * Customers and jobs as far as the ledger sees them: the rows that admission and settlement write beside the movements.
 */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { ApiKeyEntity } from '../../entities/accounts.ts';
import type { Database } from '../../src/adapters/database.ts';
import {
  grantCredits,
  openAccount,
  placeHold,
  settleHold,
  startAllowance,
  verifyLedger,
} from '../../src/services/ledger/index.ts';
import type {
  HoldRequest,
  HoldResult,
  SettlementRequest,
  SettlementResult,
} from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { Queryable, Tx } from '../../src/services/transaction.ts';
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';

/** A customer with credits to spend. */
export interface Customer {
  readonly accountId: string;
  readonly userId: string;
}

/** Balances of a customer, by ledger account. */
export interface Balances {
  readonly wallet: number;
  readonly wallet_held: number;
  readonly monthly: number;
  readonly monthly_held: number;
  readonly debt: number;
}

/** The balances of a customer who has nothing. */
export const NONE: Balances = { wallet: 0, wallet_held: 0, monthly: 0, monthly_held: 0, debt: 0 };

/** A database for the tests of a suite. After each test, whatever it did, the whole ledger must add up. */
export function suiteLedger(): Pick<TestDatabase, 'db' | 'url' | 'tamper'> {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
  });
  after(() => test.close());
  afterEach(async () => {
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });
  return {
    get db() {
      return test.db;
    },
    get url() {
      return test.url;
    },
    tamper: (sql, values) => test.tamper(sql, values),
  };
}

/** A new customer with this number of pence in the wallet. */
export async function openCustomer(db: Database, walletPence = 0): Promise<Customer> {
  const customer = { accountId: uuidv7(), userId: uuidv7() };
  const { accountId, userId } = customer;
  await inTransaction(db, async (tx) => {
    await tx.query('insert into accounts (id) values ($1)', [accountId]);
    const email = `${userId}@example.com`;
    await tx.query('insert into users (id, account_id, email) values ($1, $2, $3)', [
      userId,
      accountId,
      email,
    ]);
    await openAccount(tx, accountId);
  });
  if (walletPence > 0) await give(db, accountId, walletPence);
  return customer;
}

/** A new API key of the customer. */
export async function openKey(tx: Queryable, { accountId, userId }: Customer): Promise<string> {
  const id = uuidv7();
  await tx.getRepository(ApiKeyEntity).insert({
    ...{ id, accountId, userId, name: 'A key', environment: 'live', scopes: ['jobs:write'] },
    ...{ secretSha256: id, prefix: 'svc_live_ab', last4: id.slice(-4) },
  });
  return id;
}

/** Grants credits once under a key. */
export async function give(
  db: Database,
  accountId: string,
  amountPence: number,
  key = uuidv7(),
): Promise<void> {
  await grantCredits(db, { accountId, amountPence, key, description: 'A gift' });
}

/** Starts a period with an allowance; the rest of the period before expires. Answers the id of the period. */
export async function startPeriod(db: Database, accountId: string, grantedPence: number): Promise<string> {
  return inTransaction(db, (tx) => nextPeriod(tx, accountId, grantedPence));
}

/** Starts a period within a transaction. */
export async function nextPeriod(tx: Tx, accountId: string, grantedPence: number): Promise<string> {
  const id = uuidv7();
  const [startsAt, endsAt] = [-10, 20].map((days) => new Date(Date.now() + days * 86_400_000));
  if (startsAt === undefined || endsAt === undefined) throw new Error('no times');
  await startAllowance(tx, { id, accountId, grantedPence, startsAt, endsAt });
  return id;
}

/** Ends the present monthly period now, because a test cannot wait for its end. */
export async function endPeriod(db: Database, accountId: string): Promise<void> {
  await endPeriodIn(db, accountId, -1);
}

/** Lets the present monthly period end in so many seconds. */
export async function endPeriodIn(db: Database, accountId: string, seconds: number): Promise<void> {
  await db.query(
    `with balance as (
       update ledger_balances set monthly_ends_at = clock_timestamp() + make_interval(secs => $2)
       where account_id = $1 and monthly_period is not null returning monthly_period, monthly_ends_at)
     update allowance_periods p set ends_at = monthly_ends_at from balance where p.id = monthly_period`,
    [accountId, seconds],
  );
}

/** A hold for the first execution of a new job. */
export function newHold(accountId: string, amountPence: number): HoldRequest {
  return { holdId: uuidv7(), accountId, jobId: uuidv7(), execution: 1, amountPence };
}

/** Admits a job: its hold, its row and its execution in one transaction; a repetition finds the rows. */
export async function admit(tx: Tx, customer: Customer, request: HoldRequest): Promise<HoldResult> {
  const result = await placeHold(tx, request);
  if (!result.held) return result;
  await tx.query(
    `insert into jobs (id, account_id, user_id, job_type, tool_id, provider, status, request, fingerprint, submit_response,
       first_run_id, unit, task_total, caller_kind, caller_id) values ($1, $2, $3, 'simulation', 'noop', 'local', 'RUNNING', '{}', 'f',
       '{}', 'run', 'task', 1, case when $4::uuid is not null then 'key' end, $4)
     on conflict do nothing`,
    [request.jobId, customer.accountId, customer.userId, request.keyId ?? null],
  );
  await tx.query(
    `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro)
     values ($1, $2, $3, '{}', 0, 'GBP', 'book', 1000000) on conflict do nothing`,
    [request.jobId, request.execution, request.holdId],
  );
  return result;
}

/** Ends a job: settles its hold in the transaction of its terminal state. */
export async function end(tx: Tx, jobId: string, request: SettlementRequest): Promise<SettlementResult> {
  const result = await settleHold(tx, request);
  await tx.query('update job_executions set settled_at = coalesce(settled_at, now()) where hold_id = $1', [
    request.holdId,
  ]);
  await tx.query(
    `update jobs set status = 'SUCCEEDED', finished_at = now(), updated_at = now() where id = $1`,
    [jobId],
  );
  return result;
}

/** The balances of a customer. */
export async function balancesOf(db: Queryable, accountId: string): Promise<Balances> {
  const [row] = await db.query<Balances[]>(
    'select wallet, wallet_held, monthly, monthly_held, debt from ledger_balances where account_id = $1',
    [accountId],
  );
  return row ?? NONE;
}

/** The number of transfers of a customer. */
export async function transferCount(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ n: number }[]>(
    'select count(*)::int as n from ledger_transfers where account_id = $1',
    [accountId],
  );
  return row?.n ?? 0;
}
