/**
 * Multipart uploads: the requests and answers of the contract, and the pure rules about parts. A part counts as
 * received only when the store has the part with its exact size.
 */

/** How many part URLs the answer of an init contains, and the most parts that one request for URLs may name. */
export const PART_URLS_PER_REQUEST = 1_000;

/** The most parts that an upload has; a requested part size is raised until this number of parts is enough. */
export const MAX_PARTS = 10_000;

/** The part size of an upload whose request names none. */
export const DEFAULT_PART_BYTES = 8 * 1024 * 1024;

const PART_STEP_BYTES = 1024 * 1024;

/** States of a multipart upload. OPENING until the store knows it, VERIFYING while the whole object is hashed. */
export const UPLOAD_STATES = [
  'OPENING',
  'OPEN',
  'VERIFYING',
  'COMPLETED',
  'FAILED',
  'ABORTED',
  'EXPIRED',
] as const;

/** The state of a multipart upload. */
export type UploadState = (typeof UPLOAD_STATES)[number];

/** POST /uploads. */
export interface MultipartInitRequest {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly partSize?: number;
  readonly sha256?: string;
  readonly projectId?: string;
  readonly logicalPath?: string;
  readonly jobType?: string;
  readonly checksumAlgorithm?: 'sha256';
}

/** POST /uploads/{uploadId}/parts. */
export interface MultipartPartUrlsRequest {
  readonly parts: { readonly partNumber: number; readonly checksumSha256?: string }[];
}

/** A part as a completion names it. */
export interface NamedPart {
  readonly partNumber: number;
  readonly etag?: string;
  readonly checksumSha256?: string;
}

/** POST /uploads/{uploadId}/complete. */
export interface MultipartCompleteRequest {
  readonly parts: NamedPart[];
  readonly sha256?: string;
}

/** Query of GET /uploads. */
export interface UploadListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly state: 'open' | 'completed';
  readonly projectId?: string;
  readonly sha256?: string;
}

/** The bounds of a store on the parts of an upload. */
export interface PartLimits {
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly maxParts: number;
}

/** Division of a file into parts. */
export interface PartPlan {
  readonly partSize: number;
  readonly partCount: number;
}

/**
 * Cuts a file into parts: the requested part size, within the limits of the store, raised until the number of parts is
 * enough. Answers null when the file is too large.
 */
export function planParts(size: number, asked: number | undefined, limits: PartLimits): PartPlan | null {
  const maxParts = Math.min(MAX_PARTS, limits.maxParts);
  const least = Math.max(limits.minBytes, Math.ceil(size / maxParts));
  const wanted = Math.min(asked ?? DEFAULT_PART_BYTES, limits.maxBytes);
  // A part size that had to be raised is a whole number of mebibytes where that is possible.
  const raised = Math.min(limits.maxBytes, Math.ceil(least / PART_STEP_BYTES) * PART_STEP_BYTES);
  const partSize = wanted >= least ? wanted : raised;
  return partSize < least ? null : { partSize, partCount: Math.ceil(size / partSize) };
}

/** The exact size of a part; the last one may be smaller. */
export function partBytes(plan: PartPlan, size: number, partNumber: number): number {
  return partNumber < plan.partCount ? plan.partSize : size - plan.partSize * (plan.partCount - 1);
}

/** The slowest speed, in bytes a second, at which a verification still waits for a store. */
const SLOWEST_READING = 20_000_000;
const HOUR_MS = 3_600_000;

/**
 * How many milliseconds the verification of a file may take beyond the end of its upload. A completion that came in
 * time is carried out, however large the file is; a store that refuses for ever does not keep the upload open.
 */
export function readingAllowanceMs(byteSize: number): number {
  return HOUR_MS + Math.ceil(byteSize / SLOWEST_READING) * 1000;
}
