import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Programs of one tool lie side by side on a machine, as variants or versions, and each is offered by itself. */
export class ToolVariants1767400000000 implements MigrationInterface {
  name = 'ToolVariants1767400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Empty for the programs without a variant.
      alter table tool_offers add column variant text not null default '',
        drop constraint tool_offers_pkey, add primary key (provider, tool_id, variant)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from tool_offers where variant <> ''`);
    await runner.query(`
      alter table tool_offers drop constraint tool_offers_pkey, drop column variant, add primary key (provider, tool_id)`);
  }
}
