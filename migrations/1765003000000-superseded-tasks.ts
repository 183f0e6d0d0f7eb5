import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of a batch whose failed ligands were docked again the newest run of each ligand counts. The tasks of older runs are marked when a newer
 * run is planned, so that pages, counts and repetitions read what counts from an index, and compare no runs with each other. The
 * index of tasks that are not done has only those that count; marked ones stand in two indexes of their own, which are nearly empty.
 */
export class SupersededTasks1765003000000 implements MigrationInterface {
  name = 'SupersededTasks1765003000000';

  /** Adds the mark, marks the tasks of runs that were repeated before, and makes the indexes. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MARK, MARK_OLDER, INDEXES]) await runner.query(sql);
  }

  /** Takes the mark away, and makes the index of before. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index tasks_superseded;
      drop index tasks_superseded_done;
      drop index tasks_undone;
      alter table tasks drop column superseded;
      create index tasks_undone on tasks (job_id, item_id collate "C") where kind = 'task' and state <> 'SUCCEEDED'`);
  }
}

const MARK = 'alter table tasks add column superseded boolean not null default false';

/** The ids of a newer run as a list are looked up by hash, also where the database knows nothing of the number of its tasks. */
const MARK_OLDER = `
  do $$
  declare newer record;
  begin
    for newer in select run.batch_id, run.number, array_agg(t.item_id) as ids from docking_runs run
      join tasks t on t.job_id = run.job_id and t.kind = 'task' where run.batch_id is not null and run.number > 1 group by 1, 2
    loop
      update tasks older set superseded = true from docking_runs run
      where run.batch_id = newer.batch_id and run.number < newer.number and older.job_id = run.job_id and older.kind = 'task'
        and older.item_id = any(newer.ids);
    end loop;
  end $$`;

const INDEXES = `
  drop index tasks_undone;
  create index tasks_undone on tasks (job_id, item_id collate "C") where kind = 'task' and state <> 'SUCCEEDED' and not superseded;
  create index tasks_superseded on tasks (job_id, item_id collate "C") where kind = 'task' and state <> 'SUCCEEDED' and superseded;
  create index tasks_superseded_done on tasks (job_id, ordinal) where kind = 'task' and state = 'SUCCEEDED' and superseded`;
