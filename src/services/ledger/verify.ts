/**
 * The proof that the ledger adds up: everything is recomputed from the entries, in one snapshot, and compared with
 * balances, holds, executions and capacity. A sound ledger gives no rows, at every instant, also under load.
 */
import type { EntityManager } from 'typeorm';

import { CUSTOMER_ACCOUNTS, SERVICE_ACCOUNTS } from '../../domain/ledger.ts';
import type { Bucket } from '../../domain/ledger.ts';
import { SETTLED_SQL } from '../job-state-sql.ts';

/** A row that breaks an identity of the ledger. */
export interface Violation {
  /** The name of the broken identity. */
  readonly check: string;
  /** The id of the row that breaks the identity. */
  readonly subject: string;
  readonly detail: string;
}

/**
 * How long clearing away may take: an execution is settled first, then its instances end and its capacity is given
 * back.
 */
const CLEARING_AWAY = `interval '1 minute'`;

/** The UTC month of a charge. */
const MONTH_OF_CHARGE = `date_trunc('month', timezone('UTC', t.created_at))::date`;

/** A customer's balances as rows. */
const KINDS = `(values ${CUSTOMER_ACCOUNTS.map((kind) => `('${kind}', b.${kind})`).join(', ')}) k(kind, pence)`;

/** The sums of the lots of each hold over its parts. `undivided` is true where a lot is not charged and given back whole. */
const LOTS = `
  select hold_id, count(*) as parts, max(part) as last_part, sum(monthly_pence) as monthly, sum(wallet_pence) as wallet,
    sum(monthly_charged_pence) as monthly_charged, sum(wallet_charged_pence) as wallet_charged,
    sum(monthly_released_pence) as monthly_released, sum(wallet_released_pence) as wallet_released,
    sum(monthly_pence + wallet_pence) as held, sum(monthly_charged_pence + wallet_charged_pence) as charged,
    sum(monthly_released_pence + wallet_released_pence) as released,
    coalesce(sum(monthly_pence + wallet_pence) filter (where part > 0), 0) as extended,
    coalesce(sum(monthly_charged_pence + wallet_charged_pence) filter (where part > 0), 0) as extended_charged,
    coalesce(sum(monthly_released_pence + wallet_released_pence) filter (where part > 0), 0) as extended_released,
    bool_or(monthly_charged_pence + monthly_released_pence <> monthly_pence
      or wallet_charged_pence + wallet_released_pence <> wallet_pence) as undivided
  from hold_parts group by hold_id`;

/** SQL of the sums that the transfers of a hold held, charged and gave back (or let expire) of one bucket. */
function moved(bucket: Bucket): string {
  const sum = (kinds: string, sign: string, name: string): string =>
    `coalesce(${sign}sum(amount_pence) filter (where account = '${bucket}_held' and kind in (${kinds})), 0) as ${name}`;
  return [
    sum(`'hold', 'hold_increase'`, '', bucket),
    sum(`'charge'`, '-', `${bucket}_charged`),
    sum(`'hold_release', 'monthly_expiry'`, '-', `${bucket}_released`),
  ].join(', ');
}

