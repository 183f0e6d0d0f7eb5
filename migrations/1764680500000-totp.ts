import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Time-based codes as a second factor. The secret of a person is sealed with a key that the database does not have; it counts
 * from `totp_enabled_at` on. `totp_last_step` is the step of the last code that was taken, so that no code is taken twice.
 * `recovery_codes` has the SHA-256 of codes that are each taken once in the place of one.
 */
export class Totp1764680500000 implements MigrationInterface {
  name = 'Totp1764680500000';

  /** Adds the columns and the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table users add column totp_secret text, add column totp_enabled_at timestamptz, add column totp_last_step bigint,
        add constraint users_totp check (totp_enabled_at is null or totp_secret is not null);
      create table recovery_codes (
        user_id uuid not null references users,
        code_sha256 text not null,
        used_at timestamptz,
        primary key (user_id, code_sha256)
      );
    `);
  }

  /** Drops them: people sign in with their passwords alone. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table recovery_codes;
      alter table users drop column totp_secret, drop column totp_enabled_at, drop column totp_last_step;
    `);
  }
}
