/**
 * Changing projects. Each change is one transaction with the row of the project locked: the version that the client expects is
 * compared, a revision is appended, the head moves, the event and the answer under the idempotency key are written. Nothing is ever
 * overwritten.
 */
import { randomBytes } from 'node:crypto';

import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { MolecularProjectEntity, MolecularShareEntity } from '../../../entities/projects.ts';
import type { MolecularProject, MolecularRevision } from '../../../entities/projects.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { ProjectRecord } from '../../domain/molecular-projects.ts';
import { onceInTransaction } from '../idempotency.ts';
import type { Row } from '../row.ts';
import { sealText } from '../secret-box.ts';
import type { SecretBox } from '../secret-box.ts';
import { recordEvent } from '../events/record.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { keepContent } from './content.ts';
import type { StoredContent } from './content.ts';
import { digestOfToken, unknownProject } from './read.ts';
import { PROJECT, PROJECTS_WITH_HEADS, presentProject, sharePlace, withTokens } from './rows.ts';
import type { ProjectRow, ProjectWithoutTokens } from './rows.ts';

/** The database, and what seals the tokens of shares. */
export interface ProjectDependencies {
  readonly db: DataSource;
  readonly box: SecretBox;
  /** The address of the service. */
  readonly publicUrl: string;
}

/** A change under an idempotency key. */
export interface Keyed<Body> {
  readonly body: Body;
  readonly idempotencyKey: string;
  /** Digest (hex) by which the request is told from others with its key. */
  readonly fingerprint: string;
}

/** Name and description of a project. */
interface Named {
  readonly name: string;
  readonly description?: string;
}

/** A new project with its first content. */
export type CreateProject = Named & { readonly content: StoredContent; readonly message?: string };
/** The next content of a project, and perhaps another name. */
export type SaveProject = Partial<Named> & {
  readonly content: StoredContent;
  readonly message?: string;
  readonly expectedVersion: number;
};
/** A share of the head, or of a content that is saved first. */
export type ShareProject = Omit<SaveProject, 'content'> & { readonly content?: StoredContent };

/** A project after a change; replayed where an earlier request with the key made the change. */
export interface Changed {
  readonly project: ProjectRecord;
  readonly replayed: boolean;
}

type Kind = 'shared' | 'share_revoked' | 'deleted';

const TOKEN_BYTES = 32;

/** Creates a project with its first revision. @throws IDEMPOTENCY_KEY_REUSED, SCENE_SOURCE_REFUSED. */
export async function createProject(
  deps: ProjectDependencies,
  actor: Actor,
  { body, ...keyed }: Keyed<CreateProject>,
): Promise<Changed> {
  return changeOnce(deps, actor, { operation: 'project.create', ...keyed }, async (tx) => {
    const { accountId } = actor;
    const { name, description = '', message = '', content } = body;
    const id = uuidv7();
    await tx
      .getRepository(MolecularProjectEntity)
      .insert({ id, accountId, name, description, currentVersion: 1 });
    await keepContent(tx, accountId, content);
    return append(tx, { projectId: id, version: 1, accountId, ...content, message, sourceVersion: null });
  });
}

/** Saves a successor of the head, also of equal content. @throws NOT_FOUND, VERSION_CONFLICT, SCENE_SOURCE_REFUSED. */
export async function saveProject(
  deps: ProjectDependencies,
  actor: Actor,
  projectId: string,
  { body, ...keyed }: Keyed<SaveProject>,
): Promise<Changed> {
  return changeOnce(deps, actor, { operation: `project.save ${projectId}`, ...keyed }, async (tx) => {
    await lockHead(tx, actor, projectId, body.expectedVersion);
    return saveContent(tx, actor, projectId, body);
  });
}

