/** Single presigned uploads: request and answer. */
import Joi from 'joi';

import type { UploadUrlRequest } from '../../src/domain/requests.ts';
import { fileDigest, fileFields, fileRules } from './file-fields.ts';

/** POST /jobs/upload-url. */
export const uploadUrlBody = Joi.object<UploadUrlRequest, true>({
  ...fileFields,
  sha256: fileDigest.description('SHA-256 of the whole file, 64 hex characters; the store checks it.'),
})
  .and('projectId', 'logicalPath')
  .meta(fileRules)
  .description('The file to upload.');

/** The answer of POST /jobs/upload-url. */
export const uploadUrlAnswer = Joi.object({
  uploadUrl: Joi.string().uri().required().description('Presigned address for one PUT of the file.'),
  s3Key: Joi.string().required().description('Storage key of the file, to send as sceneFile.'),
  method: Joi.string().valid('PUT').required().description('Method to use: always PUT.'),
  expiresIn: Joi.number().greater(0).required().description('Life of the address in seconds.'),
  headers: Joi.object<Readonly<Record<string, string>>>()
    .pattern(Joi.string(), Joi.string())
    .description('Headers to send with the PUT.'),
  provider: Joi.string().valid('aws-s3', 'azure-blob').required().description('Kind of the store.'),
}).description('Where to upload the file.');
