import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `auto_topups`: the accounts that buy credits by themselves when credits run low. A top-up that was bought so is a row of `topups`
 * with a number and the card that is charged, and no checkout; of these an account has one at a time that is not over.
 */
export class AutoTopups1764688000000 implements MigrationInterface {
  name = 'AutoTopups1764688000000';

  /** Adds the table, the columns of top-ups, and the kind of alert. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table auto_topups (
        account_id uuid primary key references accounts,
        tier_id text not null,
        below_pence bigint not null check (below_pence >= 0),
        month_limit_pence bigint not null check (month_limit_pence >= 0),
        paused text check (paused in ('NO_PAYMENT_METHOD', 'AUTHENTICATION_REQUIRED', 'CARD_DECLINED')),
        updated_at timestamptz not null default clock_timestamp()
      );
      alter table topups add column auto_number integer check (auto_number > 0), add column auto_card text,
        drop constraint topups_check,
        add constraint topups_check check (
          checkout_id is not null or auto_number is not null or state in ('CREATED', 'FAILED', 'EXPIRED'));
      create unique index topups_auto_number on topups (account_id, auto_number) where auto_number is not null;
      create unique index topups_auto_open on topups (account_id)
        where auto_number is not null and state in ('CREATED', 'OPEN', 'PROCESSING');
      alter table alerts drop constraint alerts_kind_check, add constraint alerts_kind_check
        check (kind in ('account-limit', 'key-limit', 'low-balance', 'auto-topup'));
    `);
  }

  /** Takes them away. Fails while there is an auto top-up that was paid, because its row has no checkout. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from alert_mails using alerts a where a.id = alert_id and a.kind = 'auto-topup';
      delete from alerts where kind = 'auto-topup';
      alter table alerts drop constraint alerts_kind_check, add constraint alerts_kind_check
        check (kind in ('account-limit', 'key-limit', 'low-balance'));
      drop index topups_auto_open; drop index topups_auto_number;
      alter table topups drop constraint topups_check, drop column auto_card, drop column auto_number,
        add constraint topups_check check (checkout_id is not null or state in ('CREATED', 'FAILED', 'EXPIRED'));
      drop table auto_topups;
    `);
  }
}
