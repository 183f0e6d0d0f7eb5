/**
 * Entries of the archive for scenes. The API fetches nothing from outside: a question writes a row, a control activity fetches the entry
 * once for all accounts, and the client asks again until it is there. Each revision of an entry is kept under its digest for as long as
 * the service is there, so what a scene names never goes away.
 */
import { createHash } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { DepositedStructure, StructureImport } from '../../../entities/structures.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { StructureSource } from '../../adapters/structures/structures.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import { depositedKey } from '../../contracts/names.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOf } from '../../scenes/sources.ts';
import type { OpenArtifact } from '../artifacts.ts';
import { accountOfShared } from '../projects/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import { refuseLarge } from './assets.ts';

/** Where questions are answered from, and the message that starts an import. */
export interface StructureDependencies {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'read'>;
  readonly workflows: Pick<JobWorkflows, 'importStructure'>;
}

/** Where an import fetches from and stores. */
export interface ImportDependencies {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'put'>;
  readonly structures: StructureSource;
}

/** An entry, or the news that it is being fetched. */
export type StructureAnswer =
  | { readonly kind: 'file'; readonly file: OpenArtifact }
  | { readonly kind: 'fetching' };

/** Imports of one account under way at once; further ones wait until the client asks again. */
const AT_ONCE = 5;
const MEDIA_TYPE = 'chemical/x-mmcif';
const RETRY_AFTER_SECONDS = 30;

/** Makes the services of entries of the archive; the functions behind the members say what they refuse. */
export function createStructures(deps: StructureDependencies) {
  return {
    read: (actor: Actor, pdbId: string, sha256: string | null): Promise<StructureAnswer> =>
      readStructure(deps, actor, pdbId.toLowerCase(), sha256),
    /** Opens a revision that was imported. */
    open: (pdbId: string, sha256: string) => openRevision(deps, pdbId.toLowerCase(), sha256),
    openShared: async (token: string, pdbId: string, sha256: string) => {
      const source = { kind: 'structure', pdbId: pdbId.toLowerCase(), sha256 } as const;
      await accountOfShared(deps.db, token, addressOf(source));
      return openRevision(deps, source.pdbId, sha256);
    },
  };
}

/**
 * A look that ended is good for a day; one that found nothing is repeated sooner. A look that was asked for and not begun within half a
 * minute is asked for again, because its message may be lost: a workflow that runs takes no second one.
 */
const CLAIM = `
  insert into structure_imports as i (pdb_id, state, account_id)
  select $1, 'FETCHING', $2
  where (select count(*) from structure_imports o where o.account_id = $2 and o.state = 'FETCHING' and o.pdb_id <> $1
    and o.asked_at > now() - interval '10 minutes') < $3
  on conflict (pdb_id) do update set state = 'FETCHING', account_id = $2, asked_at = clock_timestamp(), ended_at = null
  where case i.state when 'FETCHING' then i.asked_at < now() - interval '30 seconds' when 'DONE' then i.ended_at < now() - interval '1 day'
    when 'ABSENT' then i.ended_at < now() - interval '10 minutes' else i.ended_at < now() - interval '30 seconds' end
  returning pdb_id`;

/** Reads a revision of an entry, or the newest one. @throws NOT_FOUND, SERVICE_UNAVAILABLE, SOURCE_LOST, SOURCE_TOO_LARGE. */
async function readStructure(
  deps: StructureDependencies,
  { accountId }: Actor,
  pdbId: string,
  sha256: string | null,
): Promise<StructureAnswer> {
  if (sha256 !== null) return { kind: 'file', file: await openRevision(deps, pdbId, sha256) };
  const claimed = await deps.db.query<unknown[]>(CLAIM, [pdbId, accountId, AT_ONCE]);
  if (claimed.length > 0) await deps.workflows.importStructure(pdbId);
  const [found] = await deps.db.query<Row<StructureImport, 'state' | 'sha256'>[]>(
    'select state, sha256 from structure_imports where pdb_id = $1',
    [pdbId],
  );
  if (found === undefined || found.state === 'FETCHING') return { kind: 'fetching' };
  if (found.sha256 !== null) return { kind: 'file', file: await openRevision(deps, pdbId, found.sha256) };
  if (found.state === 'ABSENT')
    throw new AppError('NOT_FOUND', `There is no entry ${pdbId} in the archive, or not as an mmCIF file.`);
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    `The archive did not answer with the entry ${pdbId}. Ask again later.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}

async function openRevision(
  { db, store }: Pick<StructureDependencies, 'db' | 'store'>,
  pdbId: string,
  sha256: string,
): Promise<OpenArtifact> {
  const [row] = await db.query<Row<DepositedStructure, 'byteSize' | 'storageKey'>[]>(
    'select byte_size, storage_key from deposited_structures where pdb_id = $1 and sha256 = $2',
    [pdbId, sha256],
  );
  if (row === undefined)
    throw new AppError(
      'NOT_FOUND',
      `No revision of the entry ${pdbId} with this digest was ever imported here.`,
    );
  const { byte_size: byteSize, storage_key: storageKey } = row;
  refuseLarge(byteSize);
  return {
    sha256,
    byteSize,
    mediaType: MEDIA_TYPE,
    name: `${pdbId}.cif`,
    async open(range) {
      const found = await store.read(storageKey, range);
      if (found === null)
        throw new AppError('SOURCE_LOST', `The file of the entry ${pdbId} is not stored any more.`);
      return found.stream;
    },
  };
}

/** Fetches an entry and records how the look at the archive ended. */
export async function recordImport(
  { db, store, structures }: ImportDependencies,
  pdbId: string,
): Promise<void> {
  const fetched = await structures.fetch(pdbId);
  if (!fetched.ok) {
    await db.query(
      'update structure_imports set state = $2, ended_at = clock_timestamp() where pdb_id = $1',
      [pdbId, fetched.reason === 'absent' ? 'ABSENT' : 'UNREACHABLE'],
    );
    return;
  }
  const sha256 = createHash('sha256').update(fetched.body).digest('hex');
  const storageKey = depositedKey(pdbId, sha256);
  await store.put(storageKey, fetched.body, fetched.mediaType);
  await inTransaction(db, async (tx) => {
    await tx.query(
      `insert into deposited_structures (pdb_id, sha256, byte_size, storage_key) values ($1, $2, $3, $4) on conflict do nothing`,
      [pdbId, sha256, fetched.body.byteLength, storageKey],
    );
    await tx.query(
      `update structure_imports set state = 'DONE', sha256 = $2, ended_at = clock_timestamp() where pdb_id = $1`,
      [pdbId, sha256],
    );
  });
}
