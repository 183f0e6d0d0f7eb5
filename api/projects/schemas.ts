/** Molecular projects: requests and answers. */
import Joi from 'joi';

import type { JsonObject } from '../../src/domain/json.ts';
import { MOST_CONTENT_BYTES } from '../../src/domain/molecular-projects.ts';
import {
  characters,
  cursor,
  integerInQuery,
  nextCursor,
  pageLimit,
  sha256,
  time,
  uuid,
} from '../http/fields.ts';
import { inDocument } from '../http/in-document.ts';

const MOST_VERSION = 999_999_999;
const EXPECTED =
  'Version number of the head that the change is for; another head gives 409 VERSION_CONFLICT, and nothing is changed.';

const version = Joi.number().integer().min(1).max(MOST_VERSION).example(1);
const name = characters(1, 200).description('Name of the project, for people, 1 to 200 characters.');
const description = characters(0, 10_000)
  .example('Three series against CDK2.')
  .description('What the project is about, at most 10,000 characters.');
const message = characters(0, 2_000)
  .example('Hinge contacts labelled')
  .description('What the revision is about, at most 2,000 characters.');
const content = Joi.object<JsonObject>()
  .unknown()
  .example({
    scene: {
      kind: 'single',
      metadata: { version: '1' },
      root: { kind: 'root', children: [{ kind: 'canvas', params: { background_color: 'white' } }] },
    },
    sources: [],
    notes: '',
  })
  .description(
    `Content of the revision: any JSON object of at most ${MOST_CONTENT_BYTES} bytes in canonical form (RFC 8785). Members that the service does not know are kept. A member scene is a MolViewSpec scene, of one state or several, with at most 5,000 nodes, 50 states, 64 sources and 20,000 selectors in lists; it names data by /api/v1/molecular/assets/{artifactId} and /api/v1/molecular/structures/{pdbId}?sha256= alone.`,
  );
const expectedVersion = version.description(
  `${EXPECTED} Required here or in the query, where it may stand as well; both must be equal.`,
);

/** Where a change says which head it is for. */
export interface Expecting {
  readonly expectedVersion?: number;
}

const expectedInQuery = integerInQuery()
  .min(1)
  .max(MOST_VERSION)
  .description(`${EXPECTED} Required here or in the body, where it may stand as well; both must be equal.`);

/** The query of every change. */
export const changeQuery = Joi.object<Expecting, true>({ expectedVersion: expectedInQuery });

/** The query of the end of shares. */
export const revokeQuery = Joi.object<Expecting & { readonly shareId?: string }, true>({
  expectedVersion: expectedInQuery,
  shareId: uuid.description('The one share to end; without it all shares of the project end.'),
});

/** The body of a change that has nothing else to say. */
export const expectingBody = Joi.object<Expecting, true>({ expectedVersion }).description(
  'The head that the change is for.',
);

interface NewProject {
  readonly name: string;
  readonly description?: string;
  readonly message?: string;
  readonly content: JsonObject;
}

/** POST /molecular/projects. */
export const createProjectBody = Joi.object<NewProject, true>({
  name: name.required().example('Kinase inhibitors'),
  description,
  message,
  content: content.required(),
}).description('A project with its first content.');

/** PUT of a project. */
export const saveProjectBody = Joi.object<
  Partial<NewProject> & Pick<NewProject, 'content'> & Expecting,
  true
>({
  name: name.description('New name of the project, 1 to 200 characters; without it the name stays.'),
  description,
  message,
  content: content.required(),
  expectedVersion,
}).description('The successor of the head.');

/** POST of a restore. */
export const restoreBody = Joi.object<{ readonly message?: string } & Expecting, true>({
  message,
  expectedVersion,
}).description('The head that the restore is for.');

/** POST of a share. */
export const shareBody = Joi.object<Partial<NewProject> & Expecting, true>({
  name: name.description('New name of the project, 1 to 200 characters; only with a content.'),
  description,
  message,
  content: content.description(
    'Content that is saved as the successor of the head and then shared; without it the head is shared.',
  ),
  expectedVersion,
})
  .with('name', 'content')
  .with('description', 'content')
  .with('message', 'content')
  .meta(
    inDocument({
      dependentRequired: { name: ['content'], description: ['content'], message: ['content'] },
    }),
  )
  .description('What is shared.');

