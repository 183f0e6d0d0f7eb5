/** The facts by which a revision is cited. */
import type { MolecularProject, MolecularShare } from '../../../entities/projects.ts';
import type { Actor } from '../../domain/access.ts';
import type { Citation } from '../../domain/citations.ts';
import { AppError } from '../../domain/errors.ts';
import type { OuterRow, Row } from '../row.ts';
import { openText } from '../secret-box.ts';
import { REVISION, presentRevision, sharePlace } from './rows.ts';
import type { RevisionRow } from './rows.ts';
import type { ProjectDependencies } from './write.ts';

interface CitedRow
  extends RevisionRow, Row<MolecularProject, 'name'>, OuterRow<MolecularShare, 'sealedToken'> {
  readonly share_id: MolecularShare['id'] | null;
}

/**
 * Reads what a citation says. Readers find the revision at its oldest share, which shows that revision for ever; without a share the
 * address is the one that the account itself opens. @throws NOT_FOUND.
 */
export async function citeRevision(
  { db, box, publicUrl }: ProjectDependencies,
  actor: Actor,
  projectId: string,
  version: number,
): Promise<Citation> {
  const [row] = await db.query<CitedRow[]>(
    `select ${REVISION}, p.name, s.id as share_id, s.sealed_token
     from molecular_projects p join molecular_revisions r on r.project_id = p.id
     left join molecular_shares s on s.project_id = r.project_id and s.version = r.version and s.revoked_at is null
     where p.account_id = $1 and p.id = $2 and p.deleted_at is null and r.version = $3
     order by s.created_at, s.id limit 1`,
    [actor.accountId, projectId, version],
  );
  if (row === undefined) throw new AppError('NOT_FOUND', 'The project has no such revision.');
  const { name, share_id: shareId, sealed_token: sealed } = row;
  const path =
    shareId === null || sealed === null
      ? `/molecular/studio?project=${projectId}&revision=${version}`
      : `/molecular/shared/${openText(box, sharePlace(shareId), sealed)}`;
  const { createdAt: savedAt, contentSha256 } = presentRevision(row);
  return { projectId, version, name, savedAt, contentSha256, url: new URL(path, publicUrl).href };
}
