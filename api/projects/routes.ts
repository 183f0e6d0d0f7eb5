/** Molecular projects: versioned workspaces, their revisions, and shares of revisions. */
import { Readable } from 'node:stream';

import { CITATION_FORMATS, citationText, cslItems } from '../../src/domain/citations.ts';
import type { CitationFormat } from '../../src/domain/citations.ts';
import { idempotencyHeader, ifNoneMatch } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { deprecation } from '../http/deprecation.ts';
import { preferredType } from '../http/preferred-type.ts';
import { TAGS } from '../http/tags.ts';
import { PROJECTS, changeOf, changed, expectedVersionOf, withContent } from './answers.ts';
import {
  CITATION_EXAMPLE,
  citationQuery,
  cslAnswer,
  signedRevisionReceiptAnswer,
} from './evidence-schemas.ts';
import { withStoredContent } from './content.ts';
import { EXPORT, answerExport, describeExport } from './export-endpoint.ts';
import {
  changeQuery,
  createProjectBody,
  expectingBody,
  projectAnswer,
  projectListAnswer,
  projectListQuery,
  projectPath,
  projectWithContent,
  restoreBody,
  revisionListAnswer,
  revisionPath,
  revisionWithContent,
  revokeQuery,
  saveProjectBody,
  shareBody,
  sharedAnswer,
  sharedPath,
} from './schemas.ts';

/** Five mebibytes of content, and what stands around it. */
const BODY_BYTES = 6 * 1024 * 1024;
const REPLAYED = { 'Idempotency-Replayed': 'true when an earlier request with this key made the change.' };
const TAGGED = { ETag: 'Digest of the answer, for If-None-Match.' };
const WRITE = { access: 'projects:write', limit: 'write', tag: TAGS.projects } as const;
const READ = { access: 'projects:read', limit: 'read', idempotency: 'none', tag: TAGS.projects } as const;
const KEYED = { idempotency: 'service', keyRequired: true, headers: [idempotencyHeader] } as const;
const CONTENT_REFUSALS = ['SCENE_INVALID', 'SCENE_SOURCE_REFUSED', 'CONTENT_HOLDS_SECRET'] as const;
const CHANGED = { description: 'The project after the change.', schema: projectAnswer, headers: REPLAYED };

const listProjects = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/projects',
  operationId: 'listProjects',
  summary: 'List projects',
  description: 'Projects of the account, newest first, without their contents.',
  query: projectListQuery,
  answers: { 200: { description: 'A page of projects.', schema: projectListAnswer } },
  errors: [],
  async handle({ projects }, { actor, query }) {
    return json(200, await projects.list(actor, query));
  },
});

const createProject = defineEndpoint({
  ...WRITE,
  ...KEYED,
  method: 'POST',
  path: '/molecular/projects',
  operationId: 'createProject',
  summary: 'Create a project',
  description: 'Creates a project with its first revision. Nothing is charged.',
  bodyLimitBytes: BODY_BYTES,
  body: createProjectBody,
  prepare: (body) => withStoredContent(body),
  answers: {
    201: {
      description: 'The project with its first revision.',
      schema: projectAnswer,
      headers: { ...REPLAYED, Location: 'Path of the project.' },
    },
  },
  errors: ['IDEMPOTENCY_KEY_REUSED', ...CONTENT_REFUSALS],
  async handle({ projects }, { actor, body, fingerprint, idempotencyKey }) {
    return changed(
      201,
      await projects.create(actor, { body, fingerprint, idempotencyKey: idempotencyKey ?? '' }),
    );
  },
});

const readProject = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/projects/:projectId',
  operationId: 'getProject',
  summary: 'Read a project',
  description: 'The project with the content of its head.',
  params: projectPath,
  headers: [ifNoneMatch],
  answers: {
    200: { description: 'The project.', schema: projectWithContent, headers: TAGGED },
    304: { description: 'The client has the project as it is.', headers: TAGGED },
  },
  errors: [],
  async handle({ projects }, { actor, params, headers }) {
    const project = await projects.read(actor, params.projectId);
    const { currentVersion, shares, contentSha256 } = project.record;
    const tag = [currentVersion, ...shares.map(({ shareId }) => shareId), contentSha256].join('.');
    return withContent(project, tag, headers['if-none-match']);
  },
});

const saveProject = defineEndpoint({
  ...WRITE,
  ...KEYED,
  method: 'PUT',
  path: '/molecular/projects/:projectId',
  operationId: 'saveProject',
  summary: 'Save a successor',
  description:
    'Appends a revision, which becomes the head, also where the content is equal. No revision is ever overwritten.',
  params: projectPath,
  query: changeQuery,
  bodyLimitBytes: BODY_BYTES,
  body: saveProjectBody,
  prepare: (body) => withStoredContent(body),
  answers: { 200: CHANGED },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'VERSION_CONFLICT', ...CONTENT_REFUSALS],
  async handle({ projects }, request) {
    const { actor, params } = request;
    return changed(200, await projects.save(actor, params.projectId, changeOf(request)));
  },
});

