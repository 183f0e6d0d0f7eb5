import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * All that is sent to a provider for a launch, written before the first call: a call whose answer was lost is repeated with the
 * same, because a provider takes a token once, and for the same request only.
 */
export class FrozenLaunches1764702100000 implements MigrationInterface {
  name = 'FrozenLaunches1764702100000';

  /** Adds the columns; instances of before were launched without terms. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table instances add column instance_class text not null default 'cpu', add column gpus integer not null default 0,
        add column candidate integer not null default 0, add column round integer not null default 0, add column terms jsonb,
        add column asked_at timestamptz, add column cpu_class text, add column zone text, add column refusal text;
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table instances drop column instance_class, drop column gpus, drop column candidate, drop column round,
        drop column terms, drop column asked_at, drop column cpu_class, drop column zone, drop column refusal;
    `);
  }
}
