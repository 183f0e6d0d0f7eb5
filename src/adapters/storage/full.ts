import { S3ServiceException } from '@aws-sdk/client-s3';

import { tellsFullStore } from '../../domain/full-store.ts';

/** Whether an operation failed because the store has no room. */
export function isStoreFull(error: unknown): boolean {
  return error instanceof S3ServiceException && tellsFullStore(error.$metadata.httpStatusCode, error.name);
}
