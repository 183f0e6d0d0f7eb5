/** The ledger as its customer sees it: balance and transactions. Reads only; amounts are integer pence. */
import type { DataSource } from 'typeorm';

import type { LedgerBalance, LedgerTransfer } from '../../entities/ledger.ts';
import type { Actor } from '../domain/access.ts';
import { pageOf, readCursor, scopeOf } from './cursor.ts';
import type { CursorScope } from './cursor.ts';
import { exactTime } from './exact-time.ts';
import { MONTHLY_AVAILABLE } from './ledger/index.ts';
import { CREDIT_CURRENCY } from './prices/quotes.ts';
import type { ExactTimes, Row } from './row.ts';
import type { CreditBalanceResponse, TransactionListResponse } from '../domain/answers.ts';
import type { TransactionType } from '../domain/ledger.ts';

type CreditTransaction = TransactionListResponse['transactions'][number];

/** Filters of the list of transactions; times are in UTC to the microsecond, from the first on and before the last. */
export interface TransactionQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly type?: TransactionType;
  readonly jobId?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Reads over the ledger. */
export interface Credits {
  balance(actor: Actor): Promise<CreditBalanceResponse>;
  transactions(actor: Actor, query: TransactionQuery): Promise<TransactionListResponse>;
}

/** The end of the monthly credits is null without an active period. */
type Balances = Row<
  LedgerBalance,
  'wallet' | 'walletHeld' | 'monthly' | 'monthlyHeld' | 'monthlyEndsAt' | 'debt'
>;

interface TransactionRow
  extends
    Row<LedgerTransfer, 'jobId' | 'tierId' | 'reversesId' | 'description'>,
    ExactTimes<LedgerTransfer, 'createdAt'>,
    Pick<
      CreditTransaction,
      | 'id'
      | 'bucket'
      | 'amount_cents'
      | 'balance_after_cents'
      | 'held_after_cents'
      | 'debt_cents'
      | 'debt_after_cents'
    > {
  readonly transfer_id: LedgerTransfer['id'];
  readonly type: LedgerTransfer['kind'];
}

const LIST = 'transactions';

const BALANCE = `select wallet, wallet_held, ${MONTHLY_AVAILABLE} as monthly, monthly_held, debt,
    case when monthly_ends_at > now() then monthly_ends_at end as monthly_ends_at
  from ledger_balances where account_id = $1`;

/** Makes the reads over the ledger of one database. */
export function createCredits(db: DataSource): Credits {
  return {
    async balance(actor) {
      const [row] = await db.query<Balances[]>(BALANCE, [actor.accountId]);
      return presentBalance(
        row ?? { wallet: 0, wallet_held: 0, monthly: 0, monthly_held: 0, monthly_ends_at: null, debt: 0 },
      );
    },

    async transactions(actor, query) {
      const scope = scopeOf(LIST, actor, { ...query });
      const rows = await transactionRows(db, scope, query);
      const page = pageOf(scope, rows, query.limit, (row) => [row.transfer_id, row.bucket]);
      return {
        transactions: page.rows.map(({ transfer_id: _transferId, ...row }) => ({
          ...row,
          currency: CREDIT_CURRENCY,
        })),
        nextCursor: page.nextCursor,
      };
    },
  };
}

function presentBalance(row: Balances): CreditBalanceResponse {
  const walletPence = row.wallet + row.wallet_held;
  const monthlyPence = row.monthly + row.monthly_held;
  const availablePence = row.wallet + row.monthly;
  return {
    wallet_cents: walletPence,
    wallet_held_cents: row.wallet_held,
    wallet_available_cents: row.wallet,
    monthly_cents: monthlyPence,
    monthly_held_cents: row.monthly_held,
    monthly_available_cents: row.monthly,
    monthly_reset_at: row.monthly_ends_at?.toISOString() ?? null,
    total_credited_cents: walletPence + monthlyPence,
    held_cents: row.wallet_held + row.monthly_held,
    available_cents: availablePence,
    available_display: `£${(availablePence / 100).toFixed(2)}`,
    debt_cents: Math.abs(row.debt),
  };
}

/**
 * One row per transfer and bucket. The amount is what changed of the available balance; a charge takes from what is held and
 * leaves the available balance as it is. The change of the debt by a transfer stands in the row of the wallet, also where nothing
 * was left for the wallet. Transfers are cut to a page before their lines are looked at, so a page costs the same however long
 * the history is. The transfer that the cursor names is read again for its other bucket.
 */
const TRANSACTIONS = `
  with place as (
    select created_at, id from ledger_transfers where id = $6 and account_id = $1
  ), transfers as (
    select t.* from ledger_transfers t
    where t.account_id = $1
      and ($2::text is null or t.kind = $2) and ($3::uuid is null or t.job_id = $3)
      and ($4::timestamptz is null or t.created_at >= $4) and ($5::timestamptz is null or t.created_at < $5)
      and ($6::uuid is null or (t.created_at, t.id) <= (select created_at, id from place))
      and t.accounts && '{wallet,wallet_held,monthly,monthly_held,debt}'::text[]
    order by t.created_at desc, t.id desc limit $8 + 1
  )
  select t.id as transfer_id, t.id || ':' || m.bucket as id, t.kind as type, m.bucket,
    coalesce(t.amounts_pence[coalesce(array_position(t.accounts, m.bucket),
      case when m.debt is null then array_position(t.accounts, m.bucket || '_held') end)], 0) as amount_cents,
    m.free_after as balance_after_cents, m.held_after as held_after_cents,
    coalesce(-m.debt, 0) as debt_cents, -t.debt_after as debt_after_cents,
    t.job_id, t.tier_id, t.reverses_id, t.description, ${exactTime('t.created_at')} as created_at
  from transfers t cross join lateral (values
    ('wallet', t.wallet_after, t.wallet_held_after, t.amounts_pence[array_position(t.accounts, 'debt')]),
    ('monthly', t.monthly_after, t.monthly_held_after, null)) m(bucket, free_after, held_after, debt)
  where (t.accounts && array[m.bucket, m.bucket || '_held'] or m.debt is not null) and ($6::uuid is null or t.id <> $6 or m.bucket < $7)
  order by t.created_at desc, t.id desc, m.bucket desc limit $8`;

async function transactionRows(
  db: DataSource,
  scope: CursorScope,
  query: TransactionQuery,
): Promise<TransactionRow[]> {
  // The statement reads the time of the transfer from the row of the transfer.
  const [transferId, bucket] = readCursor(scope, query.cursor, ['uuid', 'text']) ?? [null, null];
  return db.query<TransactionRow[]>(TRANSACTIONS, [
    scope.accountId,
    query.type ?? null,
    query.jobId ?? null,
    query.from ?? null,
    query.to ?? null,
    transferId,
    bucket,
    query.limit + 1,
  ]);
}
