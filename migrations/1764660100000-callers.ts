import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `jobs.caller_kind` and `jobs.caller_id`: the key or the session that submitted the job, so that an operator can tell which
 * jobs a leaked key has started. Nobody recorded the callers of the jobs so far. No column refers to the table of the
 * keys, because a key may be removed before the jobs that it started.
 */
export class Callers1764660100000 implements MigrationInterface {
  name = 'Callers1764660100000';

  /** Adds the columns. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column caller_kind text check (caller_kind in ('key', 'session')), add column caller_id uuid,
        add constraint jobs_caller_whole check ((caller_kind is null) = (caller_id is null));
    `);
  }

  /** Takes the columns away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs drop column caller_kind, drop column caller_id');
  }
}
