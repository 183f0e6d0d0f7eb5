/** Terms of an upload for tests that need no HTTP. */
import { v7 as uuidv7 } from 'uuid';

import type { UploadTerms } from '../../src/contracts/upload.ts';
import { uploadKey } from '../../src/services/upload-key.ts';

/** An upload of one part of ten bytes, except for the given fields. */
export function termsOf(accountId: string, more: Partial<UploadTerms> = {}): UploadTerms {
  const uploadId = more.uploadId ?? uuidv7();
  return {
    uploadId,
    accountId,
    storageKey: uploadKey(accountId, uploadId, { filename: 'scene.glb' }),
    filename: 'scene.glb',
    contentType: 'model/gltf-binary',
    byteSize: 10,
    announcedSha256: null,
    projectId: null,
    logicalPath: null,
    jobType: null,
    partSize: 5 * 1024 * 1024,
    partCount: 1,
    checksumAlgorithm: null,
    provider: 'aws',
    quotaBytes: 1_000_000_000,
    fingerprint: 'f'.repeat(64),
    openBy: new Date(Date.now() + 60_000).toISOString(),
    expirySeconds: 7 * 24 * 3600,
    ...more,
  };
}
