import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys that take each other's place by rotation are a line, and a line has one limit with one row of counters: a rotated key
 * would else begin the month anew, and while both keys work each would have the limit for itself. `api_keys.first_key_id`
 * names the first key of the line and is null for that key itself; `key_limits.key_id` and `holds.key_id` name the first key.
 * The lines of before are read from the audit log. Of several limits in a line the one of the newest key stays.
 *
 * `ledger_balances.member_keys_limit_pence` is what the keys of one member may cost together in a UTC month.
 */
export class KeyLines1765040100000 implements MigrationInterface {
  name = 'KeyLines1765040100000';

  /** Adds the columns, and brings holds and limits of rotated keys to the first key of their line. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, LINES, HOLDS, LIMITS, LEFT_OVER]) await runner.query(sql);
  }

  /** Gives each key of a line the limit of the line, as rotation did before, and drops the columns. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      insert into key_limits (key_id, account_id, month_limit_pence, held_pence, month, month_charged_pence)
        select k.id, l.account_id, l.month_limit_pence, 0, l.month, 0 from api_keys k join key_limits l on l.key_id = k.first_key_id;
      alter table api_keys drop column first_key_id;
      alter table ledger_balances drop column member_keys_limit_pence`);
  }
}

const COLUMNS = `
  alter table api_keys add column first_key_id uuid references api_keys;
  create index api_keys_line on api_keys (first_key_id) where first_key_id is not null;
  alter table ledger_balances add column member_keys_limit_pence bigint check (member_keys_limit_pence >= 0)`;

const LINES = `
  with recursive rotated as (
    select subject::uuid as former, (after->>'successor')::uuid as next from audit_log where action = 'key.rotated'),
  line as (
    select former as first, next as id from rotated r where not exists (select from rotated e where e.next = r.former)
    union all
    select line.first, r.next from line join rotated r on r.former = line.id)
  update api_keys k set first_key_id = line.first from line where line.id = k.id and exists (select from api_keys where id = line.first)`;

const HOLDS = `
  update holds h set key_id = k.first_key_id from api_keys k where k.id = h.key_id and k.first_key_id is not null`;

/** The counters begin with what the holds of the whole line say. */
const LIMITS = `
  insert into key_limits (key_id, account_id, month_limit_pence, held_pence, month, month_charged_pence)
  select newest.line, newest.account_id, newest.month_limit_pence,
    coalesce(sum(h.held_pence) filter (where h.state = 'OPEN'), 0), now.month,
    coalesce(sum(h.charged_pence) filter (where date_trunc('month', timezone('UTC', t.created_at))::date = now.month), 0)
  from (select date_trunc('month', timezone('UTC', clock_timestamp()))::date as month) now
    cross join (
      select distinct on (1) coalesce(k.first_key_id, k.id) as line, l.account_id, l.month_limit_pence
      from key_limits l join api_keys k on k.id = l.key_id
      where exists (select from api_keys n where n.first_key_id = coalesce(k.first_key_id, k.id))
      order by 1, k.created_at desc, k.id desc) newest
    left join holds h on h.key_id = newest.line
    left join ledger_transfers t on t.idempotency_key = 'settle/' || h.id || '/charge'
  group by newest.line, newest.account_id, newest.month_limit_pence, now.month
  on conflict (key_id) do update set month_limit_pence = excluded.month_limit_pence, held_pence = excluded.held_pence,
    month = excluded.month, month_charged_pence = excluded.month_charged_pence`;

const LEFT_OVER = `
  delete from key_limits l using api_keys k where k.id = l.key_id and k.first_key_id is not null`;
