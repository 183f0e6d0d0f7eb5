import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A digest is recorded with the store's ETag of the bytes that have it, so that other bytes under the same key are told
 * from them by a HEAD. An object is found by the id of its upload, which a repeated announcement derives anew. An upload
 * that was not completed remembers that nothing of it is left in the store, however long the sweep was away.
 */
export class VerifiedBytes1764300000000 implements MigrationInterface {
  name = 'VerifiedBytes1764300000000';

  /** Adds the columns, and the indexes of what is looked for. */
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

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index uploads_uncleared, stored_objects_arriving, stored_objects_upload;
      alter table uploads drop column cleared_at;
      alter table stored_objects drop column etag;
    `);
  }
}
