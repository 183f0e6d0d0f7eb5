/** Adding a database to the catalogue, and proving that the store still has the bytes of those that are there. */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { DatabaseEntity } from '../../../entities/databases.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { databaseKey } from '../../contracts/names.ts';
import type { CatalogueDatabase, CatalogueFile, SequenceType } from '../../domain/databases.ts';
import { AppError } from '../../domain/errors.ts';
import { recordChange, SOME_OPERATOR } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { inTransaction, isUniqueViolation } from '../transaction.ts';
import { createDatabaseCatalogue, endEntry, listDatabases } from './catalogue.ts';
import { readDatabase } from './read-files.ts';
import { storeFile } from './store-file.ts';

/** A database to add, by the words of the operator. */
export interface NewDatabase {
  readonly name: string;
  readonly type: SequenceType;
  readonly version: string;
  readonly date: string;
  /** A FASTA file, or a folder with ready volumes. */
  readonly path: string;
  /** Whether a database of this name gives way. */
  readonly replace: boolean;
  /** The operator who adds it, for the audit log. */
  readonly by?: Author;
}

/** Told what is under way. */
export interface DatabaseProgress {
  step(text: string): void;
  bytes(done: number, total: number | null): void;
}

interface Dependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
}

/**
 * Stores the files and puts the database into the catalogue. Jobs that have pinned a replaced database keep it.
 * @throws VALIDATION_ERROR.
 */
export async function addDatabase(
  { db, store }: Dependencies,
  added: NewDatabase,
  progress: DatabaseProgress,
): Promise<CatalogueDatabase> {
  const { name, type, version, date, path, replace, by = SOME_OPERATOR } = added;
  const before = await createDatabaseCatalogue(db).find(name);
  if (before !== null && !replace) throw exists(name);
  progress.step('reading');
  const { files: sources, checksum, letters, sequences } = await readDatabase(path, added);
  const id = uuidv7();
  const files: CatalogueFile[] = sources.map(({ fileName, byteSize, sha256 }) => ({
    fileName,
    byteSize,
    sha256,
    storageKey: databaseKey(id, fileName),
  }));
  // Until all files are stored, the entry is due for removal tomorrow, so that a sweep removes the files of an addition that
  // crashed.
  await db.query(
    `insert into databases (id, name, type, version, date, checksum, letters, sequences, files, removed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, clock_timestamp() + interval '1 day')`,
    [id, name, type, version, date, checksum, letters, sequences, JSON.stringify(files)],
  );
  const total = sources.reduce((sum, { byteSize }) => sum + byteSize, 0);
  let stored = 0;
  progress.step('storing');
  for (const source of sources) {
    await storeFile(store, databaseKey(id, source.fileName), source, (bytes) =>
      progress.bytes(stored + bytes, total),
    );
    stored += source.byteSize;
  }
  const database = { name, type, version, date, checksum, letters, sequences, files };
  await putInto(db, { id, database, replace, by });
  return database;
}

interface Entering {
  readonly id: string;
  readonly database: CatalogueDatabase;
  readonly replace: boolean;
  readonly by: Author;
}

async function putInto(db: DataSource, { id, database, replace, by }: Entering): Promise<void> {
  const { name, type, version, date, checksum } = database;
  try {
    await inTransaction(db, async (tx) => {
      const [former] = replace ? await endEntry(tx, name) : [];
      await tx.getRepository(DatabaseEntity).update({ id }, { removedAt: null });
      await recordChange(tx, by, {
        accountId: null,
        action: 'database.added',
        subject: name,
        ...(former === undefined ? {} : { before: { version: former.version, checksum: former.checksum } }),
        after: { type, version, date, checksum },
      });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? exists(name) : error;
  }
}

/** A database with the files that the store does not have as they were added. */
export interface VerifiedDatabase {
  readonly name: string;
  readonly ok: boolean;
  readonly faults: readonly string[];
}

/**
 * Reads every file of the databases again; of all databases when no name is given.
 * @throws NOT_FOUND.
 */
export async function verifyDatabases(
  { db, store }: Dependencies,
  name: string | undefined,
  progress: DatabaseProgress,
): Promise<readonly VerifiedDatabase[]> {
  const all = await listDatabases(db);
  const wanted = name === undefined ? all : all.filter((database) => database.name === name);
  if (name !== undefined && wanted.length === 0)
    throw new AppError('NOT_FOUND', `There is no database ${name}.`);
  const results: VerifiedDatabase[] = [];
  for (const database of wanted) {
    const faults: string[] = [];
    for (const { fileName, storageKey, byteSize, sha256 } of database.files) {
      progress.step(`${database.name}: ${fileName}`);
      const found = await store.hash(storageKey, (bytes) => progress.bytes(bytes, byteSize));
      if (found === null) faults.push(`${fileName} is missing`);
      else if (found.sha256 !== sha256) faults.push(`${fileName} has other bytes`);
    }
    results.push({ name: database.name, ok: faults.length === 0, faults });
  }
  return results;
}

function exists(name: string): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `There is a database ${name} already. Add --replace to put this one in its place.`,
  );
}
