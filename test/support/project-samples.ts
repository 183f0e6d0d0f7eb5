/** Rows of the entities of molecular projects with every column set. */
import { v7 as uuidv7 } from 'uuid';

import {
  MolecularContentEntity,
  MolecularProjectEntity,
  MolecularReceiptEntity,
  MolecularRevisionEntity,
  MolecularShareEntity,
  MolecularSourceEntity,
} from '../../entities/projects.ts';
import {
  DepositedStructureEntity,
  StructureFactsEntity,
  StructureImportEntity,
} from '../../entities/structures.ts';
import { AT, accountId, sample } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

const projectId = uuidv7();
const revision = { projectId, version: 1, accountId, contentSha256: 's', byteSize: 2, message: 'm' };

const deposited = { pdbId: '1a28', sha256: 's', byteSize: 2, storageKey: 'k', fetchedAt: AT };

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
  sample(DepositedStructureEntity, deposited, {}, { sha256: 't' }),
  sample(
    StructureFactsEntity,
    { sha256: 's', format: 'pdb', reader: 1, facts: { models: 1 }, madeAt: AT },
    {},
    { sha256: 't' },
  ),
  sample(
    StructureImportEntity,
    { pdbId: '1a28', state: 'DONE', sha256: 's', accountId, askedAt: AT, endedAt: AT },
    { sha256: null, endedAt: null },
    { pdbId: '1a29' },
  ),
  sample(
    MolecularSourceEntity,
    { accountId, contentSha256: 's', address: 'a', artifactId: uuidv7() },
    { artifactId: null },
    { address: 'b' },
  ),
  sample(
    MolecularRevisionEntity,
    { ...revision, sourceVersion: 1, createdAt: AT },
    { sourceVersion: null },
    { version: 2 },
  ),
  sample(
    MolecularReceiptEntity,
    { projectId, version: 1, document: '{}', keyId: 'key-1', signature: 's', dueAt: AT },
    { document: null, keyId: null, signature: null },
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
