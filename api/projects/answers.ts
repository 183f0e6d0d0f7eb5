/** Answers about projects: a content goes out as it is stored, and the version that a change expects may stand in two places. */
import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { ProjectRecord, WithContent } from '../../src/domain/molecular-projects.ts';
import { knownVersions } from '../http/conditional.ts';
import type { Answer, EndpointRequest } from '../http/endpoint.ts';
import { json } from '../http/endpoint.ts';
import type { Expecting } from './schemas.ts';

/** Where projects are found. */
export const PROJECTS = '/api/v1/molecular/projects';

/** The version that a change expects. @throws VALIDATION_ERROR when there is none, or two that differ. */
export function expectedVersionOf(query: Expecting, body: Expecting): number {
  const sent = [
    ...new Set([query.expectedVersion, body.expectedVersion].filter((each) => each !== undefined)),
  ];
  const [version] = sent;
  if (version === undefined)
    throw new AppError('VALIDATION_ERROR', 'expectedVersion: is required, in the body or in the query');
  if (sent.length > 1)
    throw new AppError('VALIDATION_ERROR', 'expectedVersion: must be the same in the body and in the query');
  return version;
}

/** A change of a head, as the service takes it. The version belongs to the request, wherever it stands. @throws VALIDATION_ERROR. */
export function changeOf<Body extends Expecting>({
  query,
  body,
  fingerprint,
  idempotencyKey,
}: Pick<
  EndpointRequest<unknown, Expecting, Body, Actor>,
  'query' | 'body' | 'fingerprint' | 'idempotencyKey'
>) {
  const expectedVersion = expectedVersionOf(query, body);
  return {
    body: { ...body, expectedVersion },
    fingerprint: `${fingerprint} ${expectedVersion}`,
    idempotencyKey: idempotencyKey ?? '',
  };
}

/** A project after a change. */
export function changed(
  status: 200 | 201,
  { project, replayed }: { readonly project: ProjectRecord; readonly replayed: boolean },
): Answer<ProjectRecord> {
  return json(status, project, {
    ...(status === 201 ? { Location: `${PROJECTS}/${project.id}` } : {}),
    ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
  });
}

/** A record with its content, or 304 where the client has it. The bytes of the content are not parsed on their way. */
export function withContent<Record extends object>(
  { record, content }: WithContent<Record>,
  tag: string,
  sent: string | undefined,
  headers: Readonly<{ [name: string]: string }> = {},
): Answer<never> {
  const told = { ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache', ...headers };
  if (sent?.trim() === '*' || knownVersions(sent).includes(tag)) return { status: 304, headers: told };
  const members = Buffer.from(JSON.stringify(record).slice(0, -1));
  const body = Buffer.concat([members, Buffer.from(',"content":'), content, Buffer.from('}')]);
  return { status: 200, body, headers: told };
}
