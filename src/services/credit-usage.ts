/**
 * Usage of credits: charges of jobs within a time, and what is held ahead for jobs that go on, by day, job or key. The
 * sums are those of the ledger. Rows beyond the limit are added up in one, so that the rows always come to the sums.
 */
import type { DataSource } from 'typeorm';

import type { Actor } from '../domain/access.ts';
import type { Answers } from '../domain/answers.ts';
import { MOST_USAGE_DAYS } from '../domain/credit-usage.ts';
import type { UsageQuery } from '../domain/credit-usage.ts';
import { AppError } from '../domain/errors.ts';
import { CREDIT_CURRENCY } from './prices/quotes.ts';

type Usage = Answers['getCreditUsage'];

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** The first time that is written with four digits of a year. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');

interface UsageRow {
  /** The day, or the id of the job or of the first key of a line; null for what no key has asked for, and for all other rows. */
  readonly id: string | null;
  readonly name: string | null;
  readonly is_shown: boolean;
  readonly spent_cents: number;
  readonly held_cents: number;
  readonly jobs: number;
  readonly rows: number;
}

/** Charges within the time, and the open holds of jobs that have not ended. */
const MOVED = `
  select t.job_id, h.key_id, timezone('UTC', t.created_at)::date as day,
    t.amounts_pence[array_position(t.accounts, 'revenue')] as spent, 0::bigint as held
  from ledger_transfers t left join holds h on h.id = t.hold_id
  where t.account_id = $1 and t.kind = 'charge' and t.created_at >= $2 and t.created_at < $3
  union all
  select h.job_id, h.key_id, null, 0, h.held_pence - h.charged_pence - h.released_pence
  from jobs j join holds h on h.job_id = j.id and h.state = 'OPEN'
  where j.account_id = $1 and j.finished_at is null`;

/** Rows by a column, the dearest first; those behind the limit are one row. */
function usageBy(column: string, name: string): string {
  return `
    with moved as (${MOVED}),
    sums as (
      select ${column} as id, sum(spent)::bigint as spent, sum(held)::bigint as held, count(distinct job_id)::int as jobs,
        row_number() over (order by sum(spent) desc, sum(held) desc, ${column} desc) as place
      from moved group by ${column}),
    shown as (
      select place <= $4 as is_shown, least(place, $4 + 1) as place, case when place <= $4 then id end as id,
        sum(spent)::bigint as spent_cents, sum(held)::bigint as held_cents, sum(jobs)::int as jobs, count(*)::int as rows
      from sums group by 1, 2, 3)
    select s.id::text as id, s.is_shown, s.spent_cents, s.held_cents, s.jobs, s.rows, ${name} as name from shown s order by s.place`;
}

const BY_JOB = usageBy('job_id', '(select j.job_name from jobs j where j.id = s.id and j.account_id = $1)');
/** A key that was rotated goes on as the same line, under the name of its newest key. */
const BY_KEY = usageBy(
  'key_id',
  `(select k.name from api_keys k where coalesce(k.first_key_id, k.id) = s.id and k.account_id = $1
    order by k.created_at desc, k.id desc limit 1)`,
);
const BY_DAY = `
  with moved as (${MOVED})
  select to_char(d.day, 'YYYY-MM-DD') as id, null as name, true as is_shown, coalesce(sum(m.spent), 0)::bigint as spent_cents,
    0::bigint as held_cents, count(distinct m.job_id)::int as jobs, 1 as rows
  from generate_series(timezone('UTC', $2::timestamptz)::date,
      timezone('UTC', $3::timestamptz - interval '1 microsecond')::date, interval '1 day') d(day)
    left join moved m on m.day = d.day::date
  group by d.day order by d.day`;
const HELD = `
  select coalesce(sum(h.held_pence - h.charged_pence - h.released_pence), 0)::bigint as held
  from jobs j join holds h on h.job_id = j.id and h.state = 'OPEN' where j.account_id = $1 and j.finished_at is null`;

/** Adds up what an account has spent. @throws VALIDATION_ERROR for a time that ends before it begins, or is too long. */
export async function creditUsage(db: DataSource, { accountId }: Actor, query: UsageQuery): Promise<Usage> {
  const { by, limit } = query;
  const [from, to] = timeOf(query);
  const rows = await rowsOf(db, by, [accountId, from, to, limit]);
  const shown = rows.filter(({ is_shown: isShown }) => isShown);
  const others = rows.filter(({ is_shown: isShown }) => !isShown);
  const held = by === 'day' ? await heldNow(db, accountId) : sumOf(rows, 'held_cents');
  return {
    from,
    to,
    by,
    currency: CREDIT_CURRENCY,
    spent_cents: sumOf(rows, 'spent_cents'),
    held_cents: held,
    rows: shown.map((row) => presentRow(by, row)),
    others: {
      rows: sumOf(others, 'rows'),
      spent_cents: sumOf(others, 'spent_cents'),
      held_cents: sumOf(others, 'held_cents'),
    },
  };
}

function rowsOf(
  db: DataSource,
  by: UsageQuery['by'],
  parameters: readonly [accountId: string, from: string, to: string, limit: number],
): Promise<UsageRow[]> {
  switch (by) {
    case 'day':
      return db.query<UsageRow[]>(BY_DAY, parameters.slice(0, 3));
    case 'job':
      return db.query<UsageRow[]>(BY_JOB, [...parameters]);
    case 'key':
      return db.query<UsageRow[]>(BY_KEY, [...parameters]);
  }
}

async function heldNow(db: DataSource, accountId: string): Promise<number> {
  const [row] = await db.query<{ readonly held: number }[]>(HELD, [accountId]);
  return row?.held ?? 0;
}

function presentRow(by: UsageQuery['by'], { id, name, ...row }: UsageRow): Usage['rows'][number] {
  const { spent_cents, held_cents, jobs } = row;
  return {
    day: by === 'day' ? id : null,
    job_id: by === 'job' ? id : null,
    key_id: by === 'key' ? id : null,
    name,
    spent_cents,
    held_cents,
    jobs,
  };
}

function sumOf(rows: readonly UsageRow[], member: 'spent_cents' | 'held_cents' | 'rows'): number {
  return rows.reduce((sum, row) => sum + row[member], 0);
}

/** The time of a query: the thirty days to now where nothing else is said. */
function timeOf({ from, to }: UsageQuery): readonly [from: string, to: string] {
  const end = to ?? new Date().toISOString();
  const endMs = Date.parse(end);
  const begin = from ?? new Date(Math.max(FIRST_MS, endMs - DEFAULT_DAYS * DAY_MS)).toISOString();
  const days = (endMs - Date.parse(begin)) / DAY_MS;
  if (begin === end || days < 0 || days > MOST_USAGE_DAYS)
    throw new AppError(
      'VALIDATION_ERROR',
      `from: must be before to, and at most ${MOST_USAGE_DAYS} days before it.`,
    );
  return [begin, end];
}
