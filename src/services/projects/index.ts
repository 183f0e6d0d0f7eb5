/** Molecular projects: all that the other rooms and the entry points use of them. */
import type { Actor } from '../../domain/access.ts';
import type { Citation } from '../../domain/citations.ts';
import type {
  ProjectRecord,
  RevisionRecord,
  SharedRevision,
  WithContent,
} from '../../domain/molecular-projects.ts';
import { citeRevision } from './cite.ts';
import {
  accountOfShared,
  isNamed,
  listProjects,
  listRevisions,
  readProject,
  readRevision,
  readShared,
} from './read.ts';
import type { Page } from './read.ts';
import {
  createProject,
  deleteProject,
  restoreRevision,
  revokeShares,
  saveProject,
  shareProject,
} from './write.ts';
import type {
  Changed,
  CreateProject,
  Keyed,
  ProjectDependencies,
  SaveProject,
  ShareProject,
} from './write.ts';

export { accountOfShared, isNamed };
export { sweepProjects } from './sweep.ts';
export type { Changed } from './write.ts';

/** The revision that a request restores. */
interface RevisionPlace {
  readonly projectId: string;
  readonly version: number;
}

/** Molecular projects of one deployment; the functions behind the members say what they refuse. */
export interface ProjectServices {
  list(actor: Actor, page: Page): ReturnType<typeof listProjects>;
  create(actor: Actor, command: Keyed<CreateProject>): Promise<Changed>;
  read(actor: Actor, projectId: string): Promise<WithContent<ProjectRecord>>;
  save(actor: Actor, projectId: string, command: Keyed<SaveProject>): Promise<Changed>;
  remove(actor: Actor, projectId: string, expectedVersion: number): Promise<void>;
  listRevisions(actor: Actor, projectId: string, page: Page): ReturnType<typeof listRevisions>;
  readRevision(actor: Actor, place: RevisionPlace): Promise<WithContent<RevisionRecord>>;
  restore(
    actor: Actor,
    place: RevisionPlace,
    command: Keyed<{ readonly expectedVersion: number; readonly message?: string }>,
  ): Promise<Changed>;
  share(actor: Actor, projectId: string, command: Keyed<ShareProject>): Promise<Changed>;
  revoke(
    actor: Actor,
    projectId: string,
    request: { readonly expectedVersion: number; readonly shareId?: string },
  ): Promise<ProjectRecord>;
  cite(actor: Actor, place: RevisionPlace): Promise<Citation>;
  readShared(token: string): Promise<WithContent<SharedRevision>>;
}

/** Makes the services. */
export function createProjects(deps: ProjectDependencies): ProjectServices {
  const { db, box } = deps;
  return {
    list: (actor, page) => listProjects(db, box, actor, page),
    create: (actor, command) => createProject(deps, actor, command),
    read: (actor, projectId) => readProject(db, box, actor, projectId),
    save: (actor, projectId, command) => saveProject(deps, actor, projectId, command),
    remove: (actor, projectId, expectedVersion) => deleteProject(db, actor, projectId, expectedVersion),
    listRevisions: (actor, projectId, page) => listRevisions(db, actor, projectId, page),
    readRevision: (actor, { projectId, version }) => readRevision(db, actor, projectId, version),
    restore: (actor, place, command) => restoreRevision(deps, actor, place, command),
    share: (actor, projectId, command) => shareProject(deps, actor, projectId, command),
    revoke: (actor, projectId, request) => revokeShares(deps, actor, projectId, request),
    cite: (actor, { projectId, version }) => citeRevision(deps, actor, projectId, version),
    readShared: (token) => readShared(db, token),
  };
}
