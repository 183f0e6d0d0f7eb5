/** The contract of the upload workflow: start arguments, decisions and messages. Parts are never part of a message. */
import type { ErrorCode } from '../domain/errors.ts';
import type { MultipartCompleteResponse, MultipartInitResponse } from '../domain/answers.ts';

type MultipartProvider = MultipartInitResponse['provider'];
type UploadIntegrity = MultipartCompleteResponse['integrity'];

/** The terms of an upload, which travel in the start arguments of its workflow. */
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
  /** How many bytes the account may store in all. */
  readonly quotaBytes: number;
  /** SHA-256 of the canonical request; a repeat must have the same. */
  readonly fingerprint: string;
  /** ISO time by the database's clock after which the opening is refused. */
  readonly openBy: string;
  /** Nobody can ask for the upload again, because the request had no key: what was not open by `openBy` is given up. */
  readonly isUnnamed?: boolean;
  /** Life of the upload unless it is completed. */
  readonly expirySeconds: number;
}

/** The decision of the opening, for which the update `opened` waits. `replay`: another run has opened the upload. */
export type UploadDecision =
  | {
      readonly kind: 'opened';
      readonly fingerprint: string;
      readonly expiresAt: string;
      readonly replay: boolean;
    }
  | { readonly kind: 'refused'; readonly code: 'STORAGE_QUOTA_EXCEEDED'; readonly message: string }
  | { readonly kind: 'expired' };

/** A request for completion; the API has compared the named parts with those of the store. */
export interface CompletionRequest {
  /** A digest over the parts as the store had them; parts with another digest are not put together. */
  readonly partsSha256: string;
  /** The SHA-256 of the whole file in hex, as the request named it. */
  readonly sha256: string | null;
}

/** The answer to the completion of an upload: the verified object. */
export interface CompletedFile {
  readonly etag: string | null;
  readonly integrity: UploadIntegrity;
  readonly sha256: string | null;
}

/** A refusal of an upload with a code of the API. */
export interface UploadRefusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** End of an upload. */
export type UploadEnd =
  | { readonly state: 'COMPLETED'; readonly file: CompletedFile }
  | ({ readonly state: 'FAILED' | 'ABORTED' | 'EXPIRED' } & UploadRefusal);

/** The outcome of a completion or an abort. `refused`: the upload is still open and may be completed again. */
export type UploadOutcome =
  | { readonly kind: 'ended'; readonly end: UploadEnd }
  | ({ readonly kind: 'refused' } & UploadRefusal);

/** The outcome of putting the parts together. */
export type Assembly =
  | { readonly kind: 'assembled'; readonly sha256: string | null }
  | { readonly kind: 'ended'; readonly end: UploadEnd }
  | ({ readonly kind: 'refused' | 'failed' } & UploadRefusal);

/** The facts with which a continued run goes on, and with which an upload whose workflow is lost is revived. */
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

/** How far the digest of a stored object is computed, so that the next attempt goes on from there. */
export interface HashCheckpoint {
  readonly offset: number;
  /** The state of the digest in base64; only the implementation that `form` names can read the state. */
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
