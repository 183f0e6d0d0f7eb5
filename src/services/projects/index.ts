/** Molecular projects: all that the other rooms and the entry points use of them. */
import type { Actor } from '../../domain/access.ts';
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
import type { CreateProject, Keyed, ProjectDependencies, SaveProject, ShareProject } from './write.ts';

export { accountOfShared, isNamed, readRevision };
export { citeRevision };
export { publicAddresses } from './public-addresses.ts';
export type { ProjectDependencies } from './write.ts';
export { sweepProjects } from './sweep.ts';
export type { Changed } from './write.ts';

/** The revision that a request restores. */
interface RevisionPlace {
  readonly projectId: string;
  readonly version: number;
}

/** Makes the services; the functions behind the members say what they refuse. */
export function createProjects(deps: ProjectDependencies) {
  const { db, box } = deps;
  return {
    list: (actor: Actor, page: Page) => listProjects(db, box, actor, page),
    create: (actor: Actor, command: Keyed<CreateProject>) => createProject(deps, actor, command),
    read: (actor: Actor, projectId: string) => readProject(db, box, actor, projectId),
    save: (actor: Actor, projectId: string, command: Keyed<SaveProject>) =>
      saveProject(deps, actor, projectId, command),
    remove: (actor: Actor, projectId: string, expectedVersion: number) =>
      deleteProject(db, actor, projectId, expectedVersion),
    listRevisions: (actor: Actor, projectId: string, page: Page) => listRevisions(db, actor, projectId, page),
    readRevision: (actor: Actor, { projectId, version }: RevisionPlace) =>
      readRevision(db, actor, projectId, version),
    restore: (actor: Actor, place: RevisionPlace, command: Parameters<typeof restoreRevision>[3]) =>
      restoreRevision(deps, actor, place, command),
    share: (actor: Actor, projectId: string, command: Keyed<ShareProject>) =>
      shareProject(deps, actor, projectId, command),
    revoke: (actor: Actor, projectId: string, request: Parameters<typeof revokeShares>[3]) =>
      revokeShares(deps, actor, projectId, request),
    cite: (actor: Actor, { projectId, version }: RevisionPlace) =>
      citeRevision(deps, actor, projectId, version),
    readShared: (token: string) => readShared(db, token),
  };
}