/** Appends a copy of an earlier revision. @throws NOT_FOUND, VERSION_CONFLICT. */
export async function restoreRevision(
  deps: ProjectDependencies,
  actor: Actor,
  { projectId, version }: { readonly projectId: string; readonly version: number },
  { body, ...keyed }: Keyed<{ readonly expectedVersion: number; readonly message?: string }>,
): Promise<Changed> {
  const operation = `project.restore ${projectId} ${version}`;
  return changeOnce(deps, actor, { operation, ...keyed }, async (tx) => {
    const head = await lockHead(tx, actor, projectId, body.expectedVersion);
    const [source] = await tx.query<Row<MolecularRevision, 'contentSha256' | 'byteSize'>[]>(
      'select content_sha256, byte_size from molecular_revisions where project_id = $1 and version = $2',
      [projectId, version],
    );
    if (source === undefined) throw new AppError('NOT_FOUND', 'The project has no such revision.');
    return append(tx, {
      projectId,
      version: head + 1,
      accountId: actor.accountId,
      contentSha256: source.content_sha256,
      byteSize: source.byte_size,
      message: body.message ?? '',
      sourceVersion: version,
    });
  });
}

/** Makes a share of the head, after saving the content where there is one. @throws NOT_FOUND, VERSION_CONFLICT, SCENE_SOURCE_REFUSED. */
export async function shareProject(
  deps: ProjectDependencies,
  actor: Actor,
  projectId: string,
  { body, ...keyed }: Keyed<ShareProject>,
): Promise<Changed> {
  const { content } = body;
  return changeOnce(deps, actor, { operation: `project.share ${projectId}`, ...keyed }, async (tx) => {
    const head = await lockHead(tx, actor, projectId, body.expectedVersion);
    const { currentVersion: version } =
      content === undefined
        ? { currentVersion: head }
        : await saveContent(tx, actor, projectId, { ...body, content });
    const [shareId, token] = [uuidv7(), randomBytes(TOKEN_BYTES).toString('base64url')];
    await tx.getRepository(MolecularShareEntity).insert({
      id: shareId,
      projectId,
      version,
      tokenSha256: digestOfToken(token),
      sealedToken: sealText(deps.box, sharePlace(shareId), token),
    });
    await tell(tx, actor, 'shared', projectId, { version, shareId });
    return presentIn(tx, projectId);
  });
}

/** Ends one share, or all of them. @throws NOT_FOUND, VERSION_CONFLICT. */
export async function revokeShares(
  { db, box }: ProjectDependencies,
  actor: Actor,
  projectId: string,
  { expectedVersion, shareId }: { readonly expectedVersion: number; readonly shareId?: string },
): Promise<ProjectRecord> {
  const left = await inTransaction(db, async (tx) => {
    await lockHead(tx, actor, projectId, expectedVersion);
    const [ended] = await tx.query<[{ readonly id: string; readonly version: number }[], number]>(
      `update molecular_shares set revoked_at = clock_timestamp()
       where project_id = $1 and revoked_at is null and ($2::uuid is null or id = $2) returning id, version`,
      [projectId, shareId ?? null],
    );
    if (ended.length === 0) throw new AppError('NOT_FOUND', 'The project has no such share.');
    for (const { id, version } of ended)
      await tell(tx, actor, 'share_revoked', projectId, { version, shareId: id });
    return presentIn(tx, projectId);
  });
  return tokensOf(db, box, left);
}

/** Deletes a project; its shares end with it. @throws NOT_FOUND, VERSION_CONFLICT. */
export async function deleteProject(
  db: DataSource,
  actor: Actor,
  projectId: string,
  expectedVersion: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const version = await lockHead(tx, actor, projectId, expectedVersion);
    await tx.query('update molecular_projects set deleted_at = clock_timestamp() where id = $1', [projectId]);
    await tell(tx, actor, 'deleted', projectId, { version });
  });
}

/** Makes the change once for its key, and answers the project as the change left it. */
async function changeOnce(
  { db, box }: ProjectDependencies,
  actor: Actor,
  {
    operation,
    idempotencyKey: key,
    fingerprint,
  }: { readonly operation: string } & Omit<Keyed<unknown>, 'body'>,
  change: (tx: Tx) => Promise<ProjectWithoutTokens>,
): Promise<Changed> {
  const { answer, replayed } = await inTransaction(db, (tx) =>
    onceInTransaction(tx, actor, { operation, key, fingerprint }, () => change(tx)),
  );
  return { project: await tokensOf(db, box, answer), replayed };
}

