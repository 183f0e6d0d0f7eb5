import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A measured task that goes on from a checkpoint owes the seconds of the tool that the checkpoint holds, too. The claim of the next
 * attempt forgets the run of the lost one, so the row keeps these seconds apart.
 */
export class KeptWork1767000000000 implements MigrationInterface {
  name = 'KeptWork1767000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The milliseconds of the tool's runs whose work the checkpoint holds.
      alter table tasks add column kept_ms bigint not null default 0 check (kept_ms >= 0),
        add check (kept_ms = 0 or checkpoint is not null)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tasks drop column kept_ms');
  }
}
