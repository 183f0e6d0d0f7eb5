import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An alert of credits is an event, too; it is written where the alert is, in the transaction of the movement. */
export class CreditEvents1766500000000 implements MigrationInterface {
  name = 'CreditEvents1766500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function event_of_alert() returns trigger language plpgsql as $$
      begin
        insert into events (account_id, kind, subject, payload)
        values (new.account_id, case new.kind when 'low-balance' then 'credits.low' else 'credits.limit_reached' end, new.account_id,
          jsonb_build_object('limitCents', new.limit_pence, 'reachedCents', new.reached_pence, 'percent', new.threshold,
            'keyId', case new.kind when 'key-limit' then new.subject end));
        return null;
      end $$;
      create trigger alerts_event after insert on alerts for each row
        when (new.kind in ('account-limit', 'key-limit', 'low-balance')) execute function event_of_alert()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger alerts_event on alerts; drop function event_of_alert()');
  }
}
