import { readFileSync } from 'node:fs';

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The schema of the first release: the tables (schema.sql), and what guards them and moves credits (functions.sql). */
export class Schema1765400000000 implements MigrationInterface {
  name = 'Schema1765400000000';

  /** Makes all tables, views, functions and triggers. */
  async up(runner: QueryRunner): Promise<void> {
    for (const file of ['schema.sql', 'functions.sql'])
      await runner.query(readFileSync(new URL(file, import.meta.url), 'utf8'));
  }

  /** Removes everything but the table in which TypeORM notes what has run. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$
      declare
        statement text;
      begin
        for statement in
          select format('drop table %s cascade', oid::regclass) from pg_class
          where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
        loop
          execute statement;
        end loop;
        for statement in
          select format('drop function %s', oid::regprocedure) from pg_proc where pronamespace = 'public'::regnamespace
        loop
          execute statement;
        end loop;
      end $$`);
  }
}
