import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
create table molecular_projects (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  description text not null,
  current_version integer not null check (current_version > 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- Removed with all revisions thirty days later.
  deleted_at timestamptz
);
create index molecular_projects_list on molecular_projects (account_id, created_at, id) where deleted_at is null;
create index molecular_projects_deleted on molecular_projects (deleted_at) where deleted_at is not null;

-- The canonical JSON (RFC 8785) of contents, in UTF-8.
create table molecular_contents (
  account_id uuid not null references accounts,
  sha256 text not null,
  bytes bytea not null,
  primary key (account_id, sha256)
);

create table molecular_revisions (
  project_id uuid not null references molecular_projects,
  version integer not null check (version > 0),
  account_id uuid not null,
  content_sha256 text not null,
  byte_size integer not null,
  message text not null,
  -- The revision whose content this one has again; null where the content was sent.
  source_version integer,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, version),
  foreign key (account_id, content_sha256) references molecular_contents,
  foreign key (project_id, source_version) references molecular_revisions
);
create index molecular_revisions_content on molecular_revisions (account_id, content_sha256);

create table molecular_shares (
  id uuid primary key,
  project_id uuid not null,
  version integer not null,
  token_sha256 bytea not null unique,
  -- The token for owners to see again, sealed under a key of the installation.
  sealed_token text not null,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  foreign key (project_id, version) references molecular_revisions
);
create index molecular_shares_project on molecular_shares (project_id, created_at);

create function refuse_change_of_revision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from molecular_projects where id = old.project_id and deleted_at is not null) then
    return old;
  end if;
  raise exception 'a revision of a molecular project never changes';
end $$;
create trigger molecular_revisions_unchanged before update or delete on molecular_revisions
for each row execute function refuse_change_of_revision();
create trigger molecular_contents_unchanged before update on molecular_contents
for each row execute function refuse_change();`;

/**
 * Molecular projects: a head that moves, revisions that never change, their contents once for each digest, and shares that are
 * pinned to a revision.
 */
export class MolecularProjects1765500000000 implements MigrationInterface {
  name = 'MolecularProjects1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table molecular_shares, molecular_revisions, molecular_contents, molecular_projects;
      drop function refuse_change_of_revision();`);
  }
}
