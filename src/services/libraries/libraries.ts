/**
 * Opens ligand libraries: a stored file by its artifact, or a list of a request. A library is read once for its digest, format and
 * account, and is known by its index from then on, whoever asks. A library that is refused leaves neither row nor object: the
 * index is written in one transaction, and the copy in the store is noted before it is made, so that the sweep finds what a crash
 * left. Instances read the copy, which nobody can write over, and not the customer's file.
 */
import { createHash } from 'node:crypto';

import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';

import { LigandLibraryEntity } from '../../../entities/libraries.ts';
import type { LigandLibrary } from '../../../entities/libraries.ts';
import { ArtifactEntity } from '../../../entities/storage.ts';
import type { Artifact } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { libraryKey } from '../../contracts/names.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { LibraryFormat, LibraryUse, LigandIdentity, LigandPreparation } from '../../domain/requests.ts';
import { LIBRARY_FORMATS } from '../../domain/requests.ts';
import { isLibraryFormat, readLibrary } from '../../tools/ligand-library/library.ts';
import { refuse } from '../../tools/ligand-library/codes.ts';
import { MOST_LIBRARY_BYTES } from '../../tools/ligand-library/unpack.ts';
import { announceRequest } from '../stored-objects/announce.ts';
import type { Confirmations } from '../ligands/confirmation.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { storeCopy } from './copy.ts';
import type { UnpackedFile } from './copy.ts';
import { forgetLibrary } from './forget.ts';
import { digestOfList, recordsOfList } from './list.ts';
import { beginIndex, endIndex, READER, writeRecords } from './write.ts';

/** An indexed library. */
export type OpenedLibrary = Omit<LigandLibrary, 'reader' | 'usedAt' | 'createdAt'>;

/** A library that a request has opened; `madeAt` is null where the library was there before. */
export type LibraryOfRequest = OpenedLibrary & { readonly madeAt: string | null };

/** The libraries of an installation. */
export interface Libraries {
  /**
   * The library of a stored artifact, indexed now where it never was.
   * @throws INPUT_NOT_FOUND, ARTIFACT_MISMATCH, CHECKSUM_MISMATCH, LIBRARY_EMPTY, LIBRARY_TOO_LARGE, LIBRARY_RECORD_TOO_LARGE,
   * LIBRARY_UNREADABLE, LIBRARY_COLUMN_MISSING.
   */
  open(actor: Pick<Actor, 'accountId'>, artifactId: string): Promise<LibraryOfRequest>;
  /** The library of a list of a request, whose ids differ. @throws LIGAND_CONFIRMATION_INVALID. */
  openList(actor: Pick<Actor, 'accountId'>, ligands: readonly LigandIdentity[]): Promise<LibraryOfRequest>;
  /** Removes a library that was made for a request that is refused, unless somebody else has opened the library since. */
  forget(library: LibraryOfRequest): Promise<void>;
}

/** The database, the store, and the check of confirmed ligands. */
export interface LibraryDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly confirmations: Pick<Confirmations, 'check'>;
}

type StoredLibrary = Pick<Artifact, 'accountId' | 'storageKey' | 'byteSize' | 'sha256'> & {
  readonly format: LibraryFormat;
};

type Identity = Pick<LigandLibrary, 'accountId' | 'format' | 'sha256'>;

const MOST_ATTEMPTS = 5;
/** How many libraries one process reads at once; a library of 256 MB takes seconds of the processor. */
const READ_AT_ONCE = 2;

/** Makes the libraries of one process. Equal libraries that are asked for at the same time are read once. */
export function createLibraries(deps: LibraryDependencies): Libraries {
  const turn = pLimit(READ_AT_ONCE);
  const running = new Map<string, Promise<string | null>>();
  const once = async (identity: Identity, work: () => Promise<string | null>): Promise<string | null> => {
    const key = JSON.stringify(Object.values(identity));
    const known = running.get(key);
    if (known !== undefined) {
      await known;
      return null;
    }
    const work$ = turn(work).finally(() => running.delete(key));
    running.set(key, work$);
    return work$;
  };
  return {
    async open({ accountId }, artifactId) {
      const stored = await findStored(deps.db, accountId, artifactId);
      const { format, sha256 } = stored;
      const identity = { accountId, format, sha256 };
      return openLibrary(deps.db, identity, () => once(identity, () => indexFile(deps, stored)));
    },
    async openList(actor, ligands) {
      await deps.confirmations.check(actor, { ligandLibrary: [...ligands] });
      const { accountId } = actor;
      const identity = { accountId, format: 'list' as const, sha256: digestOfList(ligands) };
      const make = (): Promise<string | null> => indexList(deps.db, identity, ligands);
      return openLibrary(deps.db, identity, () => once(identity, make));
    },
    forget: (library) => forgetLibrary(deps, library),
  };
}

/** Makes a job's use of a library: all of its records that differ or those of the ordinals, in their order or shuffled. */
export function libraryUseOf(
  library: OpenedLibrary,
  preparation: LigandPreparation,
  { only, shuffledBy }: Pick<LibraryUse, 'only' | 'shuffledBy'> = {},
): LibraryUse {
  const { storageKey, byteSize, contentSha256: sha256 } = library;
  return {
    libraryId: library.id,
    file:
      storageKey === null || byteSize === null || sha256 === null ? null : { storageKey, byteSize, sha256 },
    ...(only === undefined ? {} : { only }),
    ...(shuffledBy === undefined ? {} : { shuffledBy }),
    preparation,
  };
}

/** An indexed library of the account by its id; null where there is none. */
export async function findLibraryById(
  db: Pick<DataSource, 'getRepository'>,
  accountId: string,
  id: string,
): Promise<OpenedLibrary | null> {
  return db.getRepository(LigandLibraryEntity).findOneBy({ id, accountId });
}