const deleteProject = defineEndpoint({
  ...WRITE,
  method: 'DELETE',
  path: '/molecular/projects/:projectId',
  operationId: 'deleteProject',
  summary: 'Delete a project',
  description:
    'Deletes the project with its revisions; its shares end. The service keeps nothing of it after thirty days.',
  idempotency: 'none',
  params: projectPath,
  query: changeQuery,
  bodyOptional: true,
  body: expectingBody,
  answers: { 204: { description: 'The project is deleted.' } },
  errors: ['VERSION_CONFLICT'],
  async handle({ projects }, { actor, params, query, body }) {
    await projects.remove(actor, params.projectId, expectedVersionOf(query, body));
    return { status: 204 };
  },
});

const listRevisions = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/projects/:projectId/revisions',
  operationId: 'listProjectRevisions',
  summary: 'List revisions',
  description: 'Revisions of the project, newest first, without their contents.',
  params: projectPath,
  query: projectListQuery,
  answers: { 200: { description: 'A page of revisions.', schema: revisionListAnswer } },
  errors: [],
  async handle({ projects }, { actor, params, query }) {
    return json(200, await projects.listRevisions(actor, params.projectId, query));
  },
});

const readRevision = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/projects/:projectId/revisions/:version',
  operationId: 'getProjectRevision',
  summary: 'Read a revision',
  description: 'The revision with its content, which never changes.',
  params: revisionPath,
  headers: [ifNoneMatch],
  answers: {
    200: { description: 'The revision.', schema: revisionWithContent, headers: TAGGED },
    304: { description: 'The client has the revision.', headers: TAGGED },
  },
  errors: [],
  async handle({ projects }, { actor, params, headers }) {
    const revision = await projects.readRevision(actor, params);
    return withContent(revision, revision.record.contentSha256, headers['if-none-match']);
  },
});

const restoreRevision = defineEndpoint({
  ...WRITE,
  ...KEYED,
  method: 'POST',
  path: '/molecular/projects/:projectId/revisions/:version/restore',
  operationId: 'restoreProjectRevision',
  summary: 'Restore a revision',
  description: 'Appends a copy of the revision, which becomes the head. The history stays as it is.',
  params: revisionPath,
  query: changeQuery,
  bodyOptional: true,
  body: restoreBody,
  answers: { 200: CHANGED },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'VERSION_CONFLICT'],
  async handle({ projects }, request) {
    const { actor, params } = request;
    return changed(200, await projects.restore(actor, params, changeOf(request)));
  },
});

const shareProject = defineEndpoint({
  ...WRITE,
  ...KEYED,
  method: 'POST',
  path: '/molecular/projects/:projectId/shares',
  operationId: 'shareProject',
  summary: 'Save and share',
  description:
    'Makes a share that shows one revision for ever: the head, or the content that is sent, which is saved first. Later saves change no share. Several shares may be open.',
  params: projectPath,
  query: changeQuery,
  bodyOptional: true,
  bodyLimitBytes: BODY_BYTES,
  body: shareBody,
  prepare: ({ content, ...head }) =>
    content === undefined ? { value: head, identity: head } : withStoredContent({ ...head, content }),
  answers: {
    201: {
      description: 'The project with its newest share.',
      schema: projectAnswer,
      headers: { ...REPLAYED, Location: 'Path of the project.' },
    },
  },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'VERSION_CONFLICT', ...CONTENT_REFUSALS],
  async handle({ projects }, request) {
    const { actor, params } = request;
    return changed(201, await projects.share(actor, params.projectId, changeOf(request)));
  },
});

const revokeShares = defineEndpoint({
  ...WRITE,
  method: 'DELETE',
  path: '/molecular/projects/:projectId/shares',
  operationId: 'revokeProjectShares',
  summary: 'Revoke shares',
  description: 'Ends one share, or all shares of the project, at once and for everybody.',
  idempotency: 'none',
  params: projectPath,
  query: revokeQuery,
  bodyOptional: true,
  body: expectingBody,
  answers: { 200: { description: 'The project with the shares that are left.', schema: projectAnswer } },
  errors: ['VERSION_CONFLICT'],
  async handle({ projects }, { actor, params, query, body }) {
    const { shareId } = query;
    const request = {
      expectedVersion: expectedVersionOf(query, body),
      ...(shareId === undefined ? {} : { shareId }),
    };
    return json(200, await projects.revoke(actor, params.projectId, request));
  },
});

