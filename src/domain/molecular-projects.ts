/** Molecular projects as clients see them: a head that moves, revisions that never change, and shares pinned to a revision. */
/** Most bytes of the canonical JSON of one content. */
export const MOST_CONTENT_BYTES = 5 * 1024 * 1024;

/** A share that nobody has revoked. */
export interface ShareRecord {
  readonly shareId: string;
  /** The revision that the share shows for ever. */
  readonly version: number;
  readonly token: string;
  /** The page of the share, relative to the address of the service. */
  readonly link: string;
  readonly createdAt: string;
}

/** A project without its content. */
export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The version of the head. */
  readonly currentVersion: number;
  /** SHA-256 of the canonical JSON (RFC 8785) of the head's content. */
  readonly contentSha256: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The newest share; null without one. */
  readonly share: ShareRecord | null;
  /** All shares that nobody has revoked, newest first. */
  readonly shares: readonly ShareRecord[];
}

/** A revision without its content. */
export interface RevisionRecord {
  readonly projectId: string;
  readonly version: number;
  readonly contentSha256: string;
  readonly byteSize: number;
  readonly message: string;
  /** The revision that was restored; null for every other one. */
  readonly sourceVersion: number | null;
  readonly createdAt: string;
}

/** A record with the canonical JSON of its content. */
export interface WithContent<Record> {
  readonly record: Record;
  readonly content: Buffer;
}

/** A shared revision, as everybody with the token sees it. */
export type SharedRevision = Pick<ProjectRecord, 'name' | 'description'> &
  Pick<RevisionRecord, 'version' | 'contentSha256' | 'byteSize' | 'createdAt'>;
