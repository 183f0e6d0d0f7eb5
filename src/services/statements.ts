/**
 * Statements of UTC months over the ledger. The times of an account's transfers are in the order of their numbers, so a
 * month is a run of numbers; its first and last number are looked up once, and the lines are read page by page between
 * them. Transfers are never changed, so pages that are read one after the other are one snapshot without a transaction.
 */
import type { DataSource } from 'typeorm';

import type { LedgerTransfer } from '../../entities/ledger.ts';
import { AppError } from '../domain/errors.ts';
import type { OpenStatement, StatementBalances, StatementLine } from '../domain/statement.ts';
import { exactTime } from './exact-time.ts';
import { CREDIT_CURRENCY } from './prices/quotes.ts';
import type { ExactTimes, Row } from './row.ts';
import type { TransactionType } from '../domain/ledger.ts';
import type { Actor } from '../domain/access.ts';
import type { Answers } from '../domain/answers.ts';

type StatementListItem = Answers['listCreditStatements']['statements'][number];
type StatementListResponse = Pick<Answers['listCreditStatements'], 'statements'>;

interface BoundsRow {
  /** The last number before the month, and the last one of the month; 0 where there is none. */
  readonly before: number;
  readonly last: number;
  readonly opening: StatementBalances | null;
  readonly closing: StatementBalances | null;
  readonly final: boolean;
}

interface LineRow
  extends
    Row<LedgerTransfer, 'id' | 'version' | 'jobId' | 'tierId' | 'reversesId' | 'description'>,
    ExactTimes<LedgerTransfer, 'createdAt'>,
    StatementBalances {
  readonly type: TransactionType;
  readonly paid_cents: number;
}

const PAGE = 100;
const NOTHING: StatementBalances = {
  wallet_cents: 0,
  wallet_held_cents: 0,
  monthly_cents: 0,
  monthly_held_cents: 0,
  debt_cents: 0,
};

const BALANCES = `jsonb_build_object('wallet_cents', t.wallet_after, 'wallet_held_cents', t.wallet_held_after,
  'monthly_cents', t.monthly_after, 'monthly_held_cents', t.monthly_held_after, 'debt_cents', -t.debt_after)`;

/** The newest transfer of the account before a moment. */
function newestBefore(moment: string): string {
  return `select t.version, ${BALANCES} as balances from ledger_transfers t
    where t.account_id = $1 and t.created_at < ${moment} order by t.created_at desc, t.version desc limit 1`;
}

/** The first month of the account. */
const FIRST_MONTH = `date_trunc('month', timezone('UTC', least(a.created_at,
  (select t.created_at from ledger_transfers t where t.account_id = a.id order by t.version limit 1))))`;

const MONTHS = `
  select to_char(m.month, 'YYYY-MM') as month, timezone('UTC', m.month + interval '1 month') <= now() as final,
    e.balances as closing
  from accounts a
    cross join lateral generate_series(${FIRST_MONTH}, date_trunc('month', timezone('UTC', now())), interval '1 month') m(month)
    left join lateral (${newestBefore(`timezone('UTC', m.month + interval '1 month')`)}) e on true
  where a.id = $1 order by m.month desc`;

const BOUNDS = `
  select coalesce(b.version, 0) as before, coalesce(e.version, 0) as last, b.balances as opening, e.balances as closing,
    timezone('UTC', m.month + interval '1 month') <= now() as final
  from accounts a cross join (values ($2::timestamp)) m(month)
    left join lateral (${newestBefore(`timezone('UTC', m.month)`)}) b on true
    left join lateral (${newestBefore(`timezone('UTC', m.month + interval '1 month')`)}) e on true
  where a.id = $1 and m.month >= ${FIRST_MONTH} and m.month <= timezone('UTC', now())`;

function change(account: string): string {
  return `coalesce(t.amounts_pence[array_position(t.accounts, '${account}')], 0)`;
}

const LINES = `
  select t.id, t.version, ${exactTime('t.created_at')} as created_at, t.kind as type, t.job_id, t.tier_id, t.reverses_id,
    t.description, ${change('wallet')} as wallet_cents, ${change('wallet_held')} as wallet_held_cents,
    ${change('monthly')} as monthly_cents, ${change('monthly_held')} as monthly_held_cents, -${change('debt')} as debt_cents,
    -${change('stripe_clearing')} as paid_cents
  from ledger_transfers t where t.account_id = $1 and t.version > $2 and t.version <= $3
  order by t.version limit ${String(PAGE)}`;

/** The statements that an account has, the newest first: one for each UTC month since the account was opened. */
export async function listStatements(db: DataSource, accountId: string): Promise<StatementListResponse> {
  type MonthRow = Pick<StatementListItem, 'month' | 'final'> & {
    readonly closing: StatementBalances | null;
  };
  const rows = await db.query<MonthRow[]>(MONTHS, [accountId]);
  return { statements: rows.map((row) => ({ ...row, closing: row.closing ?? NOTHING })) };
}

/**
 * Opens the statement of a UTC month, written as YYYY-MM. The statement of the present month ends with the newest movement.
 * @throws NOT_FOUND for a month before the account was opened, and for one that has not begun.
 */
export async function openStatement(
  db: DataSource,
  accountId: string,
  month: string,
): Promise<OpenStatement> {
  const [bounds] = await db.query<BoundsRow[]>(BOUNDS, [accountId, `${month}-01`]);
  if (bounds === undefined)
    throw new AppError('NOT_FOUND', `There is no statement of ${month}. GET /credits/statements lists all.`);
  const { before, last, opening, closing, final } = bounds;
  return {
    head: {
      month,
      final,
      currency: CREDIT_CURRENCY,
      opening: opening ?? NOTHING,
      closing: closing ?? NOTHING,
    },
    pages: linesOf(db, accountId, before, last),
  };
}

async function* linesOf(
  db: DataSource,
  accountId: string,
  before: number,
  last: number,
): AsyncGenerator<readonly StatementLine[]> {
  let reached = before;
  while (reached < last) {
    const rows = await db.query<LineRow[]>(LINES, [accountId, reached, last]);
    const newest = rows.at(-1);
    if (newest === undefined) throw new Error(`The transfers of ${accountId} end before ${String(last)}`);
    reached = newest.version;
    yield rows.map(({ version: _version, ...line }) => line);
  }
}

/** Makes the reads of the account's statements, for the API. */
export function createStatements(db: DataSource) {
  return {
    statements: ({ accountId }: Actor) => listStatements(db, accountId),
    statement: ({ accountId }: Actor, month: string) => openStatement(db, accountId, month),
  };
}
