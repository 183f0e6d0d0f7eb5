import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A ligand that an account has docked before in the same way is not docked again. The key says what "the same way" is; a task has
 * its key once the receptor is prepared, and a result has the key of its task.
 */
export class ReuseKeys1764706200000 implements MigrationInterface {
  name = 'ReuseKeys1764706200000';

  /** Adds the keys. Results of before have none, so they are not reused. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks add column reuse_key text;
      alter table docking_results add column reuse_key text;
      create index docking_results_reuse on docking_results (reuse_key, cpu_class)
        where reuse_key is not null and cached_from_result_id is null;
      create index docking_results_reused on docking_results (job_id) where cached_from_result_id is not null`);
  }

  /** Takes the keys away. Results that repeat earlier ones stay, and stay paid for by nobody. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index docking_results_reused;
      drop index docking_results_reuse;
      alter table docking_results drop column reuse_key;
      alter table tasks drop column reuse_key`);
  }
}