/** The path of a project. */
export const projectPath = Joi.object<{ readonly projectId: string }, true>({
  projectId: uuid.required().description('Id of the project.'),
});

/** The path of a revision. */
export const revisionPath = Joi.object<{ readonly projectId: string; readonly version: number }, true>({
  projectId: uuid.required().description('Id of the project.'),
  version: integerInQuery()
    .min(1)
    .max(MOST_VERSION)
    .required()
    .example(1)
    .description('Version number of the revision.'),
});

/** The query of the lists. */
export const projectListQuery = Joi.object<{ readonly limit: number; readonly cursor?: string }, true>({
  limit: pageLimit(100, 25),
  cursor,
});

const share = Joi.object({
  shareId: uuid.required().description('Id of the share.'),
  version: version.required().description('Version number of the revision that the share shows for ever.'),
  token: Joi.string()
    .pattern(/^[A-Za-z0-9_-]{43}$/)
    .required()
    .example('q0mXk1Yw3bT7vR2nZ5sC8dF4gH6jL9pA1eU3iO5yB7c')
    .description('Capability to read the revision without an account.'),
  link: characters(1)
    .required()
    .example('/molecular/shared/q0mXk1Yw3bT7vR2nZ5sC8dF4gH6jL9pA1eU3iO5yB7c')
    .description('Page of the share, relative to the address of the service.'),
  createdAt: time.required().description('When the share was made.'),
}).description('A share that nobody has revoked.');

const PROJECT = {
  id: uuid.required().description('Id of the project, which stays the same for ever.'),
  name: name.required().example('Kinase inhibitors'),
  description: description.required(),
  currentVersion: version.required().description('Version number of the head.'),
  contentSha256: sha256
    .required()
    .description("SHA-256 of the canonical JSON (RFC 8785) of the head's content."),
  createdAt: time.required().description('When the project was created.'),
  updatedAt: time.required().description('When the head was saved.'),
  share: share.allow(null).required().description('The newest share; null without one.'),
  shares: Joi.array()
    .items(share)
    .required()
    .description('All shares that nobody has revoked, newest first.'),
};

/** A project without its content. */
export const projectAnswer = Joi.object(PROJECT).description('A project.');

/** A project with the content of its head. */
export const projectWithContent = Joi.object({
  ...PROJECT,
  content: content.required(),
}).description('A project with the content of its head.');

/** GET /molecular/projects. */
export const projectListAnswer = Joi.object({
  projects: Joi.array().items(projectAnswer).required().description('Projects, newest first.'),
  nextCursor,
}).description('A page of projects.');

const REVISION = {
  projectId: uuid.required().description('Id of the project.'),
  version: version.required().description('Version number of the revision.'),
  contentSha256: sha256.required().description('SHA-256 of the canonical JSON (RFC 8785) of the content.'),
  byteSize: Joi.number().integer().min(2).required().example(53).description('Bytes of the canonical JSON.'),
  message: message.required(),
  sourceVersion: version
    .allow(null)
    .required()
    .description('Version number of the revision that was restored; null for every other one.'),
  createdAt: time.required().description('When the revision was saved.'),
};

const revision = Joi.object(REVISION).description('A revision.');

/** A revision with its content. */
export const revisionWithContent = Joi.object({
  ...REVISION,
  content: content.required(),
}).description('A revision with its content.');

/** GET of the revisions of a project. */
export const revisionListAnswer = Joi.object({
  revisions: Joi.array().items(revision).required().description('Revisions, newest first.'),
  nextCursor,
}).description('A page of revisions.');

/** The token of a share, in a path. */
export const shareToken = characters(1, 200)
  .required()
  .example('q0mXk1Yw3bT7vR2nZ5sC8dF4gH6jL9pA1eU3iO5yB7c')
  .description('Token of the share.');

/** The path of a share. */
export const sharedPath = Joi.object<{ readonly token: string }, true>({ token: shareToken });

/** The revision of a share. */
export const sharedAnswer = Joi.object({
  name: name.required().example('Kinase inhibitors'),
  description: description.required(),
  version: version.required().description('Version number of the revision.'),
  contentSha256: REVISION.contentSha256,
  byteSize: REVISION.byteSize,
  createdAt: REVISION.createdAt,
  content: content.required(),
}).description('The revision that was shared.');
