/** Reading projects and revisions of an account, and the revision of a share. */
import { createHash } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { MolecularContent, MolecularProject, MolecularShare } from '../../../entities/projects.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type {
  ProjectRecord,
  RevisionRecord,
  SharedRevision,
  WithContent,
} from '../../domain/molecular-projects.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import type { Row } from '../row.ts';
import type { SecretBox } from '../secret-box.ts';
import {
  PROJECT,
  PROJECTS_WITH_HEADS,
  REVISION,
  presentProject,
  presentRevision,
  withTokens,
} from './rows.ts';
import type { ProjectRow, RevisionRow } from './rows.ts';

/** A page of a list, and the place of the next one. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

/** Reads a page of the account's projects, newest first. @throws VALIDATION_ERROR for a cursor of another list. */
export async function listProjects(
  db: DataSource,
  box: SecretBox,
  actor: Actor,
  query: Page,
): Promise<{ readonly projects: readonly ProjectRecord[]; readonly nextCursor: string | null }> {
  const scope = scopeOf('molecular-projects', actor, { ...query });
  const place = readCursor(scope, query.cursor, ['time', 'uuid']);
  const rows = await db.query<ProjectRow[]>(
    `select ${PROJECT} from ${PROJECTS_WITH_HEADS}
     where p.account_id = $1 and ($2::timestamptz is null or (p.created_at, p.id) < ($2, $3::uuid))
     order by p.created_at desc, p.id desc limit $4`,
    [actor.accountId, place?.[0] ?? null, place?.[1] ?? null, query.limit + 1],
  );
  const page = pageOf(scope, rows, query.limit, ({ created_at: at, id }) => [at, id]);
  const projects = await withTokens(db, box, page.rows.map(presentProject));
  return { projects, nextCursor: page.nextCursor };
}

/** Reads a project with the content of its head. @throws NOT_FOUND. */
export async function readProject(
  db: DataSource,
  box: SecretBox,
  actor: Actor,
  projectId: string,
): Promise<WithContent<ProjectRecord>> {
  const [row] = await db.query<(ProjectRow & Row<MolecularContent, 'bytes'>)[]>(
    `select ${PROJECT}, c.bytes from ${PROJECTS_WITH_HEADS}
     join molecular_contents c on c.account_id = r.account_id and c.sha256 = r.content_sha256
     where p.account_id = $1 and p.id = $2`,
    [actor.accountId, projectId],
  );
  if (row === undefined) throw unknownProject();
  const [record] = await withTokens(db, box, [presentProject(row)]);
  if (record === undefined) throw unknownProject();
  return { record, content: row.bytes };
}

/** Reads a page of the revisions of a project, newest first. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listRevisions(
  db: DataSource,
  actor: Actor,
  projectId: string,
  query: Page,
): Promise<{ readonly revisions: readonly RevisionRecord[]; readonly nextCursor: string | null }> {
  const scope = scopeOf('molecular-revisions', actor, { ...query, projectId });
  const place = readCursor(scope, query.cursor, ['ordinal']);
  const rows = await db.query<RevisionRow[]>(
    `select ${REVISION} from molecular_projects p join molecular_revisions r on r.project_id = p.id
     where p.account_id = $1 and p.id = $2 and p.deleted_at is null and ($3::integer is null or r.version < $3)
     order by r.version desc limit $4`,
    [actor.accountId, projectId, place?.[0] ?? null, query.limit + 1],
  );
  // The first revision is on some page of every project, so only an unknown project has an empty first page.
  if (rows.length === 0 && place === null) throw unknownProject();
  const page = pageOf(scope, rows, query.limit, ({ version }) => [String(version)]);
  return { revisions: page.rows.map(presentRevision), nextCursor: page.nextCursor };
}

/** Reads a revision with its content. @throws NOT_FOUND. */
export async function readRevision(
  db: DataSource,
  actor: Actor,
  projectId: string,
  version: number,
): Promise<WithContent<RevisionRecord>> {
  const [row] = await db.query<(RevisionRow & Row<MolecularContent, 'bytes'>)[]>(
    `select ${REVISION}, c.bytes from molecular_projects p join molecular_revisions r on r.project_id = p.id
     join molecular_contents c on c.account_id = r.account_id and c.sha256 = r.content_sha256
     where p.account_id = $1 and p.id = $2 and p.deleted_at is null and r.version = $3`,
    [actor.accountId, projectId, version],
  );
  if (row === undefined) throw new AppError('NOT_FOUND', 'The project has no such revision.');
  return { record: presentRevision(row), content: row.bytes };
}

