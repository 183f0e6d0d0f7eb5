import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each event is updated once, when it is numbered, and leaves a dead entry in the index of those that are not numbered, which every
 * reader asks first. The default vacuums only when a fifth of the table is dead.
 */
export class EventsVacuumed1767500000000 implements MigrationInterface {
  name = 'EventsVacuumed1767500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table events set (autovacuum_vacuum_scale_factor = 0.02)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table events reset (autovacuum_vacuum_scale_factor)');
  }
}
