/** Multipart uploads: start, follow, get part addresses, complete, abort. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import {
  completeAnswer,
  completeBody,
  multipartInitAnswer,
  multipartInitBody,
  multipartStatusAnswer,
  partUrlsAnswer,
  partUrlsBody,
  uploadListAnswer,
  uploadListQuery,
  uploadPath,
  uploadUsageAnswer,
} from './multipart-schemas.ts';

/** The limit of a completion, which may name 10,000 parts with ETag and digest. */
const COMPLETE_BODY_BYTES = 4 * 1024 * 1024;

const ENDED = ['UPLOAD_EXPIRED', 'UPLOAD_ABORTED'] as const;

const initUpload = defineEndpoint({
  method: 'POST',
  path: '/uploads',
  operationId: 'initMultipartUpload',
  tag: TAGS.uploads,
  summary: 'Start a multipart upload',
  description:
    'Reserves room and answers how the file is cut into parts, with addresses for the first 1,000. With checksumAlgorithm each address is fetched with the digest of its part. The upload ends by itself after 7 days.',
  access: 'any',
  limit: 'write',
  // The upload's row holds the key and the request. The API stores no answer, because an answer has presigned addresses.
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: multipartInitBody,
  answers: {
    201: {
      description: 'The upload is open.',
      schema: multipartInitAnswer,
      headers: {
        Location: 'Path of the upload.',
        'Idempotency-Replayed': 'true when an earlier request with this key started the upload.',
      },
    },
  },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'STORAGE_QUOTA_EXCEEDED', ...ENDED, 'UPLOAD_ALREADY_COMPLETE'],
  async handle({ uploads }, { actor, body, fingerprint, idempotencyKey }) {
    const { replayed, response } = await uploads.init(actor, { body, fingerprint, idempotencyKey });
    const location = { Location: `/api/v1/uploads/${response.uploadId}` };
    return json(201, response, replayed ? { ...location, 'Idempotency-Replayed': 'true' } : location);
  },
});

const listUploads = defineEndpoint({
  method: 'GET',
  path: '/uploads',
  operationId: 'listUploads',
  tag: TAGS.uploads,
  summary: 'List uploads',
  description:
    'Multipart uploads of the account that are under way, or verified files; of a path in a project the file that was completed last.',
  access: 'any',
  limit: 'read',
  idempotency: 'none',
  query: uploadListQuery,
  answers: { 200: { description: 'A page of uploads.', schema: uploadListAnswer } },
  errors: [],
  async handle({ uploads }, { actor, query }) {
    return json(200, await uploads.list(actor, query));
  },
});

const getUpload = defineEndpoint({
  method: 'GET',
  path: '/uploads/:uploadId',
  operationId: 'getMultipartUpload',
  tag: TAGS.uploads,
  summary: 'Read how far an upload is',
  description:
    'Asks the store which parts it has. A part counts when its size is exact; what its bytes are, only its ETag or its digest tells.',
  access: 'any',
  limit: 'read',
  idempotency: 'none',
  params: uploadPath,
  answers: { 200: { description: 'How far the upload is.', schema: multipartStatusAnswer } },
  errors: [...ENDED],
  async handle({ uploads }, { actor, params }) {
    return json(200, await uploads.status(actor, params.uploadId));
  },
});

const createPartUrls = defineEndpoint({
  method: 'POST',
  path: '/uploads/:uploadId/parts',
  operationId: 'createPartUrls',
  tag: TAGS.uploads,
  summary: 'Get addresses for parts',
  description:
    'Presigned addresses for up to 1,000 parts, each for the PUT of exactly its bytes; also in place of ones that have expired.',
  access: 'any',
  limit: 'part-urls',
  // This call stores and changes nothing: a repeated call mints fresh addresses.
  idempotency: 'anew',
  headers: [idempotencyHeader],
  params: uploadPath,
  body: partUrlsBody,
  answers: { 200: { description: 'Where to send the parts.', schema: partUrlsAnswer } },
  errors: ['PART_CHECKSUM_REQUIRED', 'PART_CHECKSUM_FORBIDDEN', 'UPLOAD_ALREADY_COMPLETE', ...ENDED],
  async handle({ uploads }, { actor, params, body }) {
    return json(200, await uploads.partUrls(actor, params.uploadId, body));
  },
});

