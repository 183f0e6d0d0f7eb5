import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A logical path has up to 1,024 characters, which can be 4,096 bytes, more than an entry of an index may hold. So the
 * newest file of a path is found by the digest of the path.
 */
export class LogicalPaths1764510000000 implements MigrationInterface {
  name = 'LogicalPaths1764510000000';

  /** Puts the digest of the path into the index. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index stored_objects_path;
      create index stored_objects_path on stored_objects (account_id, project_id, md5(logical_path), verified_at desc)
        where project_id is not null and state = 'VERIFIED';
    `);
  }

  /** Puts the path itself back, which fails where a path is longer than an index entry may be. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index stored_objects_path;
      create index stored_objects_path on stored_objects (account_id, project_id, logical_path, verified_at desc)
        where project_id is not null and state = 'VERIFIED';
    `);
  }
}
