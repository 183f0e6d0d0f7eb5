import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `artifacts.item_id` names the item of the task that made an output, whatever the unit of the job is. The column replaces
 * `frame` and `ligand_id`, of which each new unit would have needed another one. What customers read is made of the job's
 * unit and the item.
 */
export class ItemIds1764610000000 implements MigrationInterface {
  name = 'ItemIds1764610000000';

  /** Replaces the two columns by the one, which is filled from them, and from the tasks where there was neither. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table artifacts add column item_id text;
      update artifacts a set item_id = coalesce(a.ligand_id, a.frame::text, (select t.item_id from tasks t
        where t.job_id = a.job_id and t.kind = 'task' and t.ordinal = a.task_ordinal))
      where a.task_kind = 'task';
      alter table artifacts drop column frame, drop column ligand_id;
    `);
  }

  /** Brings the two columns back and fills the one that belongs to the unit of the job. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table artifacts add column frame integer, add column ligand_id text;
      update artifacts a set frame = case when j.unit = 'frame' then a.item_id::integer end,
        ligand_id = case when j.unit = 'ligand' then a.item_id end
      from jobs j where j.id = a.job_id and a.item_id is not null;
      alter table artifacts drop column item_id;
    `);
  }
}
