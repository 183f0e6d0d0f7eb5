/** Projects and revisions as text. */
import type { ProjectResponse, RevisionItem } from '../../../client/types.ts';
import { facts, moment, table } from '../../table.ts';
import type { Column } from '../../table.ts';

/** The columns of a list of projects. */
const PROJECTS: readonly Column<ProjectResponse>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'VERSION', value: ({ currentVersion }) => currentVersion, align: 'right' },
  { title: 'SAVED', value: ({ updatedAt }) => moment(new Date(updatedAt)) },
  { title: 'SHARES', value: ({ shares }) => shares.length, align: 'right' },
];

/** The columns of a history. */
const REVISIONS: readonly Column<RevisionItem>[] = [
  { title: 'VERSION', value: ({ version }) => version, align: 'right' },
  { title: 'SAVED', value: ({ createdAt }) => moment(new Date(createdAt)) },
  { title: 'BYTES', value: ({ byteSize }) => byteSize, align: 'right' },
  { title: 'SHA-256', value: ({ contentSha256 }) => contentSha256.slice(0, 12) },
  { title: 'COPY OF', value: ({ sourceVersion }) => sourceVersion, align: 'right' },
  { title: 'MESSAGE', value: ({ message }) => message },
];

/** A list of projects. */
export function projectsText(projects: readonly ProjectResponse[]): string {
  return projects.length === 0 ? 'No projects.\n' : table(PROJECTS, projects);
}

/** A history, the newest revision first. */
export function historyText(revisions: readonly RevisionItem[]): string {
  return table(REVISIONS, revisions);
}

/** A project with its shares. */
export function projectText(project: ProjectResponse, apiUrl: string): string {
  const { shares, description } = project;
  return facts([
    ['Project', project.id],
    ['Name', project.name],
    ...(description === '' ? [] : [['Description', description] as const]),
    ['Version', project.currentVersion],
    ['SHA-256', project.contentSha256],
    ['Saved', moment(new Date(project.updatedAt)) ?? ''],
    ...shares.map(
      ({ shareId, version, token }) =>
        [`Share of version ${version}`, `${sharedAt(apiUrl, token)} (${shareId})`] as const,
    ),
  ]);
}

/** A revision. */
export function revisionText(revision: RevisionItem): string {
  const { sourceVersion, message } = revision;
  return facts([
    ['Project', revision.projectId],
    ['Version', revision.version],
    ...(sourceVersion === null ? [] : [['Copy of', sourceVersion] as const]),
    ['SHA-256', revision.contentSha256],
    ['Bytes', revision.byteSize],
    ['Saved', moment(new Date(revision.createdAt)) ?? ''],
    ...(message === '' ? [] : [['Message', message] as const]),
  ]);
}

/** The address at which a share shows its revision to everybody. */
export function sharedAt(apiUrl: string, token: string): string {
  return `${apiUrl.replace(/\/+$/, '')}/api/v1/public/molecular/shared/${token}`;
}
