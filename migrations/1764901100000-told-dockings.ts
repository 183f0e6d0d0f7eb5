import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What records of docking did not tell: why a sample was not docked again, how the ligands of a library are prepared, and which
 * version of the engine has docked.
 */
export class ToldDockings1764901100000 implements MigrationInterface {
  name = 'ToldDockings1764901100000';

  /** Adds the columns. A sample whose job was refused has the refusal in place of the job; nothing is known of earlier refusals. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_samples alter column job_id drop not null, add column failure_code text, add column failure_message text,
        add check ((job_id is null) = (failure_code is not null)), add check ((failure_code is null) = (failure_message is null));
      alter table docking_batches add column ligand_preparation jsonb;
      alter table docking_results add column engine_version text`);
  }

  /** Takes the columns away, and with them the samples that were refused. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_results drop column engine_version;
      alter table docking_batches drop column ligand_preparation;
      delete from docking_samples where job_id is null;
      alter table docking_samples drop column failure_code, drop column failure_message, alter column job_id set not null`);
  }
}
