import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rank of a docked ligand is how many of its job are better. Counting them one by one takes longer the farther down a page is, most of
 * all while results arrive; so how many there are is kept by steps of a sixteenth of a kcal/mol.
 */
export class DockingRankCounts1764905000000 implements MigrationInterface {
  name = 'DockingRankCounts1764905000000';

  /** Makes the table, and counts the results that are there; nobody writes results meanwhile. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      lock table docking_results in share row exclusive mode;
      create table docking_rank_counts (
        job_id uuid not null references jobs,
        step smallint not null,
        count integer not null check (count >= 0),
        primary key (job_id, step)
      ) with (fillfactor = 50);
      insert into docking_rank_counts (job_id, step, count)
      select job_id, least(greatest(floor(best_affinity_kcal_mol * 16), -32768), 32767)::smallint, count(*) from docking_results group by 1, 2`);
  }

  /** Drops the table. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table docking_rank_counts');
  }
}
