/** Molecular projects as clients see them: a head that moves, revisions that never change, and shares pinned to a revision. */
import type { Answers } from './answers.ts';

/** Most bytes of the canonical JSON of one content. */
export const MOST_CONTENT_BYTES = 5 * 1024 * 1024;

/** A share that nobody has revoked. */
export type ShareRecord = ProjectRecord['shares'][number];

/** A project without its content. */
export type ProjectRecord = Answers['listProjects']['projects'][number];

/** A revision without its content. */
export type RevisionRecord = Answers['listProjectRevisions']['revisions'][number];

/** A record with the canonical JSON of its content. */
export interface WithContent<Record> {
  readonly record: Record;
  readonly content: Buffer;
}

/** A shared revision, as everybody with the token sees it. */
export type SharedRevision = Omit<Answers['getSharedRevision'], 'content'>;
