/** The data that scenes show, as bytes. */
import { ifNoneMatch, rangeHeader } from '../http/documented-headers.ts';
import type { AnswerDefinition, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { answerFile } from '../http/range.ts';
import { TAGS } from '../http/tags.ts';
import {
  assetPath,
  factsAnswer,
  fetchingAnswer,
  sharedAssetPath,
  sharedStructurePath,
  namedRevisionQuery,
  revisionQuery,
  structurePath,
  structureQuery,
} from './schemas.ts';

const LINES = 'HETATM    1  C1  STR A   1      24.000  10.000  61.000  1.00 20.00           C\n';
const OF_FILE = {
  ETag: 'SHA-256 of the file, for If-None-Match.',
  'Accept-Ranges': 'bytes, because ranges are answered.',
};
const FILE = {
  idempotency: 'none',
  headers: [rangeHeader, ifNoneMatch],
  answers: {
    200: {
      description: 'The whole file.',
      mediaType: 'application/octet-stream',
      example: LINES,
      headers: OF_FILE,
    },
    206: {
      description: 'The range of the file.',
      mediaType: 'application/octet-stream',
      example: LINES.slice(0, 20),
      headers: { ...OF_FILE, 'Content-Range': 'Which bytes these are.' },
    },
    304: { description: 'The client has the file.', headers: { ETag: OF_FILE.ETag } },
  } satisfies Readonly<Record<number, AnswerDefinition>>,
} as const;
const FILE_ERRORS = [
  'RANGE_NOT_SATISFIABLE',
  'SOURCE_LOST',
  'SOURCE_TOO_LARGE',
  'CHECKSUM_MISMATCH',
] as const;

const readAsset = defineEndpoint({
  ...FILE,
  method: 'GET',
  path: '/molecular/assets/:artifactId',
  operationId: 'readMolecularAsset',
  tag: TAGS.projects,
  summary: 'Read the data of a scene',
  description:
    'The bytes of an artifact of the account, at most 64 MiB, whole or in part. Scenes name their data by this address. A key without jobs:read reads what a kept revision names.',
  access: 'projects:read',
  limit: 'read',
  params: assetPath,
  errors: FILE_ERRORS,
  async handle({ assets }, { actor, params, headers }) {
    return answerFile(await assets.open(actor, params.artifactId), headers);
  },
});

const readSharedAsset = defineEndpoint({
  ...FILE,
  method: 'GET',
  path: '/public/molecular/shared/:token/assets/:artifactId',
  operationId: 'readSharedMolecularAsset',
  tag: TAGS.projects,
  summary: 'Read the data of a shared scene',
  description:
    'The bytes of an artifact that the shared revision names: whoever opens the scene reads them here, in place of the address in the scene. Nothing else of the account can be read.',
  access: 'none',
  limit: 'public',
  params: sharedAssetPath,
  errors: ['SHARE_REVOKED', ...FILE_ERRORS],
  async handle({ assets }, { params, headers }) {
    const opened = await assets.openShared(params.token, params.artifactId);
    return answerFile(opened, headers, { 'X-Robots-Tag': 'noindex' });
  },
});

const RETRY_AFTER_SECONDS = '2';

const readStructure = defineEndpoint({
  ...FILE,
  method: 'GET',
  path: '/molecular/structures/:pdbId',
  operationId: 'readStructure',
  tag: TAGS.projects,
  summary: 'Read an entry of the archive',
  description:
    'The entry as mmCIF. Without a digest it is the newest revision: 202 while the service fetches it, once for all accounts and at most once a day. Its tag is the digest by which scenes name it; a revision that was fetched once stays.',
  access: 'projects:read',
  limit: 'read',
  params: structurePath,
  query: structureQuery,
  answers: {
    ...FILE.answers,
    202: {
      description: 'The entry is being fetched; ask again.',
      schema: fetchingAnswer,
      headers: { 'Retry-After': 'Seconds until the next question makes sense.' },
    },
  },
  errors: ['RANGE_NOT_SATISFIABLE', 'SOURCE_LOST', 'SOURCE_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
  async handle({ structures }, { actor, params, query, headers }) {
    const found = await structures.read(actor, params.pdbId, query.sha256 ?? null);
    if (found.kind === 'file') return answerFile(found.file, headers);
    const message = 'The entry is being fetched. Ask again.';
    return json(
      202,
      { pdbId: params.pdbId.toLowerCase(), status: 'FETCHING', message },
      { 'Retry-After': RETRY_AFTER_SECONDS },
    );
  },
});

const readSharedStructure = defineEndpoint({
  ...FILE,
  method: 'GET',
  path: '/public/molecular/shared/:token/structures/:pdbId',
  operationId: 'readSharedStructure',
  tag: TAGS.projects,
  summary: 'Read an entry of the archive in a shared scene',
  description:
    'The revision of an entry that the shared revision names, in place of the address in the scene.',
  access: 'none',
  limit: 'public',
  params: sharedStructurePath,
  query: namedRevisionQuery,
  errors: ['SHARE_REVOKED', 'RANGE_NOT_SATISFIABLE', 'SOURCE_LOST', 'SOURCE_TOO_LARGE'],
  async handle({ structures }, { params, query, headers }) {
    const opened = await structures.openShared(params.token, params.pdbId, query.sha256 ?? '');
    return answerFile(opened, headers, { 'X-Robots-Tag': 'noindex' });
  },
});

const FACTS = {
  method: 'GET',
  tag: TAGS.projects,
  access: 'projects:read',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The facts.', schema: factsAnswer } },
  errors: ['STRUCTURE_UNREADABLE', 'SOURCE_LOST', 'SOURCE_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
} as const;

const getAssetFacts = defineEndpoint({
  ...FACTS,
  path: '/molecular/assets/:artifactId/facts',
  operationId: 'getMolecularAssetFacts',
  summary: 'Read facts of the data of a scene',
  description:
    'The models, assemblies, chains, ligands and waters of a structure in pdb or mmcif, read once for each digest.',
  params: assetPath,
  errors: [...FACTS.errors, 'CHECKSUM_MISMATCH'],
  async handle({ assets, facts }, { actor, params }) {
    return json(200, await facts.of(await assets.open(actor, params.artifactId)));
  },
});

const getStructureFacts = defineEndpoint({
  ...FACTS,
  path: '/molecular/structures/:pdbId/facts',
  operationId: 'getStructureFacts',
  summary: 'Read facts of an entry of the archive',
  description:
    'The models, assemblies, chains, ligands and waters of a revision that was imported, read once for each digest.',
  params: structurePath,
  query: revisionQuery,
  async handle({ structures, facts }, { params, query }) {
    return json(200, await facts.of(await structures.open(params.pdbId, query.sha256)));
  },
});

/** The endpoints of data, in the order of the document. */
export const molecularEndpoints: readonly Endpoint[] = [
  readAsset,
  readSharedAsset,
  readStructure,
  readSharedStructure,
  getAssetFacts,
  getStructureFacts,
];
