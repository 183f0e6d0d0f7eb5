import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The data that the scene of each content names, so that a share serves nothing else and no sweep removes it. */
export class MolecularSources1766100000000 implements MigrationInterface {
  name = 'MolecularSources1766100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table molecular_sources (
  account_id uuid not null,
  content_sha256 text not null,
  -- As the scene names the data.
  address text not null,
  -- The artifact of the account; null for an entry of the archive. An artifact that is lost stays named here.
  artifact_id uuid,
  primary key (account_id, content_sha256, address),
  foreign key (account_id, content_sha256) references molecular_contents on delete cascade
);
create index molecular_sources_artifact on molecular_sources (artifact_id) where artifact_id is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table molecular_sources');
  }
}
