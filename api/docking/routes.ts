/** Docking: artifacts, which are verified references to stored objects, and the lookup of ligands by id, name or SMILES. */
import { isRecord } from '../../src/domain/is-record.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { artifactAnswer } from './artifact-answers.ts';
import { artifactPath, downloadUrlAnswer, registerArtifactBody } from './schemas.ts';
import { resolveLigandAnswer, resolveLigandBody } from './resolve-schemas.ts';

/** The answer to a registration; the place of the artifact is told to whoever made it. */
function registered<Body>(status: number, body: Body): Answer<Body> {
  const id = isRecord(body) && isRecord(body['artifact']) ? body['artifact']['artifactId'] : undefined;
  return status === 201 && typeof id === 'string'
    ? json(201, body, { Location: `/api/v1/molecular/docking/artifacts/${id}` })
    : json(status, body);
}

const registerArtifact = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/artifacts',
  operationId: 'registerDockingArtifact',
  tag: TAGS.docking,
  summary: 'Register an uploaded file as an artifact',
  description:
    'Reads the stored bytes, computes their digest and answers the reference to send in requests. The same storage key and format again answers the same artifact.',
  access: 'jobs:write',
  limit: 'write',
  idempotency: {
    keep: (body) => body,
    restore: async (_services, _request, { status, body }) => registered(status, body),
  },
  headers: [idempotencyHeader],
  body: registerArtifactBody,
  answers: {
    200: { description: 'The artifact was registered before.', schema: artifactAnswer },
    201: {
      description: 'The artifact is registered.',
      schema: artifactAnswer,
      headers: { Location: 'Path of the artifact.' },
    },
  },
  errors: ['INPUT_NOT_FOUND', 'UPLOAD_INCOMPLETE', 'SIZE_MISMATCH', 'CHECKSUM_MISMATCH'],
  async handle({ artifacts }, { actor, body, resumedSince }) {
    const { created, response } = await artifacts.register(actor, body);
    // An earlier attempt of this very request may have registered the artifact and died before it could say so.
    const isOurs = created || (resumedSince !== null && response.verifiedAt >= resumedSince);
    return registered(isOurs ? 201 : 200, response);
  },
});

const getArtifact = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/artifacts/:artifactId',
  operationId: 'getDockingArtifact',
  tag: TAGS.docking,
  summary: 'Read an artifact',
  description: 'The reference of a registered artifact.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: artifactPath,
  answers: { 200: { description: 'The artifact.', schema: artifactAnswer } },
  errors: [],
  async handle({ artifacts }, { actor, params }) {
    return json(200, await artifacts.get(actor, params.artifactId));
  },
});

const createDownloadUrl = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/artifacts/:artifactId/download-url',
  operationId: 'createDockingArtifactDownloadUrl',
  tag: TAGS.docking,
  summary: 'Get an address to download an artifact',
  description:
    'A presigned address that lives for a short time and gives the file its name and media type. The address is minted for each call and never stored. A file that was changed after it was registered is refused.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'anew',
  headers: [idempotencyHeader],
  params: artifactPath,
  answers: { 200: { description: 'Where to download the artifact.', schema: downloadUrlAnswer } },
  errors: ['CHECKSUM_MISMATCH'],
  async handle({ artifacts }, { actor, params }) {
    return json(200, await artifacts.downloadUrl(actor, params.artifactId));
  },
});

const resolveLigand = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/ligands/resolve',
  operationId: 'resolveLigand',
  tag: TAGS.docking,
  summary: 'Resolve a ligand',
  description:
    'Looks up what a ligand is called, without any effect: ids, names and synonyms of the Chemical Component Dictionary, and SMILES. Each candidate has a preview and a signed token; sent as confirmation of a ligand, the token proves which structure was shown. A query that means nothing is answered with no candidate and a warning that says why.',
  access: 'jobs:read',
  limit: 'resolve',
  // The tokens of an answer live for a day, so no answer is stored.
  idempotency: 'anew',
  headers: [idempotencyHeader],
  body: resolveLigandBody,
  answers: { 200: { description: 'What the query may mean.', schema: resolveLigandAnswer } },
  errors: [],
  async handle({ ligands }, { actor, body }) {
    return json(200, await ligands.resolve(actor, body));
  },
});

/** Endpoints of docking. */
export const dockingEndpoints: readonly Endpoint[] = [
  registerArtifact,
  getArtifact,
  createDownloadUrl,
  resolveLigand,
];
