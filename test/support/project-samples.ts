/** Rows of the entities of molecular projects with every column set. */
import { v7 as uuidv7 } from 'uuid';

import {
  MolecularContentEntity,
  MolecularProjectEntity,
  MolecularRevisionEntity,
  MolecularShareEntity,
} from '../../entities/projects.ts';
import { AT, accountId, sample } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

const projectId = uuidv7();
const revision = { projectId, version: 1, accountId, contentSha256: 's', byteSize: 2, message: 'm' };

/** Rows of projects, in the order of their references. */
export const PROJECT_SAMPLES: readonly Sample[] = [
  sample(
    MolecularProjectEntity,
    {
      ...{ id: projectId, accountId, name: 'n', description: 'd', currentVersion: 2 },
      ...{ createdAt: AT, updatedAt: AT, deletedAt: AT },
    },
    { deletedAt: null },
    { id: uuidv7() },
  ),
  sample(MolecularContentEntity, { accountId, sha256: 's', bytes: Buffer.from('{}') }, {}, { sha256: 't' }),
  sample(
    MolecularRevisionEntity,
    { ...revision, sourceVersion: 1, createdAt: AT },
    { sourceVersion: null },
    { version: 2 },
  ),
  sample(
    MolecularShareEntity,
    {
      ...{ id: uuidv7(), projectId, version: 1, tokenSha256: Buffer.from('t'), sealedToken: 'k.t' },
      ...{ createdAt: AT, revokedAt: AT },
    },
    { revokedAt: null },
    { id: uuidv7(), tokenSha256: Buffer.from('u') },
  ),
];