async function tokensOf(
  db: DataSource,
  box: SecretBox,
  project: ProjectWithoutTokens,
): Promise<ProjectRecord> {
  const [record] = await withTokens(db, box, [project]);
  if (record === undefined) throw unknownProject();
  return record;
}

async function presentIn(tx: Tx, projectId: string): Promise<ProjectWithoutTokens> {
  const [row] = await tx.query<ProjectRow[]>(
    `select ${PROJECT} from ${PROJECTS_WITH_HEADS} where p.id = $1`,
    [projectId],
  );
  if (row === undefined) throw unknownProject();
  return presentProject(row);
}

/** Locks the project, so that its changes happen one after another, and answers its version. @throws NOT_FOUND, VERSION_CONFLICT. */
async function lockHead(tx: Tx, actor: Actor, projectId: string, expectedVersion: number): Promise<number> {
  const [head] = await tx.query<Row<MolecularProject, 'currentVersion'>[]>(
    `select current_version from molecular_projects where id = $1 and account_id = $2 and deleted_at is null for no key update`,
    [projectId, actor.accountId],
  );
  if (head === undefined) throw unknownProject();
  const { current_version: currentVersion } = head;
  if (currentVersion !== expectedVersion)
    throw new AppError(
      'VERSION_CONFLICT',
      `The project is at version ${currentVersion}, not ${expectedVersion}.`,
      {
        currentVersion,
      },
    );
  return currentVersion;
}

/** Appends a revision of the content to the locked project. */
async function saveContent(
  tx: Tx,
  actor: Actor,
  projectId: string,
  {
    content,
    message = '',
    expectedVersion,
    ...named
  }: Partial<Named> & {
    readonly content: StoredContent;
    readonly message?: string;
    readonly expectedVersion: number;
  },
): Promise<ProjectWithoutTokens> {
  const { accountId } = actor;
  const version = expectedVersion + 1;
  await keepContent(tx, accountId, content);
  return append(tx, { ...named, projectId, version, accountId, ...content, message, sourceVersion: null });
}

/** A revision that is appended, and what of the project changes with it. */
type Appended = Omit<MolecularRevision, 'createdAt'> & Partial<Named>;

/** Appends a revision of a stored content to the locked project, whose head it becomes; its receipt is made later. */
async function append(tx: Tx, appended: Appended): Promise<ProjectWithoutTokens> {
  const { projectId, version, accountId, contentSha256, byteSize, message, sourceVersion } = appended;
  const { name = null, description = null } = appended;
  const [row] = await tx.query<ProjectRow[]>(
    `with revision as (
       insert into molecular_revisions (project_id, version, account_id, content_sha256, byte_size, message, source_version)
       values ($1, $2, $3, $4, $5, $6, $7) returning content_sha256
     ), receipt as (
       insert into molecular_receipts (project_id, version) values ($1, $2)
     ), head as (
       update molecular_projects set current_version = $2, name = coalesce($8, name), description = coalesce($9, description),
         updated_at = clock_timestamp() where id = $1 returning *
     ), told as (
       insert into events (account_id, kind, subject, payload)
       values ($3, 'project.saved', $1, jsonb_strip_nulls(jsonb_build_object('version', $2, 'sourceVersion', $7)))
     )
     select ${PROJECT} from head p cross join revision r`,
    [projectId, version, accountId, contentSha256, byteSize, message, sourceVersion, name, description],
  );
  if (row === undefined) throw invariantBroken('the project of a revision is gone');
  return presentProject(row);
}

async function tell(
  tx: Tx,
  { accountId }: Actor,
  kind: Kind,
  projectId: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordEvent(tx, { accountId, kind: `project.${kind}`, subject: projectId, payload });
}
