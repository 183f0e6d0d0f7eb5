/** The object store as Dockyard uses it. One contract test suite runs against every implementation. */
import type { Readable } from 'node:stream';

/** What the store knows of an object. `sha256` (hex) only when the store computed it from the bytes. */
export interface ObjectHead {
  readonly key: string;
  readonly byteSize: number;
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly contentType: string | null;
}

/** A presigned request, with the headers that its sender must send unchanged. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresInSeconds: number;
}

/** What a presigned PUT binds: the store refuses other bytes when a digest is named. */
export interface PutTerms {
  readonly expiresInSeconds: number;
  readonly contentType?: string;
  readonly byteSize?: number;
  readonly sha256?: string;
}

/** How a download is presented. */
export interface GetTerms {
  readonly expiresInSeconds: number;
  readonly filename?: string;
  readonly contentType?: string;
}

/** The object store. Every method may be repeated; a missing object is `null` or nothing, never an exception. */
export interface ObjectStore {
  /** The contract's provider name of single uploads. */
  readonly provider: 'aws-s3' | 'azure-blob';
  signPut(key: string, terms: PutTerms): Promise<SignedRequest>;
  signGet(key: string, terms: GetTerms): Promise<SignedRequest>;
  put(key: string, body: Uint8Array, contentType: string): Promise<void>;
  head(key: string): Promise<ObjectHead | null>;
  /** Opens an object; `end` inclusive. */
  read(
    key: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<{ stream: Readable; byteSize: number } | null>;
  /**
   * Copies inside the store and answers the digest (hex) **of the copy's bytes**, re-hashed by streaming where the
   * store does not compute it; null when the source is missing.
   */
  copy(from: string, to: string, contentType: string): Promise<string | null>;
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
  /** Throws when the store does not answer. */
  ping(): Promise<void>;
}
