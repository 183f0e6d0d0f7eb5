/** The addresses at which anybody reads data that open shares name. */
import type { MolecularShare } from '../../../entities/projects.ts';
import type { Actor } from '../../domain/access.ts';
import { addressOf } from '../../scenes/sources.ts';
import type { SceneSource } from '../../scenes/sources.ts';
import type { Row } from '../row.ts';
import { openText } from '../secret-box.ts';
import { sharePlace } from './rows.ts';
import type { ProjectDependencies } from './write.ts';

/** Each address of the sources that an open share of the account names, with its public address: that of the oldest such share. */
export async function publicAddresses(
  { db, box, publicUrl }: ProjectDependencies,
  { accountId }: Actor,
  sources: readonly SceneSource[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<({ readonly address: string } & Row<MolecularShare, 'id' | 'sealedToken'>)[]>(
    `select distinct on (m.address) m.address, s.id, s.sealed_token
     from molecular_sources m
     join molecular_revisions r on r.account_id = m.account_id and r.content_sha256 = m.content_sha256
     join molecular_shares s on s.project_id = r.project_id and s.version = r.version and s.revoked_at is null
     join molecular_projects p on p.id = r.project_id and p.deleted_at is null
     where m.account_id = $1 and m.address = any($2) order by m.address, s.created_at, s.id`,
    [accountId, sources.map(addressOf)],
  );
  const shares = new Map(rows.map(({ address, ...share }) => [address, share]));
  return new Map(
    sources.flatMap((source) => {
      const share = shares.get(addressOf(source));
      if (share === undefined) return [];
      const token = openText(box, sharePlace(share.id), share.sealed_token);
      const base = new URL(`/api/v1/public/molecular/shared/${token}/`, publicUrl).href;
      const at =
        source.kind === 'asset'
          ? `assets/${source.artifactId}`
          : `structures/${source.pdbId}?sha256=${source.sha256}`;
      return [[addressOf(source), `${base}${at}`] as const];
    }),
  );
}
