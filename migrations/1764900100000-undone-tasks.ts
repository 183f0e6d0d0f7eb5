import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A page of results lists ligands that are not docked by their ids. Ten thousand ligands wait when a batch begins, so a page reads
 * them in the order of an index, as far as the page goes. A task that is done leaves the index.
 */
export class UndoneTasks1764900100000 implements MigrationInterface {
  name = 'UndoneTasks1764900100000';

  /** Makes the index; ids are compared by their bytes, as lists compare them. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index tasks_undone on tasks (job_id, item_id collate "C") where kind = 'task' and state <> 'SUCCEEDED'`);
  }

  /** Drops the index. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index tasks_undone');
  }
}
