import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Receipts of revisions. A revision gets its row with the transaction that saves the revision; the control side, which has the private
 * keys, signs what has no receipt yet.
 */
export class RevisionReceipts1766600000000 implements MigrationInterface {
  name = 'RevisionReceipts1766600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table molecular_receipts (
        project_id uuid not null,
        version integer not null,
        -- The canonical JSON that was signed, the key and the signature in base64url; null until the receipt is made.
        document text,
        key_id text references receipt_keys,
        signature text,
        due_at timestamptz not null default clock_timestamp(),
        primary key (project_id, version),
        foreign key (project_id, version) references molecular_revisions,
        check (num_nulls(document, key_id, signature) in (0, 3))
      );
      create index molecular_receipts_due on molecular_receipts (due_at) where document is null;
      create function refuse_change_of_molecular_receipt() returns trigger language plpgsql as $$
      begin
        raise exception 'a receipt of a revision never changes';
      end $$;
      create trigger molecular_receipts_unchanged before update on molecular_receipts
      for each row when (old.document is not null) execute function refuse_change_of_molecular_receipt();
      insert into molecular_receipts (project_id, version) select project_id, version from molecular_revisions`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table molecular_receipts;
      drop function refuse_change_of_molecular_receipt()`);
  }
}