const completeUpload = defineEndpoint({
  method: 'POST',
  path: '/uploads/:uploadId/complete',
  operationId: 'completeMultipartUpload',
  tag: TAGS.uploads,
  summary: 'Complete an upload',
  description:
    'Puts the parts together and releases the storage key. A digest of the whole file is held against the stored bytes first; when that takes long the answer is 503, and repeating the call gives the one answer. An upload that was completed without a digest is answered 409 when a later call names one that nobody has compared with the stored bytes.',
  access: 'any',
  limit: 'write',
  // The upload's row holds its one answer, with or without a key. The API stores the answer under the key as well, so that
  // a key that comes with another body is refused.
  idempotency: 'stored',
  headers: [idempotencyHeader],
  bodyLimitBytes: COMPLETE_BODY_BYTES,
  params: uploadPath,
  body: completeBody,
  answers: { 200: { description: 'The file is stored.', schema: completeAnswer } },
  errors: [
    'PART_CHECKSUM_REQUIRED',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_ALREADY_COMPLETE',
    'SIZE_MISMATCH',
    'CHECKSUM_MISMATCH',
    ...ENDED,
  ],
  async handle({ uploads }, { actor, params, body }) {
    return json(200, await uploads.complete(actor, params.uploadId, body));
  },
});

const abortUpload = defineEndpoint({
  method: 'DELETE',
  path: '/uploads/:uploadId',
  operationId: 'abortMultipartUpload',
  tag: TAGS.uploads,
  summary: 'Abort an upload',
  description: 'Removes the parts and gives the reserved room back. Aborting again answers the same.',
  access: 'any',
  limit: 'write',
  idempotency: 'none',
  params: uploadPath,
  answers: { 204: { description: 'The upload is aborted.' } },
  errors: ['UPLOAD_ALREADY_COMPLETE'],
  async handle({ uploads }, { actor, params }) {
    await uploads.abort(actor, params.uploadId);
    return { status: 204 };
  },
});

const getUsage = defineEndpoint({
  method: 'GET',
  path: '/uploads/usage',
  operationId: 'getUploadUsage',
  tag: TAGS.uploads,
  summary: 'Read how much is stored',
  description:
    'What the files of the account take, what is reserved for open uploads, and the quota of the plan.',
  access: 'any',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The room of the account.', schema: uploadUsageAnswer } },
  errors: [],
  async handle({ uploads }, { actor }) {
    return json(200, await uploads.usage(actor));
  },
});

const deleteFile = defineEndpoint({
  method: 'DELETE',
  path: '/uploads/:uploadId/file',
  operationId: 'deleteUploadedFile',
  tag: TAGS.uploads,
  summary: 'Delete a stored file',
  description:
    'Removes the file of a completed upload, whichever way it came, and gives its room back. Refused while an open job, an experiment, the library of a batch or a kept revision of a project needs it. Deleting again answers the same.',
  access: 'jobs:write',
  limit: 'write',
  idempotency: 'none',
  params: uploadPath,
  answers: { 204: { description: 'The file is deleted.' } },
  errors: ['UPLOAD_INCOMPLETE', 'FILE_IN_USE'],
  async handle({ uploads }, { actor, params }) {
    await uploads.removeFile(actor, params.uploadId);
    return { status: 204 };
  },
});

/** Endpoints of multipart uploads. */
export const multipartEndpoints: readonly Endpoint[] = [
  initUpload,
  listUploads,
  getUsage,
  getUpload,
  createPartUrls,
  completeUpload,
  abortUpload,
  deleteFile,
];
