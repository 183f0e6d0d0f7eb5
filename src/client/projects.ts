/**
 * Molecular projects. Each change names the version of the head that it is for and is refused with VERSION_CONFLICT where the head
 * is another one. Changes that make a revision or a share carry an idempotency key; the end of a project or of its shares is sent once.
 */
import { readExport } from './export-file.ts';
import { pages } from './pages.ts';
import type { CallOptions, Query, Transport, WriteOptions } from './transport.ts';
import type {
  CreateProjectRequest,
  ProjectContentResponse,
  ProjectListResponse,
  ProjectResponse,
  RestoreRevisionRequest,
  RevisionItem,
  RevisionListResponse,
  RevisionResponse,
  SaveProjectRequest,
  ShareProjectRequest,
  SignedRevisionReceipt,
} from './types.ts';

/** The version of the head that a change is for. */
export interface Expecting {
  readonly expectedVersion: number;
}

/** The operations on projects. Every one throws ClientError. */
export interface Projects {
  /** The account's projects without their contents, newest first, page by page. */
  list(options?: CallOptions): AsyncGenerator<ProjectResponse, void, void>;
  /** Creates a project with its first revision. */
  create(request: CreateProjectRequest, options?: WriteOptions): Promise<ProjectResponse>;
  /** A project with the content of its head. */
  get(projectId: string, options?: CallOptions): Promise<ProjectContentResponse>;
  /** Appends a revision, which becomes the head. */
  save(
    projectId: string,
    request: SaveProjectRequest & Expecting,
    options?: WriteOptions,
  ): Promise<ProjectResponse>;
  /** Deletes a project; its shares end. */
  delete(projectId: string, request: Expecting, options?: CallOptions): Promise<void>;
  /** The revisions of a project without their contents, newest first, page by page. */
  revisions(projectId: string, options?: CallOptions): AsyncGenerator<RevisionItem, void, void>;
  /** A revision with its content. */
  revision(projectId: string, version: number, options?: CallOptions): Promise<RevisionResponse>;
  /** How a revision is cited. */
  cite(
    projectId: string,
    version: number,
    format?: 'text' | 'bibtex' | 'csl-json',
    options?: CallOptions,
  ): Promise<string>;
  /** The scene of a revision as a file: a package with its data, or the scene alone where all its data is public. */
  export(
    projectId: string,
    version: number,
    format?: 'mvsx' | 'mvsj',
    options?: CallOptions,
  ): Promise<Uint8Array>;
  /** The signed receipt of a revision. */
  receipt(projectId: string, version: number, options?: CallOptions): Promise<SignedRevisionReceipt>;
  /** Appends a copy of a revision, which becomes the head. */
  restore(
    projectId: string,
    version: number,
    request: RestoreRevisionRequest & Expecting,
    options?: WriteOptions,
  ): Promise<ProjectResponse>;
  /** Shares the head for ever, or a content that is saved first. */
  share(
    projectId: string,
    request: ShareProjectRequest & Expecting,
    options?: WriteOptions,
  ): Promise<ProjectResponse>;
  /** Ends one share, or all shares of a project. */
  revoke(
    projectId: string,
    request: Expecting & { readonly shareId?: string },
    options?: CallOptions,
  ): Promise<ProjectResponse>;
}

const BASE = '/molecular/projects';
const PAGE = 100;

/** Makes the operations over a transport. */
export function createProjects(transport: Transport): Projects {
  return { ...readsOf(transport), ...changesOf(transport) };
}

type Reads = Pick<Projects, 'list' | 'get' | 'revisions' | 'revision' | 'cite' | 'export' | 'receipt'>;

function readsOf(transport: Transport): Reads {
  const read = <T extends object>(path: string, query: Query, { signal }: CallOptions): Promise<T> =>
    transport.json<T>({ method: 'GET', path, query, repeatable: true, signal });
  return {
    list: (options = {}) =>
      pages(
        (cursor) => read<ProjectListResponse>(BASE, { limit: PAGE, cursor }, options),
        ({ projects }) => projects,
      ),
    get: (projectId, options = {}) => read(pathOf(projectId), {}, options),
    revisions: (projectId, options = {}) =>
      pages(
        (cursor) =>
          read<RevisionListResponse>(`${pathOf(projectId)}/revisions`, { limit: PAGE, cursor }, options),
        ({ revisions }) => revisions,
      ),
    revision: (projectId, version, options = {}) => read(revisionPath(projectId, version), {}, options),
    async cite(projectId, version, format = 'text', { signal } = {}) {
      const path = `${revisionPath(projectId, version)}/citation`;
      const { text } = await transport.send({
        method: 'GET',
        path,
        query: { format },
        repeatable: true,
        signal,
      });
      return text;
    },
    export: (projectId, version, format = 'mvsx', options = {}) =>
      readExport(transport, `${revisionPath(projectId, version)}/export`, { format }, options),
    receipt: (projectId, version, options = {}) =>
      read(`${revisionPath(projectId, version)}/receipt`, {}, options),
  };
}

function changesOf(transport: Transport): Omit<Projects, keyof Reads> {
  const write = <T extends object>(
    method: 'POST' | 'PUT',
    path: string,
    body: object,
    { idempotencyKey = crypto.randomUUID(), signal }: WriteOptions,
  ): Promise<T> => {
    const headers = { 'idempotency-key': idempotencyKey };
    return transport.json<T>({ method, path, body, headers, repeatable: true, signal });
  };
  return {
    create: (request, options = {}) => write('POST', BASE, request, options),
    save: (projectId, request, options = {}) => write('PUT', pathOf(projectId), request, options),
    async delete(projectId, { expectedVersion }, { signal } = {}) {
      const query = { expectedVersion };
      await transport.send({ method: 'DELETE', path: pathOf(projectId), query, repeatable: false, signal });
    },
    restore: (projectId, version, request, options = {}) =>
      write('POST', `${revisionPath(projectId, version)}/restore`, request, options),
    share: (projectId, request, options = {}) =>
      write('POST', `${pathOf(projectId)}/shares`, request, options),
    revoke: (projectId, { expectedVersion, shareId }, { signal } = {}) => {
      const query = { expectedVersion, shareId };
      const path = `${pathOf(projectId)}/shares`;
      return transport.json({ method: 'DELETE', path, query, repeatable: false, signal });
    },
  };
}

function pathOf(projectId: string): string {
  return `${BASE}/${encodeURIComponent(projectId)}`;
}

function revisionPath(projectId: string, version: number): string {
  return `${pathOf(projectId)}/revisions/${version}`;
}
