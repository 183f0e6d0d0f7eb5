import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A digest is recorded together with the store's ETag of the bytes, so that a HEAD tells other bytes under the same
 * key. An object is found by the id of its upload, which a repeated announcement derives anew. The row of an upload
 * that was not completed records that the store has nothing left of it, however long the sweep did not run.
 */
export class VerifiedBytes1764300000000 implements MigrationInterface {
  name = 'VerifiedBytes1764300000000';

  /** Adds the columns, and indexes for the searches. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table stored_objects add column etag text;
      create unique index stored_objects_upload on stored_objects (upload_id);
      create index stored_objects_arriving on stored_objects (account_id, created_at)
        where state = 'ANNOUNCED' and project_id is not null;
      alter table uploads add column cleared_at timestamptz;
      create index uploads_uncleared on uploads (id)
        where cleared_at is null and state in ('FAILED', 'ABORTED', 'EXPIRED');
    `);
  }

  /** Takes columns and indexes away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index uploads_uncleared, stored_objects_arriving, stored_objects_upload;
      alter table uploads drop column cleared_at;
      alter table stored_objects drop column etag;
    `);
  }
}
