/** What a customer sees of the ledger: balance and transactions. Reads only; amounts are integer pence. */
import type { DataSource } from 'typeorm';

import type { Actor } from '../domain/access.ts';
import type {
  CreditBalanceResponse,
  CreditTransaction,
  TransactionListResponse,
  TransactionType,
} from '../domain/responses.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { CREDIT_CURRENCY } from './prices/quotes.ts';

/** Filters of the list of transactions; times are ISO 8601. */
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

interface Balances {
  wallet: number;
  wallet_held: number;
  monthly: number;
  monthly_held: number;
  monthly_reset_at: Date | null;
}

interface TransactionRow extends Omit<CreditTransaction, 'created_at' | 'currency'> {
  readonly created_at: Date;
  /** The exact time: a Date has no microseconds, and a page must not repeat or skip a row. */
  readonly place: string;
}

/** Makes the reads. */
export function createCredits(db: DataSource): Credits {
  return {
    async balance(actor) {
      const [row] = await db.query<Balances[]>(
        `select a.monthly_reset_at,
           coalesce(sum(l.balance_pence) filter (where l.kind = 'wallet'), 0)::bigint as wallet,
           coalesce(sum(l.balance_pence) filter (where l.kind = 'wallet_held'), 0)::bigint as wallet_held,
           coalesce(sum(l.balance_pence) filter (where l.kind = 'monthly'), 0)::bigint as monthly,
           coalesce(sum(l.balance_pence) filter (where l.kind = 'monthly_held'), 0)::bigint as monthly_held
         from accounts a left join ledger_accounts l on l.account_id = a.id where a.id = $1 group by a.id`,
        [actor.accountId],
      );
      return presentBalance(
        row ?? { wallet: 0, wallet_held: 0, monthly: 0, monthly_held: 0, monthly_reset_at: null },
      );
    },

    async transactions(actor, query) {
      const rows = await transactionRows(db, actor, query);
      const page = pageOf(rows, query.limit, (row) => [row.place, row.id]);
      return {
        transactions: page.rows.map(({ place: _place, ...row }) => ({
          ...row,
          currency: CREDIT_CURRENCY,
          created_at: row.created_at.toISOString(),
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
    monthly_reset_at: row.monthly_reset_at?.toISOString() ?? null,
    total_credited_cents: walletPence + monthlyPence,
    held_cents: row.wallet_held + row.monthly_held,
    available_cents: availablePence,
    available_display: `£${(availablePence / 100).toFixed(2)}`,
  };
}

/**
 * One row per transfer and bucket. The amount is what changed of the available balance; a charge takes from what is
 * held and leaves the available balance as it is.
 */
async function transactionRows(
  db: DataSource,
  actor: Actor,
  query: TransactionQuery,
): Promise<TransactionRow[]> {
  const [place, after] = query.cursor === undefined ? [null, null] : decodeCursor(query.cursor, 2);
  return db.query<TransactionRow[]>(
    `with movements as (
       select t.id as transfer_id, t.kind, t.job_id, t.tier_id, t.reverses_id, t.description, t.created_at,
         split_part(l.kind, '_', 1) as bucket, max(e.id) as last_entry,
         sum(e.amount_pence) filter (where l.kind not like '%\\_held') as free_change,
         sum(e.amount_pence) filter (where l.kind like '%\\_held') as held_change
       from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
         join ledger_accounts l on l.id = e.ledger_account_id
       where t.account_id = $1 and l.account_id = $1 and l.kind <> 'debt'
         and ($2::text is null or t.kind = $2) and ($3::uuid is null or t.job_id = $3)
         and ($4::timestamptz is null or t.created_at >= $4) and ($5::timestamptz is null or t.created_at < $5)
         and ($6::timestamptz is null or t.created_at <= $6)
       group by t.id, split_part(l.kind, '_', 1)
     ), listed as (
       select *, transfer_id || ':' || bucket as id from movements
     )
     select m.id, m.kind as type, m.bucket, coalesce(m.free_change, m.held_change)::bigint as amount_cents,
       ${balanceAt('m.bucket')} as balance_after_cents, ${balanceAt("m.bucket || '_held'")} as held_after_cents,
       m.job_id, m.tier_id, m.reverses_id, m.description, m.created_at, m.created_at::text as place
     from listed m where $6::timestamptz is null or (m.created_at, m.id) < ($6, $7)
     order by m.created_at desc, m.id desc limit $8`,
    [
      actor.accountId,
      query.type ?? null,
      query.jobId ?? null,
      query.from ?? null,
      query.to ?? null,
      place,
      after,
      query.limit + 1,
    ],
  );
}

/** The balance of one of the customer's accounts after the movement's last entry. */
function balanceAt(kind: string): string {
  return `coalesce((select e.balance_after_pence from ledger_entries e join ledger_accounts l on l.id = e.ledger_account_id
    where l.account_id = $1 and l.kind = ${kind} and e.id <= m.last_entry order by e.id desc limit 1), 0)`;
}
