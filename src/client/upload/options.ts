/** Options and result of an upload, and one file on its way between the two. */
import type { components } from '../api-types.ts';
import type { UploadApi } from './api.ts';
import type { SourceFile } from './identity.ts';
import type { UploadProgress } from './meter.ts';
import type { Putter } from './put.ts';

/** A file to upload. */
export interface FileUpload {
  readonly path: string;
  readonly contentType?: string;
  /** Name that the service keeps; the file's own by default. */
  readonly filename?: string;
  /** Project package that the file belongs to; with `logicalPath`. */
  readonly projectId?: string;
  /** Place of the file in the package, such as `textures/wood.png`; with `projectId`. */
  readonly logicalPath?: string;
}

export interface UploadOptions {
  /** Ends the upload; what was sent is kept and the next call goes on from there. */
  readonly signal?: AbortSignal;
  /** Key of the start; a fresh one by default. */
  readonly idempotencyKey?: string;
  /** The store checks the SHA-256 of every part, where it can (S3). */
  readonly checksum?: boolean;
  /** The service reads the stored file once more and compares its SHA-256. By default where `checksum` is off. */
  readonly verifyWhole?: boolean;
  /** Bytes of a part; 8 MiB by default. The service raises it for very large files. */
  readonly partSize?: number;
  /** Parts under way at once, as far as memory allows; a busy store halves the number for a while. 16 by default. */
  readonly concurrency?: number;
  /**
   * Folder for what a killed process needs to go on; `~/.local/state/dockyard/uploads` by default. Null: nothing is
   * kept, and an upload that fails is aborted.
   */
  readonly stateFolder?: string | null;
  /** A file that is stored already is not sent again. */
  readonly skipStored?: boolean;
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** How far the stored bytes are proven: by the digest of the object, by those of its parts, or by their number. */
export type UploadIntegrity =
  | 'object-sha256'
  | components['schemas']['MultipartCompleteResponse']['integrity'];

/** An uploaded file; `storageKey` is what a job names. */
export interface UploadedFile {
  readonly storageKey: string;
  readonly byteSize: number;
  /** Of the whole file, as it was read here. */
  readonly sha256: string;
  readonly integrity: UploadIntegrity;
  /** The file was stored already, and nothing was sent. */
  readonly skipped: boolean;
  /** Bytes that were not sent again because an earlier attempt had stored them. */
  readonly resumedBytes: number;
}

/** Largest file that goes up by one PUT, and the usual size of a part. */
export const USUAL_PART_BYTES = 8 * 1024 * 1024;
/** Parts under way at once when the caller says nothing. */
export const USUAL_CONCURRENCY = 16;
/** Media type of what nobody described. */
export const USUAL_CONTENT_TYPE = 'application/octet-stream';

/** Request to the service for a file, with every default applied. */
export interface UploadWish {
  readonly filename: string;
  readonly contentType: string;
  readonly projectId: string | null;
  readonly logicalPath: string | null;
  readonly checksum: boolean;
  readonly verifyWhole: boolean;
  readonly partSize: number | null;
  readonly idempotencyKey: string | null;
}

/** One file on its way: what it is, what is asked for it, and the ways to the service and to the store. */
export interface Transfer {
  readonly api: UploadApi;
  readonly putter: Putter;
  readonly source: SourceFile;
  readonly wish: UploadWish;
  readonly options: Pick<UploadOptions, 'concurrency' | 'onProgress' | 'skipStored'>;
  readonly signal: AbortSignal;
}