/** Each query gives `subject` and `detail` of what breaks the identity that it is named after. */
const CHECKS: Readonly<Record<string, string>> = {
  'transfer-sums-to-zero': `
    select t.id::text as subject, format('%s entries, sum %s', count(e.ordinal), coalesce(sum(e.amount_pence), 0)) as detail
    from ledger_transfers t left join ledger_entries e on e.transfer_id = t.id
    group by t.id having count(e.ordinal) < 2 or sum(e.amount_pence) <> 0`,
  'entry-belongs': `
    select e.transfer_id::text as subject, case when b.account_id is null then 'customer without balances'
      when e.account is null or e.account <> all($1::text[]) then 'no such ledger account'
      when coalesce(e.amount_pence, 0) = 0 then 'an entry of nothing' else 'two entries of one ledger account' end as detail
    from (select *, count(*) over (partition by transfer_id, account) as of_account from ledger_entries) e
      left join ledger_balances b on b.account_id = e.account_id
    where b.account_id is null or e.account is null or e.account <> all($1::text[]) or coalesce(e.amount_pence, 0) = 0
      or e.of_account > 1`,
  'customer-has-all-accounts': `
    select c.id::text as subject, 'no balances' as detail
    from accounts c where not exists (select from ledger_balances b where b.account_id = c.id)`,
  'balance-is-sum-of-entries': `
    select b.account_id::text as subject, format('%s: balance %s, entries %s', k.kind, k.pence, coalesce(s.pence, 0)) as detail
    from ledger_balances b cross join lateral ${KINDS} left join (
        select account_id, account as kind, sum(amount_pence) as pence from ledger_entries group by 1, 2) s using (account_id, kind)
    where k.pence <> coalesce(s.pence, 0) or k.pence * (case k.kind when 'debt' then -1 else 1 end) < 0`,
  'debt-leaves-no-wallet': `
    select account_id::text as subject, format('owes %s, wallet %s', -debt, wallet) as detail
    from ledger_balances where debt < 0 and wallet > 0`,
  'monthly-names-its-period': `
    select b.account_id::text as subject, format('%s monthly, period %s to %s', b.monthly, coalesce(b.monthly_period::text, 'none'),
      coalesce(b.monthly_ends_at::text, 'none')) as detail
    from ledger_balances b left join allowance_periods p on p.id = b.monthly_period and p.account_id = b.account_id
    where (b.monthly > 0 or b.monthly_period is not null or b.monthly_ends_at is not null)
      and (p.ends_at = b.monthly_ends_at) is not true`,
  'lot-names-its-period': `
    select l.hold_id::text as subject, format('part %s, %s monthly, period %s', l.part, l.monthly_pence,
      coalesce(l.monthly_period::text, 'none')) as detail
    from hold_parts l left join allowance_periods p on p.id = l.monthly_period and p.account_id = l.account_id
    where (l.monthly_pence > 0) <> (p.id is not null) or (l.monthly_pence > 0) <> (l.monthly_period is not null)`,
  'period-within-its-allowance': `
    select p.id::text as subject, format('granted %s, used %s, left %s', p.granted_pence, coalesce(u.pence, 0),
      coalesce(b.monthly, 0)) as detail
    from allowance_periods p left join ledger_balances b on b.monthly_period = p.id
      left join (select monthly_period, sum(monthly_pence - monthly_released_pence) as pence from hold_parts
        where monthly_period is not null group by 1) u on u.monthly_period = p.id
    where coalesce(u.pence, 0) + coalesce(b.monthly, 0) > p.granted_pence`,
  'versions-are-gapless': `
    select b.account_id::text as subject, format('version %s, %s transfers, last %s', b.version, count(t.id), max(t.version)) as detail
    from ledger_balances b left join ledger_transfers t on t.account_id = b.account_id
    group by b.account_id having b.version <> count(t.id) or coalesce(max(t.version), 0) <> count(t.id)
      or count(distinct t.version) <> count(t.id)`,
  'balances-follow-entries': `
    select id::text as subject, format('after it %s, entries up to it sum to %s', shown, summed) as detail
    from (select t.id,
        row(t.wallet_after, t.wallet_held_after, t.monthly_after, t.monthly_held_after, t.debt_after)::text as shown,
        row(sum(l.wallet) over earlier, sum(l.wallet_held) over earlier, sum(l.monthly) over earlier,
          sum(l.monthly_held) over earlier, sum(l.debt) over earlier)::text as summed
      from ledger_transfers t cross join lateral (
        select ${CUSTOMER_ACCOUNTS.map((kind) => `coalesce(sum(pence) filter (where account = '${kind}'), 0) as ${kind}`).join(', ')}
        from unnest(t.accounts, t.amounts_pence) line(account, pence)) l
      window earlier as (partition by t.account_id order by t.version)) chain
    where shown is distinct from summed`,
  'held-is-open-lots': `
    select b.account_id::text as subject, format('%s: balance %s, open lots %s', k.kind, k.pence, coalesce(h.pence, 0)) as detail
    from ledger_balances b cross join lateral ${KINDS} left join (
        select h.account_id, l.kind, sum(l.pence) as pence from hold_parts h cross join lateral (values
          ('monthly_held', h.monthly_pence - h.monthly_charged_pence - h.monthly_released_pence),
          ('wallet_held', h.wallet_pence - h.wallet_charged_pence - h.wallet_released_pence)) l(kind, pence)
        group by 1, 2) h using (account_id, kind)
    where k.kind in ('wallet_held', 'monthly_held') and k.pence <> coalesce(h.pence, 0)`,
  'hold-is-its-lots': `
    select h.id::text as subject, format('held %s charged %s released %s, lots of %s parts %s %s %s', h.held_pence, h.charged_pence,
      h.released_pence, l.parts, l.held, l.charged, l.released) as detail
    from holds h join (${LOTS}) l on l.hold_id = h.id
    where (h.held_pence, h.charged_pence, h.released_pence) is distinct from (l.held, l.charged, l.released)
      or (h.extended_pence, h.extended_charged_pence, h.extended_released_pence)
        is distinct from (l.extended, l.extended_charged, l.extended_released)
      or h.extensions <> l.parts - 1 or h.extensions <> l.last_part
      or (h.state = 'SETTLED') <> (h.settled_at is not null)
      or (h.state = 'SETTLED') and l.undivided
      or h.state = 'OPEN' and (h.charged_pence <> 0 or h.released_pence <> 0)`,
  'parts-are-charged-in-order': `
    select x.hold_id::text as subject, format('part %s is charged, part %s gave back', x.part, l.part) as detail
    from hold_extensions x join hold_parts l on l.hold_id = x.hold_id and l.part < x.part
    where x.monthly_charged_pence + x.wallet_charged_pence > 0 and l.monthly_released_pence + l.wallet_released_pence > 0`,
  // The sums are grouped for all holds at once: planned without statistics, a look-up for each hold takes minutes.
  'hold-is-its-transfers': `
    select h.id::text as subject, format('held %s charged %s released %s, transfers %s %s %s', h.held_pence, h.charged_pence,
      h.released_pence, coalesce(m.monthly + m.wallet, 0), coalesce(m.monthly_charged + m.wallet_charged, 0),
      coalesce(m.monthly_released + m.wallet_released, 0)) as detail
    from holds h join (${LOTS}) l on l.hold_id = h.id left join (
        select hold_id, ${moved('monthly')}, ${moved('wallet')}
        from ledger_entries where hold_id is not null group by hold_id) m on m.hold_id = h.id
    where (l.monthly, l.monthly_charged, l.monthly_released, l.wallet, l.wallet_charged, l.wallet_released)
      is distinct from (coalesce(m.monthly, 0), coalesce(m.monthly_charged, 0), coalesce(m.monthly_released, 0),
        coalesce(m.wallet, 0), coalesce(m.wallet_charged, 0), coalesce(m.wallet_released, 0))`,
  'month-charged-is-its-charges': `
    select b.account_id::text as subject, format('%s: counted %s, charged %s', b.month, b.month_charged_pence, coalesce(c.pence, 0)) as detail
    from ledger_balances b left join (
        select account_id, ${MONTH_OF_CHARGE} as month, sum(amount_pence) as pence from ledger_entries t
        where kind = 'charge' and account = 'revenue' group by 1, 2) c on c.account_id = b.account_id and c.month = b.month
    where b.month_charged_pence <> coalesce(c.pence, 0)`,
  'key-limit-counts-its-holds': `
    select k.key_id::text as subject, format('held %s, %s charged %s; holds %s, charges %s', k.held_pence, k.month,
      k.month_charged_pence, coalesce(h.pence, 0), coalesce(c.pence, 0)) as detail
    from key_limits k left join ledger_balances b on b.account_id = k.account_id
      left join (select key_id, sum(held_pence) as pence from holds where state = 'OPEN' and key_id is not null group by 1) h
        on h.key_id = k.key_id
      left join (select o.key_id, ${MONTH_OF_CHARGE} as month, sum(o.charged_pence) as pence
        from ledger_transfers t join holds o on o.id = t.hold_id where t.kind = 'charge' and o.key_id is not null group by 1, 2) c
        on c.key_id = k.key_id and c.month = k.month
    where k.held_pence <> coalesce(h.pence, 0) or k.month_charged_pence <> coalesce(c.pence, 0) or b.key_limits is not true`,
  'transfer-has-its-hold': `
    select t.id::text as subject, format('%s names hold %s', t.kind, coalesce(t.hold_id::text, 'none')) as detail
    from ledger_transfers t left join holds h on h.id = t.hold_id and h.account_id = t.account_id and h.job_id = t.job_id
    where (t.hold_id is not null or t.kind in ('hold', 'hold_increase', 'hold_release', 'charge')) and h.id is null`,
  'open-hold-has-open-execution': `
    select h.id::text as subject, format('job %s execution %s', h.job_id, h.execution) as detail from holds h
    where h.state = 'OPEN' and not exists (select from job_executions x
      where x.hold_id = h.id and x.job_id = h.job_id and x.n = h.execution and x.settled_at is null)`,
  'open-execution-has-open-hold': `
    select format('%s/%s', x.job_id, x.n) as subject, format('hold %s', x.hold_id) as detail from job_executions x
    where x.settled_at is null and not exists (select from holds h where h.id = x.hold_id and h.state = 'OPEN')`,
  'ended-job-is-settled': `
    select j.id::text as subject, format('%s, execution %s is not settled', j.status, x.n) as detail
    from jobs j join job_executions x on x.job_id = j.id
    where x.settled_at is null and (j.status in ${SETTLED_SQL} or x.n < j.execution)`,
  'running-job-is-held': `
    select j.id::text as subject, format('%s, execution %s has no open hold', j.status, j.execution) as detail from jobs j
    where j.status not in ${SETTLED_SQL} and not exists (select from job_executions x
      where x.job_id = j.id and x.n = j.execution and x.settled_at is null)`,
  'ended-job-has-no-capacity': `
    select format('%s/%s', c.job_id, c.execution) as subject, format('%s, job %s', c.state, coalesce(j.status, 'unknown')) as detail
    from capacity_requests c left join jobs j on j.id = c.job_id
    where c.state <> 'RELEASED' and (j.id is null
      or (c.execution < j.execution and not exists (select from job_executions x
        where x.job_id = c.job_id and x.n = c.execution and x.settled_at > now() - ${CLEARING_AWAY}))
      or (j.status in ${SETTLED_SQL} and j.updated_at < now() - ${CLEARING_AWAY}
        and not exists (select from instances i where i.job_id = j.id and i.state <> 'TERMINATED')))`,
};

/** The names of all identities. */
export const LEDGER_CHECKS: readonly string[] = Object.keys(CHECKS);

/** Checks every identity in one snapshot. @returns what is broken; nothing when all is well. */
export async function verifyLedger(db: Pick<EntityManager, 'transaction'>): Promise<readonly Violation[]> {
  return db.transaction('REPEATABLE READ', async (tx) => {
    // Reading the whole ledger may take longer than the time limit of statements in requests.
    await tx.query('set local statement_timeout = 0');
    const violations: Violation[] = [];
    for (const [check, sql] of Object.entries(CHECKS)) {
      const parameters = sql.includes('$1') ? [[...CUSTOMER_ACCOUNTS, ...SERVICE_ACCOUNTS]] : [];
      const rows = await tx.query<{ subject: string; detail: string }[]>(sql, parameters);
      violations.push(...rows.map((row) => ({ check, ...row })));
    }
    return violations;
  });
}
