/**
 * Schema changes. When several processes start at once, one process migrates, and the others wait for its advisory
 * lock.
 */
import pg from 'pg';
import { DataSource } from 'typeorm';

import { Schema1765400000000 } from '../../../migrations/1765400000000-schema.ts';
import { DepositedStructures1766200000000 } from '../../../migrations/1766200000000-deposited-structures.ts';
import { StructureFacts1766300000000 } from '../../../migrations/1766300000000-structure-facts.ts';
import { MolecularSources1766100000000 } from '../../../migrations/1766100000000-molecular-sources.ts';
import { MolecularProjects1765500000000 } from '../../../migrations/1765500000000-molecular-projects.ts';
import { Conversions1766700000000 } from '../../../migrations/1766700000000-conversions.ts';
import { KeptWork1767000000000 } from '../../../migrations/1767000000000-kept-work.ts';
import { KeptSources1767100000000 } from '../../../migrations/1767100000000-kept-sources.ts';
import { Legs1767200000000 } from '../../../migrations/1767200000000-legs.ts';
import { Webhooks1767300000000 } from '../../../migrations/1767300000000-webhooks.ts';
import { ToolVariants1767400000000 } from '../../../migrations/1767400000000-tool-variants.ts';
import { EventsVacuumed1767500000000 } from '../../../migrations/1767500000000-events-vacuumed.ts';
import { LicenceSeats1767600000000 } from '../../../migrations/1767600000000-licence-seats.ts';
import { RevisionReceipts1766600000000 } from '../../../migrations/1766600000000-revision-receipts.ts';
import { RecordsApart1765900000000 } from '../../../migrations/1765900000000-records-apart.ts';
import { FollowedEvents1766400000000 } from '../../../migrations/1766400000000-followed-events.ts';
import { CreditEvents1766500000000 } from '../../../migrations/1766500000000-credit-events.ts';
import { sessionOptions } from './session-options.ts';

/** All migrations, in the order in which they run. */
const MIGRATIONS = [
  Schema1765400000000,
  MolecularProjects1765500000000,
  RecordsApart1765900000000,
  MolecularSources1766100000000,
  DepositedStructures1766200000000,
  StructureFacts1766300000000,
  FollowedEvents1766400000000,
  CreditEvents1766500000000,
  RevisionReceipts1766600000000,
  Conversions1766700000000,
  KeptWork1767000000000,
  KeptSources1767100000000,
  Legs1767200000000,
  Webhooks1767300000000,
  ToolVariants1767400000000,
  EventsVacuumed1767500000000,
  LicenceSeats1767600000000,
];
/** Any fixed number; only this code takes this lock. */
const MIGRATION_LOCK = 4_926_017;

/** Applies the migrations that are missing, each in a transaction. @returns their names. */
export async function runMigrations(url: string): Promise<string[]> {
  return withMigrator(url, async (source) => {
    const applied = await source.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  });
}

/** Takes the newest migration back, or as many of the newest as are named. The data of their tables is lost. */
export async function revertMigration(url: string, count = 1): Promise<void> {
  await withMigrator(url, async (source) => {
    for (let step = 0; step < count; step += 1) await source.undoLastMigration({ transaction: 'each' });
  });
}

async function withMigrator<T>(url: string, work: (source: DataSource) => Promise<T>): Promise<T> {
  const lock = new pg.Client({ connectionString: url, application_name: 'dockyard-migrate' });
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const source = new DataSource({
      type: 'postgres',
      url,
      migrations: MIGRATIONS,
      logging: false,
      poolSize: 1,
      extra: sessionOptions(url),
    });
    await source.initialize();
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  } finally {
    await lock.end();
  }
}
