/** Projects of the fake services: one project, whatever is asked for. */
import type { ArtifactReference } from '../../../src/domain/requests.ts';
import type { ProjectRecord } from '../../../src/domain/molecular-projects.ts';
import type { ProjectServices } from '../../../src/services/projects/index.ts';
import { JOB_ID } from './fake-people.ts';

const ID = '00000000-0000-7000-8000-0000000000a1';
const AT = '2026-11-21T00:00:00.000000Z';
const project: ProjectRecord = {
  ...{ id: ID, name: 'Kinase', description: '', currentVersion: 1, contentSha256: '0'.repeat(64) },
  ...{ createdAt: AT, updatedAt: AT, share: null, shares: [] },
};
const content = Buffer.from('{"notes":""}');
const revision = {
  ...{ projectId: ID, version: 1, contentSha256: project.contentSha256, byteSize: content.byteLength },
  ...{ message: '', sourceVersion: null, createdAt: AT },
};
const changed = async () => ({ project, replayed: false });

/** The fake. */
export const FAKE_PROJECTS: ProjectServices = {
  list: async () => ({ projects: [project], nextCursor: null }),
  create: changed,
  read: async () => ({ record: project, content }),
  save: changed,
  remove: async () => undefined,
  listRevisions: async () => ({ revisions: [revision], nextCursor: null }),
  readRevision: async () => ({ record: revision, content }),
  restore: changed,
  share: changed,
  revoke: async () => project,
  readShared: async () => ({
    record: {
      name: 'Kinase',
      description: '',
      version: 1,
      contentSha256: '0'.repeat(64),
      byteSize: 12,
      createdAt: AT,
    },
    content,
  }),
};

/** A file of the fake services. */
export const FAKE_ARTIFACT: ArtifactReference = {
  ...{ schema: 'svc.docking.artifact/v1', artifactId: JOB_ID, storageKey: 'k', sha256: 'a'.repeat(64) },
  ...{ byteSize: 1, mediaType: 'text/plain', format: 'pdb' },
};
