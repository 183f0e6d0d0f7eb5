import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conversions of files are asked and answered as inspections are, by internal jobs. */
export class Conversions1766700000000 implements MigrationInterface {
  name = 'Conversions1766700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "alter table inspections add column kind text not null default 'inspection' check (kind in ('inspection', 'conversion'))",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from inspections where kind = 'conversion';
      alter table inspections drop column kind`);
  }
}
