/** The rows of projects, revisions and shares as clients see them. */
import type { MolecularProject, MolecularRevision, MolecularShare } from '../../../entities/projects.ts';
import type { ProjectRecord, RevisionRecord, ShareRecord } from '../../domain/molecular-projects.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import { openText } from '../secret-box.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Queryable } from '../transaction.ts';

/** A share without its token. */
type OpenShare = Omit<ShareRecord, 'token' | 'link'>;

/** A row of `PROJECT`. */
export interface ProjectRow
  extends
    Row<MolecularProject, 'id' | 'name' | 'description' | 'currentVersion'>,
    ExactTimes<MolecularProject, 'createdAt' | 'updatedAt'>,
    Row<MolecularRevision, 'contentSha256'> {
  /** Shares that are open, newest first. */
  readonly shares: readonly OpenShare[];
}

/** SQL of the columns of a project `p`, its head `r` and its shares that make its record. */
export const PROJECT = `p.id, p.name, p.description, p.current_version, r.content_sha256,
  ${exactTime('p.created_at')} as created_at, ${exactTime('p.updated_at')} as updated_at,
  array(select json_build_object('shareId', s.id, 'version', s.version, 'createdAt', ${exactTime('s.created_at')})
    from molecular_shares s where s.project_id = p.id and s.revoked_at is null order by s.created_at desc, s.id desc) as shares`;

/** SQL of projects `p` that are not deleted, with their heads `r`. */
export const PROJECTS_WITH_HEADS = `molecular_projects p
  join molecular_revisions r on r.project_id = p.id and r.version = p.current_version and p.deleted_at is null`;

/** A row of `REVISION`. */
export interface RevisionRow
  extends
    Row<
      MolecularRevision,
      'projectId' | 'version' | 'contentSha256' | 'byteSize' | 'message' | 'sourceVersion'
    >,
    ExactTimes<MolecularRevision, 'createdAt'> {}

/** SQL of the columns of a revision `r` that make its record. */
export const REVISION = `r.project_id, r.version, r.content_sha256, r.byte_size, r.message, r.source_version,
  ${exactTime('r.created_at')} as created_at`;

/** A project whose shares have no tokens; stored answers have this form, because no token is stored but sealed, in the row of its share. */
export type ProjectWithoutTokens = Omit<ProjectRecord, 'share' | 'shares'> & {
  readonly shares: readonly OpenShare[];
};

/** The record of a row. */
export function presentProject(row: ProjectRow): ProjectWithoutTokens {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    currentVersion: row.current_version,
    contentSha256: row.content_sha256,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    shares: row.shares,
  };
}

/**
 * The records as their owner sees them, with the tokens of their shares. The members have one order, whichever order the database has
 * kept a stored answer in, so that a repeated request gets the same bytes.
 */
export async function withTokens(
  db: Queryable,
  box: SecretBox,
  projects: readonly ProjectWithoutTokens[],
): Promise<ProjectRecord[]> {
  const ids = projects.flatMap(({ shares }) => shares.map(({ shareId }) => shareId));
  const rows =
    ids.length === 0
      ? []
      : await db.query<Row<MolecularShare, 'id' | 'sealedToken'>[]>(
          'select id, sealed_token from molecular_shares where id = any($1)',
          [ids],
        );
  const tokens = new Map(rows.map(({ id, sealed_token: text }) => [id, openText(box, sharePlace(id), text)]));
  return projects.map((project) => {
    const shares = project.shares.map(({ shareId, version, createdAt }): ShareRecord => {
      const token = tokens.get(shareId) ?? '';
      return { shareId, version, token, link: `/molecular/shared/${token}`, createdAt };
    });
    const { id, name, description, currentVersion, contentSha256, createdAt, updatedAt } = project;
    const told = { id, name, description, currentVersion, contentSha256, createdAt, updatedAt };
    return { ...told, share: shares[0] ?? null, shares };
  });
}

/** The place that the token of a share is sealed for. */
export function sharePlace(shareId: string): string {
  return `molecular share ${shareId}`;
}

/** The record of a revision. */
export function presentRevision(row: RevisionRow): RevisionRecord {
  return {
    projectId: row.project_id,
    version: row.version,
    contentSha256: row.content_sha256,
    byteSize: row.byte_size,
    message: row.message,
    sourceVersion: row.source_version,
    createdAt: row.created_at,
  };
}
