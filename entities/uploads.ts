/** Multipart uploads, and accounts whose files are to be removed. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  defaulted,
  insertTime,
  integer,
  json,
  nullable,
  primary,
  text,
  time,
  uuid,
} from './columns.ts';

/** A part as it was put together. */
export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string | null;
  readonly byteSize: number;
  /** The SHA-256 of the part, in base64. */
  readonly checksumSha256: string | null;
}

/** A multipart upload; name, type, size and digest of the file are those of its stored object. */
export interface Upload {
  id: string;
  accountId: string;
  storageKey: string;
  state: 'OPENING' | 'OPEN' | 'VERIFYING' | 'COMPLETED' | 'FAILED' | 'ABORTED' | 'EXPIRED';
  provider: 'aws' | 'azure';
  partSize: number;
  partCount: number;
  checksumAlgorithm: 'sha256' | null;
  /** A hint of the customer about the jobs that the file is for. */
  jobType: string | null;
  /** SHA-256 of the canonical request; a repeat must have the same. */
  fingerprint: string;
  /** The first run of the workflow that opened it. */
  firstRunId: string;
  storeUploadId: string | null;
  /** The parts are recorded before the store puts the parts together, so that a repeated completion knows them. */
  parts: UploadedPart[] | null;
  partsSha256: string | null;
  etag: string | null;
  integrity: 'parts-sha256' | 'size' | null;
  endCode: string | null;
  endMessage: string | null;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  /** When an upload that was not completed was found to have nothing left, after the last address for it had ended. */
  clearedAt: Date | null;
}

/** Table `uploads`. */
export const UploadEntity = new EntitySchema<Upload>({
  name: 'Upload',
  tableName: 'uploads',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    storageKey: text,
    state: defaulted(text, "'OPENING'"),
    provider: text,
    partSize: bigint,
    partCount: integer,
    checksumAlgorithm: nullable(text),
    jobType: nullable(text),
    fingerprint: text,
    firstRunId: text,
    storeUploadId: nullable(text),
    parts: nullable(json),
    partsSha256: nullable(text),
    etag: nullable(text),
    integrity: nullable(text),
    endCode: nullable(text),
    endMessage: nullable(text),
    createdAt: insertTime,
    expiresAt: time,
    endedAt: nullable(time),
    clearedAt: nullable(time),
  },
});

/** An account whose files are to be removed. */
export interface AccountRemoval {
  accountId: string;
  requestedAt: Date;
  /** When the account was found to have no files left, after the last address that could store a file had ended. */
  sweptAt: Date | null;
}

/** Table `account_removals`. */
export const AccountRemovalEntity = new EntitySchema<AccountRemoval>({
  name: 'AccountRemoval',
  tableName: 'account_removals',
  columns: { accountId: primary(uuid), requestedAt: insertTime, sweptAt: nullable(time) },
});
