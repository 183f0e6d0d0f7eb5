import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Multipart uploads. The row of an object is UPLOADING until its upload is verified: the room of the object is taken,
 * but no request can use the object, even while its bytes are in the store and are compared with the announced digest.
 * An account whose files are to be removed has a row in `account_removals`, so that a sweep that was interrupted goes
 * on.
 */
export class Uploads1764000000000 implements MigrationInterface {
  name = 'Uploads1764000000000';

  /** Adds the tables of uploads and of removals. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table stored_objects drop constraint stored_objects_state_check,
        add constraint stored_objects_state_check check (state in ('ANNOUNCED', 'UPLOADING', 'VERIFIED', 'DELETED'));
      create index stored_objects_path on stored_objects (account_id, project_id, logical_path, verified_at desc)
        where project_id is not null and state = 'VERIFIED';
      create table uploads (
        id uuid primary key,
        account_id uuid not null references accounts,
        storage_key text not null unique references stored_objects,
        state text not null default 'OPENING' check (state in ('OPENING', 'OPEN', 'VERIFYING', 'COMPLETED', 'FAILED',
          'ABORTED', 'EXPIRED')),
        provider text not null check (provider in ('aws', 'azure')),
        part_size bigint not null check (part_size > 0),
        part_count integer not null check (part_count between 1 and 10000),
        checksum_algorithm text check (checksum_algorithm = 'sha256'),
        job_type text,
        fingerprint text not null,
        first_run_id text not null,
        store_upload_id text,
        parts jsonb,
        parts_sha256 text,
        etag text,
        integrity text check (integrity in ('parts-sha256', 'size')),
        end_code text,
        end_message text,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        ended_at timestamptz,
        check ((ended_at is null) = (state in ('OPENING', 'OPEN', 'VERIFYING'))),
        check (state <> 'COMPLETED' or parts is not null and integrity is not null)
      );
      create index uploads_open on uploads (account_id, created_at desc, id desc) where ended_at is null;
      create index uploads_late on uploads (expires_at) where ended_at is null;
      create table account_removals (
        account_id uuid primary key references accounts,
        requested_at timestamptz not null default now(),
        swept_at timestamptz
      );
    `);
  }

  /** Takes the tables away; files of uploads that are under way are lost. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table account_removals, uploads;
      drop index stored_objects_path;
      update stored_objects set state = 'DELETED' where state = 'UPLOADING';
      alter table stored_objects drop constraint stored_objects_state_check,
        add constraint stored_objects_state_check check (state in ('ANNOUNCED', 'VERIFIED', 'DELETED'));
    `);
  }
}