/** Facts of a share, and whether it is ended. */
interface ShareStand extends Row<MolecularProject, 'deletedAt'>, Row<MolecularShare, 'revokedAt'> {
  readonly is_closed: boolean;
}

interface SharedRow
  extends
    ShareStand,
    RevisionRow,
    Row<MolecularContent, 'bytes'>,
    Row<MolecularProject, 'name' | 'description'> {}

const SHARED = `molecular_shares s join molecular_projects p on p.id = s.project_id join accounts a on a.id = p.account_id
     join molecular_revisions r on r.project_id = s.project_id and r.version = s.version`;
const STAND = `p.deleted_at, s.revoked_at, a.state = 'CLOSED' as is_closed`;
/** Whether the share is open; the content of another one is not read, so that its refusal takes no longer than that of an unknown token. */
const IS_OPEN = `p.deleted_at is null and s.revoked_at is null and a.state <> 'CLOSED'`;

/** Reads the revision that a token was made for, and nothing else. @throws NOT_FOUND, SHARE_REVOKED. */
export async function readShared(db: DataSource, token: string): Promise<WithContent<SharedRevision>> {
  const [row] = await db.query<SharedRow[]>(
    `select ${REVISION}, case when ${IS_OPEN} then c.bytes end as bytes, p.name, p.description, ${STAND}
     from ${SHARED} join molecular_contents c on c.account_id = r.account_id and c.sha256 = r.content_sha256
     where s.token_sha256 = $1`,
    [digestOfToken(token)],
  );
  const { name, description, bytes, ...revision } = openShare(row);
  const { version, contentSha256, byteSize, createdAt } = presentRevision(revision);
  return { record: { name, description, version, contentSha256, byteSize, createdAt }, content: bytes };
}

/** The account whose revision a token was made for, where that revision names the data. @throws NOT_FOUND, SHARE_REVOKED. */
export async function accountOfShared(db: DataSource, token: string, address: string): Promise<string> {
  const [row] = await db.query<(ShareStand & Row<MolecularProject, 'accountId'> & { is_named: boolean })[]>(
    `select p.account_id, ${STAND}, exists (select from molecular_sources m
       where m.account_id = r.account_id and m.content_sha256 = r.content_sha256 and m.address = $2) as is_named
     from ${SHARED} where s.token_sha256 = $1`,
    [digestOfToken(token), address],
  );
  const { account_id: accountId, is_named: isNamed } = openShare(row);
  if (!isNamed) throw new AppError('NOT_FOUND', 'The shared revision names no such data.');
  return accountId;
}

/** Whether a revision that is kept names the artifact. */
export async function isNamed(db: DataSource, accountId: string, artifactId: string): Promise<boolean> {
  const found = await db.query<unknown[]>(
    'select 1 from molecular_sources where artifact_id = $1 and account_id = $2 limit 1',
    [artifactId, accountId],
  );
  return found.length > 0;
}

function openShare<Share extends ShareStand>(share: Share | undefined): Share {
  if (share === undefined) throw new AppError('NOT_FOUND', 'There is no share with this token.');
  if (share.revoked_at !== null || share.deleted_at !== null || share.is_closed)
    throw new AppError('SHARE_REVOKED', 'The share was ended by its owner.');
  return share;
}

/** The digest by which a share is found. */
export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The refusal of a project that the account does not have. */
export function unknownProject(): AppError {
  return new AppError('NOT_FOUND', 'There is no such project.');
}
