import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tool offers: what each provider of instances last said of each tool. A tool is offered to customers while a recent
 * row says that it can be run; a provider that does not answer for a moment leaves its rows as they are.
 */
export class ToolOffers1764630000000 implements MigrationInterface {
  name = 'ToolOffers1764630000000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table tool_offers (
        provider text not null,
        tool_id text not null,
        available boolean not null,
        reason text check ((reason is null) = available),
        version text,
        digest text,
        seen_at timestamptz not null,
        primary key (provider, tool_id)
      );
    `);
  }

  /** Takes the table back; the providers tell everything again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table tool_offers;');
  }
}
