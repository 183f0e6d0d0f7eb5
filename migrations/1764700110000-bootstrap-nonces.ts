import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The nonce of the first call of an instance: the credential of a launch serves one caller, who may repeat the call. */
export class BootstrapNonces1764700110000 implements MigrationInterface {
  name = 'BootstrapNonces1764700110000';

  /** Adds the column. Instances of before have bearers from their launch, and make no such call. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table instances add column bootstrap_nonce text');
  }

  /** Takes it away; a credential that was used may be used again by whoever has it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table instances drop column bootstrap_nonce');
  }
}
