/**
 * The proof that the ledger adds up: everything is recomputed from the entries, in one snapshot, and compared with
 * balances, holds, executions and capacity. A sound ledger gives no rows, at every instant, also under load.
 */
import type { EntityManager } from 'typeorm';

import { CUSTOMER_ACCOUNTS } from '../../domain/ledger.ts';

/** Something that does not add up. */
export interface Violation {
  /** Which identity is broken. */
  readonly check: string;
  /** The id of what breaks it. */
  readonly subject: string;
  readonly detail: string;
}

const ENDED = `('PAUSED', 'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED')`;

/** An execution is settled before its instances are gone; then its capacity is given back. */
const CLEARING_AWAY = `interval '1 minute'`;

/** Each query gives `subject` and `detail` of what breaks the identity that it is named after. */
const CHECKS: Readonly<Record<string, string>> = {
  'transfer-sums-to-zero': `
    select t.id::text as subject, format('%s entries, sum %s', count(e.id), coalesce(sum(e.amount_pence), 0)) as detail
    from ledger_transfers t left join ledger_entries e on e.transfer_id = t.id
    group by t.id having count(e.id) < 2 or sum(e.amount_pence) <> 0`,
  'entry-belongs': `
    select e.id::text as subject, case when t.id is null then 'no transfer' when a.id is null then 'no ledger account'
      when a.account_id <> t.account_id then 'account of another customer'
      else 'only entries of customers carry balance and version' end as detail
    from ledger_entries e left join ledger_transfers t on t.id = e.transfer_id
      left join ledger_accounts a on a.id = e.ledger_account_id
    where t.id is null or a.id is null or a.account_id <> t.account_id
      or (a.account_id is null) <> (e.version is null) or (a.account_id is null) <> (e.balance_after_pence is null)`,
  'customer-has-all-accounts': `
    select c.id::text as subject, format('no %s', k) as detail
    from accounts c cross join unnest($1::text[]) k
    where not exists (select from ledger_accounts a where a.account_id = c.id and a.kind = k)`,
  'balance-is-sum-of-entries': `
    select a.id::text as subject, format('%s: balance %s, entries %s', a.kind, a.balance_pence, coalesce(sum(e.amount_pence), 0)) as detail
    from ledger_accounts a left join ledger_entries e on e.ledger_account_id = a.id
    where a.account_id is not null
    group by a.id having a.balance_pence <> coalesce(sum(e.amount_pence), 0) or a.balance_pence < 0`,
  'versions-are-gapless': `
    select a.id::text as subject, format('version %s, %s entries, last %s', a.version, count(e.id), max(e.version)) as detail
    from ledger_accounts a left join ledger_entries e on e.ledger_account_id = a.id
    where a.account_id is not null
    group by a.id having a.version <> count(e.id) or coalesce(max(e.version), 0) <> count(e.id)
      or count(distinct e.version) <> count(e.id)`,
  'balances-follow-entries': `
    select id::text as subject, format('balance after is %s, entries up to it sum to %s', balance_after_pence, running) as detail
    from (select id, balance_after_pence, sum(amount_pence) over (partition by ledger_account_id order by version) as running,
        lag(id) over (partition by ledger_account_id order by version) as before
      from ledger_entries where version is not null) chain
    where balance_after_pence is distinct from running or before > id`,
  'held-is-open-lots': `
    select a.account_id::text as subject, format('%s: balance %s, open lots %s', a.kind, a.balance_pence, coalesce(l.pence, 0)) as detail
    from ledger_accounts a left join (
        select h.account_id, l.bucket || '_held' as kind, sum(l.amount_pence - l.charged_pence - l.released_pence) as pence
        from hold_lots l join holds h on h.id = l.hold_id group by 1, 2) l using (account_id, kind)
    where a.kind in ('wallet_held', 'monthly_held') and a.balance_pence <> coalesce(l.pence, 0)`,
  'hold-is-its-lots': `
    select h.id::text as subject, format('held %s charged %s released %s, lots %s %s %s', h.held_pence, h.charged_pence,
      h.released_pence, coalesce(sum(l.amount_pence), 0), coalesce(sum(l.charged_pence), 0), coalesce(sum(l.released_pence), 0)) as detail
    from holds h left join hold_lots l on l.hold_id = h.id
    group by h.id having h.held_pence <> coalesce(sum(l.amount_pence), 0) or h.charged_pence <> coalesce(sum(l.charged_pence), 0)
      or h.released_pence <> coalesce(sum(l.released_pence), 0)
      or (h.state = 'SETTLED') <> (h.settled_at is not null)
      or (h.state = 'SETTLED' and h.charged_pence + h.released_pence <> h.held_pence)`,
  // Grouped, not lateral: planned without statistics, a look-up per hold takes minutes on a fresh, busy ledger.
  'hold-is-its-transfers': `
    select h.id::text as subject, format('held %s charged %s released %s, transfers %s %s %s', h.held_pence, h.charged_pence,
      h.released_pence, coalesce(m.held, 0), coalesce(m.charged, 0), coalesce(m.released, 0)) as detail
    from holds h left join (
        select t.hold_id, coalesce(sum(e.amount_pence) filter (where t.kind in ('hold', 'hold_increase')), 0) as held,
          coalesce(-sum(e.amount_pence) filter (where t.kind = 'charge'), 0) as charged,
          coalesce(-sum(e.amount_pence) filter (where t.kind in ('hold_release', 'monthly_expiry')), 0) as released
        from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
          join ledger_accounts a on a.id = e.ledger_account_id and a.kind in ('wallet_held', 'monthly_held')
        group by t.hold_id) m on m.hold_id = h.id
    where (h.held_pence, h.charged_pence, h.released_pence)
      is distinct from (coalesce(m.held, 0), coalesce(m.charged, 0), coalesce(m.released, 0))`,
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
    where x.settled_at is null and (j.status in ${ENDED} or x.n < j.execution)`,
  'running-job-is-held': `
    select j.id::text as subject, format('%s, execution %s has no open hold', j.status, j.execution) as detail from jobs j
    where j.status not in ${ENDED} and not exists (select from job_executions x
      where x.job_id = j.id and x.n = j.execution and x.settled_at is null)`,
  'ended-job-has-no-capacity': `
    select format('%s/%s', c.job_id, c.execution) as subject, format('%s, job %s', c.state, coalesce(j.status, 'unknown')) as detail
    from capacity_requests c left join jobs j on j.id = c.job_id
    where c.state <> 'RELEASED' and (j.id is null or c.execution < j.execution
      or (j.status in ${ENDED} and j.updated_at < now() - ${CLEARING_AWAY}
        and not exists (select from instances i where i.job_id = j.id and i.state <> 'TERMINATED')))`,
};

/** The names of all identities. */
export const LEDGER_CHECKS: readonly string[] = Object.keys(CHECKS);

/** Checks every identity in one snapshot. @returns what is broken; nothing when all is well. */
export async function verifyLedger(db: Pick<EntityManager, 'transaction'>): Promise<readonly Violation[]> {
  return db.transaction('REPEATABLE READ', async (tx) => {
    // The whole ledger is read, which may take longer than a request may.
    await tx.query('set local statement_timeout = 0');
    const violations: Violation[] = [];
    for (const [check, sql] of Object.entries(CHECKS)) {
      const parameters = sql.includes('$1') ? [CUSTOMER_ACCOUNTS] : [];
      const rows = await tx.query<{ subject: string; detail: string }[]>(sql, parameters);
      violations.push(...rows.map((row) => ({ check, ...row })));
    }
    return violations;
  });
}
