/**
 * A receipt of a revision says what a revision of a molecular project is: its content by digest, the data that the content names by
 * digests, and the jobs and their receipts that the data came from. It is signed as receipts of jobs are, with the same keys.
 */
import type { SignedReceipt, SignedRevisionReceipt } from './answers.ts';

export type { SignedRevisionReceipt };

/** The signature of a receipt: Ed25519 (RFC 8032) over the UTF-8 of its canonical JSON. */
export type ReceiptSignature = SignedReceipt['signature'];

/** The format of a receipt; a change of meaning gets a new one. */
export const REVISION_RECEIPT_SCHEMA = 'dockyard.revision-receipt/v1';

/** The part of a receipt of a revision that is signed. */
export type RevisionReceipt = SignedRevisionReceipt['receipt'];

/** A file that the content names. */
export type RevisionSource = RevisionReceipt['sources'][number];

/** An entry of the archive that the content names, in one version of its file. */
export type RevisionStructure = RevisionReceipt['structures'][number];

/** A job that made a file which the content names. */
export type RevisionJob = RevisionReceipt['jobs'][number];
