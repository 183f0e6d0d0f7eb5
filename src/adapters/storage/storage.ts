/** The object store as Dockyard uses it. One suite of contract tests runs against every implementation. */
import type { Readable } from 'node:stream';

/** Facts of an object in the store. `sha256` (hex) is set only when the store computed it from the bytes. */
export interface ObjectHead {
  readonly key: string;
  readonly byteSize: number;
  /** The ETag changes with every write of other bytes. */
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly modifiedAt: Date | null;
}

/**
 * The answer of the store to a copy; a field is null where the store does not tell it, and `head` or `hash` tells it.
 */
export interface ObjectCopy {
  readonly byteSize: number | null;
  /** In hex, computed by the store from the bytes of the copy. */
  readonly sha256: string | null;
}

/** Bytes that are made while they are sent, so that they are never in memory as a whole. */
export interface StreamedBody {
  readonly byteSize: number;
  /** In hex; a store that can refuses other bytes. */
  readonly sha256: string;
  /** The bytes from the beginning; a body may be opened again. */
  open(): AsyncIterable<Uint8Array>;
}

/** A presigned request, with the headers that its sender must send unchanged. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresInSeconds: number;
}

/** Terms of a presigned PUT; with a digest the store refuses other bytes. */
export interface PutTerms {
  readonly expiresInSeconds: number;
  readonly contentType?: string;
  readonly byteSize?: number;
  readonly sha256?: string;
}

/** Terms of a download. */
export interface GetTerms {
  readonly expiresInSeconds: number;
  readonly filename?: string;
  readonly contentType?: string;
}

/** Terms of the URL of a part. `checksumSha256` (base64) is set only for uploads in checksum mode. */
export interface PartTerms {
  readonly expiresInSeconds: number;
  readonly byteSize?: number;
  readonly checksumSha256?: string;
}

/** A part that the store holds of an upload that is not complete. */
export interface StoredPart {
  readonly partNumber: number;
  readonly etag: string | null;
  readonly byteSize: number;
  /** In base64, as computed by the store; null where it computes none. */
  readonly checksumSha256: string | null;
}

/** A part as its sender names it at completion. */
export type NamedPart = Pick<StoredPart, 'partNumber' | 'etag' | 'checksumSha256'>;

/** A multipart upload that is neither complete nor aborted. */
export interface OpenMultipart {
  readonly key: string;
  readonly storeUploadId: string;
  readonly startedAt: Date;
}

/** A completion names a part that the store does not hold in this form; the message names the part. */
export class PartMismatchError extends Error {
  override readonly name = 'PartMismatchError';
  readonly partNumber: number | null;

  constructor(partNumber: number | null, message: string) {
    super(message);
    this.partNumber = partNumber;
  }
}

/** The store does not know such a multipart upload, or not any more, and there is no object in its place. */
export class MultipartMissingError extends Error {
  override readonly name = 'MultipartMissingError';
}

/** The object store. Every method may be repeated; a missing object is `null` or nothing, never an exception. */
export interface ObjectStore {
  /** The contract's provider name of single uploads. */
  readonly provider: 'aws-s3' | 'azure-blob';
  /** The most that one signed PUT stores. */
  readonly maxPutBytes: number;
  /** The contract's provider name of multipart uploads. */
  readonly multipartProvider: 'aws' | 'azure';
  /** Bounds of a part; the last one of an upload may be smaller. */
  readonly partLimits: { readonly minBytes: number; readonly maxBytes: number; readonly maxParts: number };
  /** Whether the store refuses a part whose bytes have another SHA-256 than its URL binds. */
  readonly enforcesPartChecksums: boolean;
  signPut(key: string, terms: PutTerms): Promise<SignedRequest>;
  signGet(key: string, terms: GetTerms): Promise<SignedRequest>;
  put(key: string, body: Uint8Array | StreamedBody, contentType: string): Promise<void>;
  head(key: string): Promise<ObjectHead | null>;
  /** Opens an object; `end` is inclusive. The ETag belongs to the very bytes that are streamed. */
  read(
    key: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<{ stream: Readable; byteSize: number; etag: string | null } | null>;
  /**
   * Copies inside the store and answers what the store tells **of the copy**, whatever was said of the source; no byte
   * of the copy passes through this process. Answers null when the source is missing.
   */
  copy(from: string, to: string, contentType: string): Promise<ObjectCopy | null>;
  /** Streams an object and hashes it. `onProgress` gets the bytes read so far. */
  hash(
    key: string,
    onProgress?: (bytes: number) => void,
  ): Promise<{ byteSize: number; sha256: string } | null>;
  /** Keys and sizes under a prefix, in pages of at most 1,000. */
  list(
    prefix: string,
  ): AsyncIterable<readonly { readonly key: string; readonly byteSize: number; readonly modifiedAt: Date }[]>;
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Begins a multipart upload and answers the store's own id of the upload. Not repeatable: each call begins a new
   * upload.
   */
  createMultipart(
    key: string,
    terms: { readonly contentType: string; readonly checksum: 'sha256' | null },
  ): Promise<string>;
  signPart(key: string, storeUploadId: string, partNumber: number, terms: PartTerms): Promise<SignedRequest>;
  /** Stores a part. A store that enforces checksums refuses bytes of another SHA-256 than was computed here; both know it in checksum mode alone. */
  putPart(key: string, storeUploadId: string, partNumber: number, bytes: Uint8Array): Promise<NamedPart>;
  /** All parts by number, however many; null when the store does not know such an upload, or not any more. */
  listParts(key: string, storeUploadId: string): Promise<readonly StoredPart[] | null>;
  /**
   * Makes the object from the named parts, by ascending number. A repetition after a lost answer succeeds.
   * @throws PartMismatchError, MultipartMissingError.
   */
  completeMultipart(
    key: string,
    storeUploadId: string,
    parts: readonly NamedPart[],
  ): Promise<{ readonly etag: string | null }>;
  /** Gives up an upload and its parts. */
  abortMultipart(key: string, storeUploadId: string): Promise<void>;
  /** Multipart uploads that are neither complete nor aborted, in pages. */
  listMultiparts(prefix: string): AsyncIterable<readonly OpenMultipart[]>;
  /** Throws when the store does not answer. */
  ping(): Promise<void>;
}
