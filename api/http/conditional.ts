/** Entity tags and long polls: a client that has the present version gets 304, at once or after the wait it asked for. */
import type { StatusWait, VersionedStatus } from '../../src/services/jobs/status.ts';
import type { Answer } from './endpoint.ts';
import { json } from './endpoint.ts';

const MAX_WAIT_SECONDS = 25;
const TAG = /^(?:W\/)?"([^"]*)"$/;
const WAIT = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i;

/** The versions in an If-None-Match header. */
export function knownVersions(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header.split(',').flatMap((part) => TAG.exec(part.trim())?.[1] ?? []);
}

/** The wait that a Prefer header asks for, at most 25 s; null without one. */
export function preferredWait(header: string | undefined): number | null {
  const seconds = WAIT.exec(header ?? '')?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}

/** Reads a status under the conditions of the request. */
export async function conditionalStatus(
  headers: Readonly<Record<string, string | undefined>>,
  read: (wait: StatusWait) => Promise<VersionedStatus>,
): Promise<Answer<VersionedStatus['status']>> {
  const known = knownVersions(headers['if-none-match']);
  const waitSeconds = preferredWait(headers.prefer);
  const [knownVersion] = known;
  const { version, status } = await read({
    ...(knownVersion === undefined ? {} : { knownVersion }),
    ...(waitSeconds === null ? {} : { waitSeconds }),
  });
  const answered = {
    // The tag is weak, because the expected end of the job is computed anew for every answer.
    ETag: `W/"${version}"`,
    'Cache-Control': 'private, no-cache',
    ...(waitSeconds === null ? {} : { 'Preference-Applied': `wait=${waitSeconds}` }),
  };
  return known.includes(version) || headers['if-none-match']?.trim() === '*'
    ? { status: 304, headers: answered }
    : json(200, status, answered);
}
