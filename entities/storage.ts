/** Objects of the store: uploads, the parts of them that jobs pinned, and artifacts. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  defaulted,
  insertTime,
  integer,
  nullable,
  primary,
  text,
  time,
  uuid,
  writeTime,
} from './columns.ts';

/** An uploaded object, announced before its bytes are there. */
export interface StoredObject {
  storageKey: string;
  accountId: string;
  uploadId: string;
  /** The file name as sent; the storage key carries a cleaned form of the name. */
  filename: string;
  contentType: string;
  byteSize: number;
  announcedSha256: string | null;
  sha256: string | null;
  /** The store's ETag of the bytes that have this digest; null where it is not known. */
  etag: string | null;
  projectId: string | null;
  logicalPath: string | null;
  /** UPLOADING: a multipart upload is under way; nothing may use the object yet. */
  state: 'ANNOUNCED' | 'UPLOADING' | 'VERIFIED' | 'DELETED';
  expiresAt: Date | null;
  createdAt: Date;
  verifiedAt: Date | null;
}

/** Table `stored_objects`. */
export const StoredObjectEntity = new EntitySchema<StoredObject>({
  name: 'StoredObject',
  tableName: 'stored_objects',
  columns: {
    storageKey: primary(text),
    accountId: uuid,
    uploadId: uuid,
    filename: text,
    contentType: text,
    byteSize: bigint,
    announcedSha256: nullable(text),
    sha256: nullable(text),
    etag: nullable(text),
    projectId: nullable(uuid),
    logicalPath: nullable(text),
    state: defaulted(text, "'ANNOUNCED'"),
    expiresAt: nullable(time),
    createdAt: insertTime,
    verifiedAt: nullable(time),
  },
});

/** An input that a job named, pinned by its digest. */
export interface JobInputObject {
  jobId: string;
  storageKey: string;
  byteSize: number;
  sha256: string | null;
  /** The file's name inside the job, for a file that the control side fetched itself; else null. */
  name: string | null;
}

/** Table `job_inputs`. */
export const JobInputObjectEntity = new EntitySchema<JobInputObject>({
  name: 'JobInputObject',
  tableName: 'job_inputs',
  columns: {
    jobId: primary(uuid),
    storageKey: primary(text),
    byteSize: bigint,
    sha256: nullable(text),
    name: nullable(text),
  },
});

/** A verified output, or a file that the customer registered for reference. */
export interface Artifact {
  id: string;
  accountId: string;
  jobId: string | null;
  taskKind: 'task' | 'prepare' | 'control' | 'merge' | 'finish' | null;
  taskOrdinal: number | null;
  storageKey: string;
  name: string;
  kind: string;
  label: string | null;
  /** The item of the task that made the output; null for what no task made. */
  itemId: string | null;
  mediaType: string;
  format: string | null;
  byteSize: number;
  sha256: string;
  createdAt: Date;
}

/** Table `artifacts`. */
export const ArtifactEntity = new EntitySchema<Artifact>({
  name: 'Artifact',
  tableName: 'artifacts',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    jobId: nullable(uuid),
    taskKind: nullable(text),
    taskOrdinal: nullable(integer),
    storageKey: text,
    name: text,
    kind: text,
    label: nullable(text),
    itemId: nullable(text),
    mediaType: text,
    format: nullable(text),
    byteSize: bigint,
    sha256: text,
    createdAt: writeTime,
  },
});
