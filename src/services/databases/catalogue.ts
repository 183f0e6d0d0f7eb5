/** The catalogue of databases that the operator keeps for all customers: looking up, listing and removing. */
import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';

import { DatabaseEntity } from '../../../entities/databases.ts';
import type { CatalogueEntry } from '../../../entities/databases.ts';
import type { CatalogueDatabase, CatalogueFile, DatabaseCatalogue } from '../../domain/databases.ts';
import { AppError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { recordChange, SOME_OPERATOR } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';

/** A database as the operator sees it. */
export interface OperatorDatabase extends CatalogueDatabase {
  readonly addedAt: Date;
}

/** Reads the catalogue. */
export function createDatabaseCatalogue(db: DataSource): DatabaseCatalogue {
  return {
    async find(name) {
      const entry = await db.getRepository(DatabaseEntity).findOneBy({ name, removedAt: IsNull() });
      return entry === null ? null : databaseOf(entry);
    },
    async names() {
      const entries = await db.getRepository(DatabaseEntity).find({
        select: { id: true, name: true },
        where: { removedAt: IsNull() },
        order: { name: 'asc' },
      });
      return entries.map(({ name }) => name);
    },
  };
}

/** All databases that a request can name, by name. */
export async function listDatabases(db: DataSource): Promise<readonly OperatorDatabase[]> {
  const entries = await db
    .getRepository(DatabaseEntity)
    .find({ where: { removedAt: IsNull() }, order: { name: 'asc' } });
  return entries.map((entry) => ({ ...databaseOf(entry), addedAt: entry.addedAt }));
}

/**
 * Removes a database from the catalogue at once. The files of the database stay for the jobs that have pinned them: the
 * sweep removes them when no open job reads them any more.
 * @throws NOT_FOUND.
 */
export function removeDatabase(
  db: DataSource,
  name: string,
  by: Author = SOME_OPERATOR,
): Promise<{ readonly openJobs: number }> {
  return inTransaction(db, async (tx) => {
    const [removed] = await endEntry(tx, name);
    if (removed === undefined) throw new AppError('NOT_FOUND', `There is no database ${name}.`);
    await recordChange(tx, by, {
      accountId: null,
      action: 'database.removed',
      subject: name,
      before: { version: removed.version, checksum: removed.checksum },
    });
    return { openJobs: removed.open_jobs };
  });
}

interface EndedRow extends Row<CatalogueEntry, 'version' | 'checksum'> {
  readonly open_jobs: number;
}

/** Takes the database of a name out of the catalogue; none where there is none. */
export function endEntry(tx: Tx, name: string): Promise<EndedRow[]> {
  return tx.query<EndedRow[]>(
    `with done as (
       update databases set removed_at = clock_timestamp() where name = $1 and removed_at is null
       returning version, checksum, files)
     select version, checksum, (select count(distinct j.id) from jobs j join job_inputs i on i.job_id = j.id
       where j.finished_at is null and i.storage_key in (
         select file->>'storageKey' from jsonb_array_elements(done.files) file))::int as open_jobs
     from done`,
    [name],
  );
}

function databaseOf(entry: CatalogueEntry): CatalogueDatabase {
  const { name, type, version, date, checksum, letters, sequences } = entry;
  return { name, type, version, date, checksum, letters, sequences, files: filesOf(entry) };
}

/** The files of an entry; only this service writes them. */
export function filesOf({ id, files }: Pick<CatalogueEntry, 'id' | 'files'>): readonly CatalogueFile[] {
  if (!Array.isArray(files) || !files.every(isFile)) throw invariantBroken(`the database ${id} has no files`);
  return files;
}

function isFile(value: unknown): value is CatalogueFile {
  return (
    isRecord(value) &&
    typeof value['fileName'] === 'string' &&
    typeof value['storageKey'] === 'string' &&
    typeof value['byteSize'] === 'number' &&
    typeof value['sha256'] === 'string'
  );
}
