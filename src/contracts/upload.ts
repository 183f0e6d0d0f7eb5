/** The contract of the upload workflow: start arguments, decisions and messages. Parts never travel through it. */
import type { ErrorCode } from '../domain/errors.ts';
import type { MultipartProvider, UploadIntegrity } from '../domain/uploads.ts';

/** Everything that opening an upload needs; travels in the workflow's start arguments. */
export interface UploadTerms {
  readonly uploadId: string;
  readonly accountId: string;
  readonly storageKey: string;
  readonly filename: string;
  readonly contentType: string;
  readonly byteSize: number;
  /** Hex. */
  readonly announcedSha256: string | null;
  readonly projectId: string | null;
  readonly logicalPath: string | null;
  readonly jobType: string | null;
  readonly partSize: number;
  readonly partCount: number;
  readonly checksumAlgorithm: 'sha256' | null;
  readonly provider: MultipartProvider;
  /** What the account may store in all. */
  readonly quotaBytes: number;
  /** SHA-256 of the canonical request; a repeat must have the same. */
  readonly fingerprint: string;
  /** ISO time by the database's clock after which the opening is refused. */
  readonly openBy: string;
  /** Life of the upload unless it is completed. */
  readonly expirySeconds: number;
}

/** What the opening came to; the update `opened` only waits for it. `replay`: another run of the workflow opened it. */
export type UploadDecision =
  | {
      readonly kind: 'opened';
      readonly fingerprint: string;
      readonly expiresAt: string;
      readonly replay: boolean;
    }
  | { readonly kind: 'refused'; readonly code: 'STORAGE_QUOTA_EXCEEDED'; readonly message: string }
  | { readonly kind: 'expired' };

/** What is asked of a completion; the API has compared the named parts with the store's. */
export interface CompletionRequest {
  /** Digest over the parts as the store had them; others are not put together. */
  readonly partsSha256: string;
  /** Digest of the whole file in hex, as the request named it. */
  readonly sha256: string | null;
}

/** What the verified object is answered by. */
export interface CompletedFile {
  readonly etag: string | null;
  readonly integrity: UploadIntegrity;
  readonly sha256: string | null;
}

/** A refusal with a code of the API. */
export interface UploadRefusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** How an upload ended. */
export type UploadEnd =
  | { readonly state: 'COMPLETED'; readonly file: CompletedFile }
  | ({ readonly state: 'FAILED' | 'ABORTED' | 'EXPIRED' } & UploadRefusal);

/** What a completion or an abort came to. `refused`: the upload is still open and may be completed again. */
export type UploadOutcome =
  { readonly kind: 'ended'; readonly end: UploadEnd } | ({ readonly kind: 'refused' } & UploadRefusal);

/** What putting the parts together came to. */
export type Assembly =
  | { readonly kind: 'assembled'; readonly sha256: string | null }
  | { readonly kind: 'ended'; readonly end: UploadEnd }
  | ({ readonly kind: 'refused' | 'failed' } & UploadRefusal);

/** What a continued run needs, and what revives an upload whose workflow is lost. */
export interface UploadCarry {
  readonly uploadId: string;
  readonly partCount: number;
  readonly byteSize: number;
  readonly provider: MultipartProvider;
  readonly expiresAt: string;
  readonly decision: UploadDecision;
}

/** The upload workflow's input. */
export interface UploadInput {
  readonly maxHistoryEvents: number;
  readonly start:
    | { readonly kind: 'open'; readonly terms: UploadTerms }
    | { readonly kind: 'continue'; readonly carry: UploadCarry };
}

/** The upload workflow's result. */
export interface UploadResult {
  readonly decision: UploadDecision['kind'];
  readonly state: UploadEnd['state'] | null;
}

/** How far the digest of a stored object is computed: where the next attempt goes on. */
export interface HashCheckpoint {
  readonly offset: number;
  /** The state of the digest in base64; its form belongs to the implementation that is named with it. */
  readonly state: string;
  readonly form: 'hash-wasm-4';
}

/** Names of the updates and queries of the upload workflow. */
export const UPLOAD_MESSAGES = {
  /** Update: waits for the opening's decision; takes no argument. */
  opened: 'opened',
  /** Update: a `CompletionRequest`; waits for its `UploadOutcome`. */
  complete: 'complete',
  /** Update: waits for the `UploadOutcome`. */
  abort: 'abort',
  /** Query: the Markdown that is the current details. */
  details: 'details',
} as const;