const readShared = defineEndpoint({
  method: 'GET',
  path: '/public/molecular/shared/:token',
  operationId: 'getSharedRevision',
  tag: TAGS.projects,
  summary: 'Read a shared revision',
  description: 'The revision that the token was made for, and nothing else of its project.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  params: sharedPath,
  headers: [ifNoneMatch],
  answers: {
    200: { description: 'The revision.', schema: sharedAnswer, headers: TAGGED },
    304: { description: 'The client has the revision.', headers: TAGGED },
  },
  errors: ['SHARE_REVOKED'],
  async handle({ projects }, { params, headers }) {
    const shared = await projects.readShared(params.token);
    // No search engine lists what only those with the token should find.
    return withContent(shared, shared.record.contentSha256, headers['if-none-match'], {
      'X-Robots-Tag': 'noindex',
    });
  },
});

/** The media type of each form of a citation. */
const CITATION_MEDIA = {
  text: 'text/plain',
  bibtex: 'application/x-bibtex',
  'csl-json': 'application/vnd.citationstyles.csl+json',
} as const satisfies Readonly<Record<CitationFormat, string>>;

const citeRevision = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/projects/:projectId/revisions/:version/citation',
  operationId: 'citeProjectRevision',
  summary: 'Cite a revision',
  description:
    'How the revision is cited, as a sentence, as BibTeX or as CSL-JSON: by format, else by the Accept header. The address in it is that of the oldest share of the revision; without a share it is one that the account itself opens.',
  params: revisionPath,
  query: citationQuery,
  answers: {
    200: {
      description: 'The citation.',
      mediaType: CITATION_MEDIA.text,
      example: citationText(CITATION_EXAMPLE, 'text'),
      alsoAs: [
        { mediaType: CITATION_MEDIA.bibtex, example: citationText(CITATION_EXAMPLE, 'bibtex') },
        {
          mediaType: CITATION_MEDIA['csl-json'],
          schema: cslAnswer,
          example: cslItems(CITATION_EXAMPLE),
        },
      ],
    },
  },
  errors: [],
  async handle({ projects }, { actor, params, query, headers }) {
    const asked = preferredType(headers.accept, [
      CITATION_MEDIA.text,
      CITATION_MEDIA.bibtex,
      CITATION_MEDIA['csl-json'],
    ]);
    const format = query.format ?? CITATION_FORMATS.find((form) => CITATION_MEDIA[form] === asked) ?? 'text';
    const text = citationText(await projects.cite(actor, params), format);
    const type = { 'Content-Type': `${CITATION_MEDIA[format]}; charset=utf-8`, Vary: 'Accept' };
    return { status: 200, stream: Readable.from([Buffer.from(text)]), headers: type };
  },
});

const readRevisionReceipt = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/projects/:projectId/revisions/:version/receipt',
  operationId: 'getProjectRevisionReceipt',
  summary: 'Read the signed receipt of a revision',
  description:
    'What the revision is: its content and the data that the content names by digests, and the jobs that the data came from with the digests of their receipts, signed once and for ever by the keys of receipts. It is made within two minutes after the save, and after the receipts of those jobs.',
  params: revisionPath,
  answers: { 200: { description: 'The receipt.', schema: signedRevisionReceiptAnswer } },
  errors: ['RECEIPT_NOT_READY'],
  async handle({ receipts }, { actor, params }) {
    return json(200, await receipts.ofRevision(actor, params));
  },
});

const exportRevision = defineEndpoint({
  ...EXPORT,
  tag: TAGS.projects,
  path: '/molecular/projects/:projectId/revisions/:version/export',
  operationId: 'exportProjectRevision',
  summary: 'Export the scene of a revision',
  description: describeExport('The scene of the revision', 'projects:read'),
  params: revisionPath,
  errors: ['SCENE_MISSING', ...EXPORT.errors],
  async handle({ sceneExports }, { actor, params, query }) {
    return answerExport(await sceneExports.ofRevision(actor, params, query.format));
  },
});

/** The ten operations. */
const OPERATIONS: readonly Endpoint[] = [
  listProjects,
  createProject,
  readProject,
  saveProject,
  deleteProject,
  listRevisions,
  readRevision,
  restoreRevision,
  shareProject,
  revokeShares,
];

/** The same operations at their paths of before the base of the API. */
const OF_BEFORE = OPERATIONS.map((endpoint): Endpoint => ({
  ...endpoint,
  path: `/api${endpoint.path}`,
  fromRoot: true,
  operationId: `${endpoint.operationId}OfBefore`,
  description: `As ${endpoint.operationId}, which takes its place.`,
  deprecated: deprecation({ since: '2026-11-28', sunset: '2027-06-01', successor: PROJECTS }),
}));

/** The endpoints of projects, in the order of the document. */
export const projectEndpoints: readonly Endpoint[] = [
  ...OPERATIONS,
  citeRevision,
  readRevisionReceipt,
  exportRevision,
  readShared,
  ...OF_BEFORE,
];
