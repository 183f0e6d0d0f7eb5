import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The networks that a key may be used from; null means any. `request_sha256` is the fingerprint of the request that made the key under an
 * Idempotency-Key, so that another request with the same key is told apart from a repeat. Who made a key is its
 * `user_id`. Keys so far have equal prefixes, because the secret behind a prefix is not stored.
 */
export class KeyRecords1764680200000 implements MigrationInterface {
  name = 'KeyRecords1764680200000';

  /** Adds the columns. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys add column allowed_cidrs text[] check (cardinality(allowed_cidrs) > 0),
        add column request_sha256 text;
    `);
  }

  /** Takes the columns away; fails while a key is bound to networks, because the release before would take it from anywhere. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$ begin
        if exists (select from api_keys where allowed_cidrs is not null and revoked_at is null) then
          raise exception 'Some keys are bound to networks. Revoke them first.';
        end if;
      end $$;
      alter table api_keys drop column request_sha256, drop column allowed_cidrs;
    `);
  }
}
