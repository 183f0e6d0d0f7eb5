import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ranks and filters of interactions count rows of a batch in an index, and look at no row where the database knows that all see
 * it. The database learns that when it vacuums, by default after a fifth of a table is new; a batch is a small part of a large
 * table, so these two tables are vacuumed after so many new rows as a few batches have. A contact's index has its modes, too.
 */
export class SettledResults1764900200000 implements MigrationInterface {
  name = 'SettledResults1764900200000';

  /** Sets when the tables are vacuumed, and adds the modes to the index. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_results set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 2000);
      alter table docking_contacts set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
      alter table docking_contacts drop constraint docking_contacts_pkey;
      alter table docking_contacts add primary key (job_id, contact, result_id, block) include (modes)`);
  }

  /** The defaults again, and the index without modes. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_contacts drop constraint docking_contacts_pkey;
      alter table docking_contacts add primary key (job_id, contact, result_id, block);
      alter table docking_contacts reset (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold);
      alter table docking_results reset (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold)`);
  }
}
