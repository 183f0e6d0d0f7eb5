/** Single presigned uploads. */
import { AppError } from '../../src/domain/errors.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { multipartEndpoints } from './multipart-routes.ts';
import { uploadUrlAnswer, uploadUrlBody } from './schemas.ts';

function storageKeyOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 's3Key' in body && typeof body.s3Key === 'string')
    return body.s3Key;
  throw new AppError('INTERNAL_ERROR', 'The upload cannot be repeated. Start a new one with another key.');
}

const createUploadUrl = defineEndpoint({
  method: 'POST',
  path: '/jobs/upload-url',
  operationId: 'createUploadUrl',
  tag: TAGS.uploads,
  summary: 'Get an address to upload a file',
  description:
    'Answers a presigned address for one PUT, and the storage key to submit as sceneFile once the PUT is done.',
  access: 'jobs:write',
  limit: 'write',
  // A presigned address lets anybody use it, so no address is stored: a repeat gets a fresh address for the same storage key.
  idempotency: {
    keep: (body) => ({ s3Key: storageKeyOf(body) }),
    async restore({ uploads }, { actor, body }, kept) {
      return json(200, await uploads.renewUploadUrl(actor, storageKeyOf(kept.body), body));
    },
  },
  headers: [idempotencyHeader],
  body: uploadUrlBody,
  answers: { 200: { description: 'Where to upload the file.', schema: uploadUrlAnswer } },
  errors: ['STORAGE_QUOTA_EXCEEDED', 'UPLOAD_ALREADY_COMPLETE', 'UPLOAD_EXPIRED'],
  async handle({ uploads }, { actor, body, idempotencyKey }) {
    return json(200, await uploads.createUploadUrl(actor, body, idempotencyKey));
  },
});

/** Endpoints of uploads. */
export const uploadEndpoints: readonly Endpoint[] = [createUploadUrl, ...multipartEndpoints];
