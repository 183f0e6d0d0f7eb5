import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The step `merge`: work on an instance after all tasks of a job are decided, over what these have written. */
export class MergeSteps1764620000000 implements MigrationInterface {
  name = 'MergeSteps1764620000000';

  /** Allows the kind. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks drop constraint tasks_kind_check;
      alter table tasks add constraint tasks_kind_check check (kind in ('task', 'prepare', 'control', 'merge', 'finish'));
    `);
  }

  /** Refuses the kind again. The steps themselves go; what they wrote stays among the outputs of their jobs. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from tasks where kind = 'merge';
      alter table tasks drop constraint tasks_kind_check;
      alter table tasks add constraint tasks_kind_check check (kind in ('task', 'prepare', 'control', 'finish'));
    `);
  }
}
