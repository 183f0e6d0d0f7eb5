/**
 * A receipt of a revision says what a revision of a molecular project is: its content by digest, the data that the content names by
 * digests, and the jobs and their receipts that the data came from. It is signed as receipts of jobs are, with the same keys.
 */
import type { SignedReceipt } from './answers.ts';

/** The signature of a receipt: Ed25519 (RFC 8032) over the UTF-8 of its canonical JSON. */
export type ReceiptSignature = SignedReceipt['signature'];

/** The format of a receipt; a change of meaning gets a new one. */
export const REVISION_RECEIPT_SCHEMA = 'dockyard.revision-receipt/v1';

/** A file that the content names. */
export interface RevisionSource {
  readonly artifactId: string;
  readonly name: string;
  readonly byteSize: number;
  readonly sha256: string;
  /** The job that made the file; null for one that was uploaded. */
  readonly jobId: string | null;
}

/** An entry of the archive that the content names, in one version of its file. */
export interface RevisionStructure {
  readonly pdbId: string;
  readonly sha256: string;
}

/** A signed receipt of a job, by the digest of its canonical JSON. */
export interface RevisionJobReceipt {
  readonly execution: number;
  readonly sha256: string;
}

/** A job that made a file which the content names. */
export interface RevisionJob {
  readonly jobId: string;
  /** SHA-256 of the canonical JSON of the request as it was sent. */
  readonly requestSha256: string;
  readonly receipts: RevisionJobReceipt[];
}

/** The part of a receipt of a revision that is signed. */
export interface RevisionReceipt {
  readonly schema: typeof REVISION_RECEIPT_SCHEMA;
  /** The address of the service. */
  readonly issuer: string;
  readonly projectId: string;
  readonly version: number;
  /** The revision whose content this one has again; null where the content was sent. */
  readonly sourceVersion: number | null;
  readonly savedAt: string;
  /** SHA-256 of the canonical JSON (RFC 8785) of the content. */
  readonly contentSha256: string;
  readonly byteSize: number;
  readonly sources: RevisionSource[];
  readonly structures: RevisionStructure[];
  /** Artifacts that the content names and that the account did not have when the receipt was made. */
  readonly missing: string[];
  readonly jobs: RevisionJob[];
}

/** A receipt of a revision with its signature. */
export interface SignedRevisionReceipt {
  readonly receipt: RevisionReceipt;
  readonly signature: ReceiptSignature;
}
