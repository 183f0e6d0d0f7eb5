/** Signed receipts of settled executions, and the public keys that they are proven with. */
import { EntitySchema } from 'typeorm';

import { insertTime, integer, primary, text, uuid } from './columns.ts';

/** A receipt as it was signed; it is written once and never changed. */
export interface StoredReceipt {
  jobId: string;
  execution: number;
  keyId: string;
  /** Base64url. */
  signature: string;
  /** The canonical JSON that was signed. */
  document: string;
  issuedAt: Date;
}

/** Table `receipts`. */
export const StoredReceiptEntity = new EntitySchema<StoredReceipt>({
  name: 'StoredReceipt',
  tableName: 'receipts',
  columns: {
    jobId: primary(uuid),
    execution: primary(integer),
    keyId: text,
    signature: text,
    document: text,
    issuedAt: insertTime,
  },
});

/** The public part of a key that signs receipts or has signed some. Keys are never removed, so old receipts can be proven. */
export interface StoredReceiptKey {
  keyId: string;
  /** The 32 bytes of the public key in base64url. */
  publicKey: string;
  createdAt: Date;
}

/** Table `receipt_keys`. */
export const StoredReceiptKeyEntity = new EntitySchema<StoredReceiptKey>({
  name: 'StoredReceiptKey',
  tableName: 'receipt_keys',
  columns: { keyId: primary(text), publicKey: text, createdAt: insertTime },
});
