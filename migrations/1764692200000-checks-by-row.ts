import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The checks of balances and holds as functions of the row. PostgreSQL reads the text of a check anew for each statement that
 * writes, and a text that names a row is a tenth of one that names its columns. The checks refuse what they refused before.
 */
export class ChecksByRow1764692200000 implements MigrationInterface {
  name = 'ChecksByRow1764692200000';

  /** Lets the checks name rows. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [BALANCES, HOLDS]) await runner.query(sql);
  }

  /** Lets the checks name columns again. */
  async down(runner: QueryRunner): Promise<void> {
    for (const sql of [OLD_BALANCES, OLD_HOLDS]) await runner.query(sql);
  }
}

/** `least` looks over what is not set. */
const BALANCES = `
  create function balances_are_sound(b ledger_balances) returns boolean language plpgsql immutable strict parallel safe as $$
    begin
      return least(b.wallet, -b.debt) = 0 and least(b.wallet_held, b.monthly, b.monthly_held, b.version, b.job_limit_pence,
        b.month_limit_pence, b.month_charged_pence, b.low_balance_pence) >= 0;
    end $$;
  alter table ledger_balances drop constraint ledger_balances_low_balance_pence_check, drop constraint ledger_balances_signs,
    add constraint ledger_balances_signs check (balances_are_sound(ledger_balances))`;

const OLD_BALANCES = `
  alter table ledger_balances drop constraint ledger_balances_signs,
    add constraint ledger_balances_low_balance_pence_check check (low_balance_pence >= 0),
    add constraint ledger_balances_signs check (least(wallet, -debt) = 0
      and least(wallet_held, monthly, monthly_held, version, job_limit_pence, month_limit_pence, month_charged_pence) >= 0);
  drop function balances_are_sound`;

const HOLDS = `
  create function hold_is_sound(h holds) returns boolean language plpgsql immutable strict parallel safe as $$
    begin
      return h.state in ('OPEN', 'SETTLED') and h.held_pence = h.monthly_pence + h.wallet_pence + h.extended_pence
        and h.charged_pence = h.monthly_charged_pence + h.wallet_charged_pence + h.extended_charged_pence
        and h.released_pence = h.monthly_released_pence + h.wallet_released_pence + h.extended_released_pence
        and least(h.monthly_pence, h.monthly_charged_pence, h.monthly_released_pence, h.wallet_pence, h.wallet_charged_pence,
          h.wallet_released_pence, h.extended_pence, h.extended_charged_pence, h.extended_released_pence) >= 0
        and case h.state when 'OPEN' then h.charged_pence = 0 and h.released_pence = 0
          else h.monthly_charged_pence + h.monthly_released_pence = h.monthly_pence
            and h.wallet_charged_pence + h.wallet_released_pence = h.wallet_pence
            and h.extended_charged_pence + h.extended_released_pence = h.extended_pence end;
    end $$;
  alter table holds drop constraint holds_sound, add constraint holds_sound check (hold_is_sound(holds));
  drop function hold_is_whole`;

const OLD_HOLDS = `
  create function hold_is_whole(state text, held bigint, charged bigint, released bigint, monthly bigint,
    monthly_charged bigint, monthly_released bigint, wallet bigint, wallet_charged bigint, wallet_released bigint,
    extended bigint, extended_charged bigint, extended_released bigint)
  returns boolean language plpgsql immutable strict parallel safe as $$
    begin
      return state in ('OPEN', 'SETTLED') and held = monthly + wallet + extended
        and charged = monthly_charged + wallet_charged + extended_charged
        and released = monthly_released + wallet_released + extended_released
        and least(monthly, monthly_charged, monthly_released, wallet, wallet_charged, wallet_released,
          extended, extended_charged, extended_released) >= 0
        and case state when 'OPEN' then charged = 0 and released = 0
          else monthly_charged + monthly_released = monthly and wallet_charged + wallet_released = wallet
            and extended_charged + extended_released = extended end;
    end $$;
  alter table holds drop constraint holds_sound,
    add constraint holds_sound check (hold_is_whole(state, held_pence, charged_pence, released_pence, monthly_pence,
      monthly_charged_pence, monthly_released_pence, wallet_pence, wallet_charged_pence, wallet_released_pence,
      extended_pence, extended_charged_pence, extended_released_pence));
  drop function hold_is_sound`;
