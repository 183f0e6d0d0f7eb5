/** Contents in the database. */
import type { MolecularRevision } from '../../../entities/projects.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOf } from '../../scenes/sources.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import type { Tx } from '../transaction.ts';

/** A content as it is stored. */
export type StoredContent = Pick<MolecularRevision, 'contentSha256' | 'byteSize'> & {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Data that the scene names. */
  readonly sources: readonly SceneSource[];
};

/**
 * Makes sure that the content is stored and stays: its row is locked, so that the sweep does not take the row away. Artifacts that the
 * scene names are the account's own; one whose file is lost may be named again, so that what else the scene shows can still be edited.
 * @throws SCENE_SOURCE_REFUSED.
 */
export async function keepContent(
  tx: Tx,
  accountId: string,
  { contentSha256, bytes, sources }: StoredContent,
): Promise<void> {
  for (;;) {
    const made = await tx.query<unknown[]>(
      'insert into molecular_contents (account_id, sha256, bytes) values ($1, $2, $3) on conflict do nothing returning 1',
      [accountId, contentSha256, bytes],
    );
    if (made.length > 0) break;
    const known = await tx.query<unknown[]>(
      'select 1 from molecular_contents where account_id = $1 and sha256 = $2 for key share',
      [accountId, contentSha256],
    );
    if (known.length > 0) return;
  }
  if (sources.length === 0) return;
  await refuseForeign(tx, accountId, sources);
  await tx.query(
    `insert into molecular_sources (account_id, content_sha256, address, artifact_id)
     select $1, $2, * from unnest($3::text[], $4::uuid[])`,
    [accountId, contentSha256, sources.map(addressOf), sources.map(artifactOf)],
  );
}

function artifactOf(source: SceneSource): string | null {
  return source.kind === 'asset' ? source.artifactId : null;
}

/** Artifacts are locked, so that no sweep takes one away before it is noted as named. */
async function refuseForeign(tx: Tx, accountId: string, sources: readonly SceneSource[]): Promise<void> {
  const artifactIds = sources.map(artifactOf);
  await tx.query(
    'select from artifacts where id = any($2::uuid[]) and account_id = $1 order by id for key share',
    [accountId, artifactIds],
  );
  const foreign = await tx.query<{ readonly address: string }[]>(
    `select named.address from unnest($2::text[], $3::uuid[], $4::text[], $5::text[]) named (address, artifact_id, pdb_id, sha256)
     where not exists (select from artifacts a where a.id = named.artifact_id and a.account_id = $1)
       and not exists (select from deposited_structures d where d.pdb_id = named.pdb_id and d.sha256 = named.sha256)
       and not exists (select from molecular_sources s where s.artifact_id = named.artifact_id and s.account_id = $1)`,
    [
      accountId,
      sources.map(addressOf),
      artifactIds,
      sources.map((source) => (source.kind === 'structure' ? source.pdbId : null)),
      sources.map((source) => (source.kind === 'structure' ? source.sha256 : null)),
    ],
  );
  if (foreign.length === 0) return;
  throw new AppError(
    'SCENE_SOURCE_REFUSED',
    `content.scene: there is no ${foreign.map(({ address }) => address).join(', ')} for this account. Upload a file and register it by POST /api/v1/molecular/docking/artifacts; import an entry by GET /api/v1/molecular/structures/{pdbId}, which answers its digest.`,
  );
}
