import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an instance is told at its first boot is kept before the first call, too, so that a control worker of a later build repeats a
 * call whose answer was lost with the same text. Most instances are told the same, so their rows name the text by its digest. What is
 * secret in the text is signed anew in each attempt, and by the secret that the row names, because the secret may be changed meanwhile.
 *
 * The terms of a launch have the whole call now. They are moved out of the row, because every contact of an instance writes its row.
 */
export class InstanceFrames1764906010000 implements MigrationInterface {
  name = 'InstanceFrames1764906010000';

  /** Adds texts and their digests; launches of before have the settings of their text in their terms. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table instance_frames (digest text primary key check (digest ~ '^[0-9a-f]{64}$'), content text not null);
      alter table instances add column frame_digest text references instance_frames (digest),
        add column credential_key text, set (toast_tuple_target = 768);
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table instances drop column frame_digest, drop column credential_key, reset (toast_tuple_target);
      drop table instance_frames;
    `);
  }
}