async function findStored(db: DataSource, accountId: string, artifactId: string): Promise<StoredLibrary> {
  const artifact = isUuid(artifactId)
    ? await db.getRepository(ArtifactEntity).findOneBy({ id: artifactId, accountId })
    : null;
  if (artifact === null)
    throw new AppError(
      'INPUT_NOT_FOUND',
      'libraryArtifactId: there is no such artifact in this account. Upload the library and register it.',
    );
  const format = artifact.format ?? '';
  if (!isLibraryFormat(format))
    throw new AppError(
      'ARTIFACT_MISMATCH',
      `libraryArtifactId: the artifact is ${format === '' ? 'of no format' : format}, and a library is ${LIBRARY_FORMATS.join(', ')}. Register the file in its own format.`,
    );
  const { storageKey, byteSize, sha256 } = artifact;
  return { accountId, storageKey, byteSize, sha256, format };
}

/**
 * A library that is opened stays for a while although no batch names the library yet. Each opening has a time of its own, so whoever
 * made the library sees whether it was opened since.
 */
const OPEN = `update ligand_libraries set used_at = greatest(clock_timestamp(), used_at + interval '1 microsecond')
  where account_id = $1 and format = $2 and sha256 = $3 and reader = $4`;

/**
 * The library as it is, or as this call makes it. A library that another request has made and forgotten meanwhile is made again.
 * @throws what `make` throws.
 */
async function openLibrary(
  db: DataSource,
  identity: Identity,
  make: () => Promise<string | null>,
): Promise<LibraryOfRequest> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const { accountId, format, sha256 } = identity;
    const [, opened] = await db.query<[unknown[], number]>(OPEN, [accountId, format, sha256, READER]);
    // A library that another request makes between the two statements has not been opened by this one.
    const known = opened === 0 ? null : await findLibrary(db, identity);
    if (known !== null) return { ...known, madeAt: null };
    const madeAt = await make();
    const made = madeAt === null ? null : await findLibrary(db, identity);
    if (made !== null) return { ...made, madeAt };
  }
  throw new Error('The library that was indexed is not there.');
}

async function findLibrary(db: DataSource, identity: Identity): Promise<OpenedLibrary | null> {
  const found = await db.getRepository(LigandLibraryEntity).findOneBy({ ...identity, reader: READER });
  if (found === null) return null;
  const { usedAt: _now, ...library } = found;
  return library;
}

/** @returns when the library counts as opened; null where another attempt has made the library. */
async function indexFile(deps: LibraryDependencies, stored: StoredLibrary): Promise<string | null> {
  const { db, store } = deps;
  const { accountId, format, sha256 } = stored;
  if (stored.byteSize > MOST_LIBRARY_BYTES)
    throw refuse('LIBRARY_TOO_LARGE', `The file has more than ${String(MOST_LIBRARY_BYTES)} bytes.`);
  const id = uuidv7();
  const copyKey = libraryKey(accountId, id);
  await announceRequest(db, copyKey, id);
  try {
    const madeAt = await inTransaction(db, async (tx) => {
      const begunAt = await beginIndex(tx, { id, accountId, format, sha256, storageKey: copyKey });
      if (begunAt !== null) await readIntoIndex(tx, store, stored, { id, copyKey });
      return begunAt;
    });
    if (madeAt === null) await store.remove([copyKey]).catch(() => undefined);
    return madeAt;
  } catch (error) {
    await store.remove([copyKey]).catch(() => undefined);
    throw error;
  }
}

/** Reads the file once, and copies it when it turned out to be a library. */
async function readIntoIndex(
  tx: Tx,
  store: ObjectStore,
  stored: StoredLibrary,
  { id, copyKey }: { readonly id: string; readonly copyKey: string },
): Promise<void> {
  const opened = await store.read(stored.storageKey);
  if (opened === null) throw gone();
  const [packed, unpacked] = [createHash('sha256'), createHash('sha256')];
  let byteSize = 0;
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of opened.stream) {
      const bytes = Buffer.from(chunk);
      packed.update(bytes);
      yield bytes;
    }
  };
  const entries = readLibrary(chunks(), stored.format, (bytes) => {
    unpacked.update(bytes);
    byteSize += bytes.byteLength;
  });
  const counts = await writeRecords(tx, id, recordsOf(entries));
  if (packed.digest('hex') !== stored.sha256) throw changed();
  const copy: UnpackedFile = { byteSize, sha256: unpacked.digest('hex') };
  if (!(await storeCopy(store, stored, copyKey, copy))) throw changed();
  await endIndex(tx, id, counts, copy);
}

async function* recordsOf(entries: ReturnType<typeof readLibrary>) {
  for await (const entry of entries) yield { ...entry, source: null };
}

async function indexList(
  db: DataSource,
  identity: Identity,
  ligands: readonly LigandIdentity[],
): Promise<string | null> {
  const id = uuidv7();
  return inTransaction(db, async (tx) => {
    const begunAt = await beginIndex(tx, { id, ...identity, storageKey: null });
    if (begunAt !== null) await endIndex(tx, id, await writeRecords(tx, id, recordsOfList(ligands)), null);
    return begunAt;
  });
}

function gone(): AppError {
  return new AppError(
    'INPUT_NOT_FOUND',
    'libraryArtifactId: the file is not stored any more. Upload it again.',
  );
}

function changed(): AppError {
  return new AppError(
    'CHECKSUM_MISMATCH',
    'libraryArtifactId: the file was changed after it was registered. Upload it again and register the new file.',
  );
}
