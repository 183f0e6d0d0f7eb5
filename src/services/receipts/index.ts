/** Receipts, as the API reads them. */
import type { DataSource } from 'typeorm';

import { bound } from '../bound.ts';
import { listReceiptKeys } from './keys.ts';
import { readReceipt, readRunReceipt } from './read.ts';
import { readRevisionReceipt } from './revisions.ts';

/** Makes the reads of receipts. */
export function createReceipts(db: DataSource) {
  const read = bound(db);
  return {
    read: read(readReceipt),
    ofRun: read(readRunReceipt),
    ofRevision: read(readRevisionReceipt),
    keys: read(listReceiptKeys),
  };
}
