/**
 * A receipt says what one settled execution of a job was: what was asked for, what went in and came out by digests, how it
 * ran, and what it cost. The service signs the canonical JSON (RFC 8785) of a receipt once; whoever has the receipt, the files
 * and the public key proves all of it without the service.
 */

/** The format of a receipt; a change of meaning gets a new one. */
export const RECEIPT_SCHEMA = 'dockyard.receipt/v1';
