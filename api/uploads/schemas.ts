/** Single presigned uploads: request and answer. */
import Joi from 'joi';

import type { UploadUrlRequest } from '../../src/domain/requests.ts';
import type { UploadUrlResponse } from '../../src/domain/responses.ts';
import { sha256AnyCase, uuid } from '../http/fields.ts';

function projectRelativePath(value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  const segments = value.split('/');
  const bad =
    value.includes('\\') ||
    value.includes('\0') ||
    segments.some((segment) => ['', '.', '..'].includes(segment));
  return bad ? helpers.error('string.logicalPath') : value;
}

/** POST /jobs/upload-url. */
export const uploadUrlBody = Joi.object<UploadUrlRequest, true>({
  filename: Joi.string()
    .min(1)
    .max(4096)
    .required()
    .description('Name of the file; its last path segment is used.'),
  contentType: Joi.string()
    .min(1)
    .max(255)
    .required()
    .description('Media type of the file, sent with the PUT.'),
  size: Joi.number().integer().greater(0).required().description('Size of the file in bytes, above 0.'),
  sha256: sha256AnyCase.description('SHA-256 of the whole file, 64 hex characters; the store checks it.'),
  projectId: uuid.description('Project that the file belongs to; needs logicalPath.'),
  logicalPath: Joi.string()
    .min(1)
    .max(1024)
    .custom(projectRelativePath)
    .messages({
      'string.logicalPath':
        '{{#label}} must be a relative POSIX path without empty, . or .. segments, backslashes and NUL',
    })
    .description('Path of the file within the project; needs projectId.'),
})
  .and('projectId', 'logicalPath')
  .description('The file to upload.');

/** The answer of POST /jobs/upload-url. */
export const uploadUrlAnswer = Joi.object<UploadUrlResponse, true>({
  uploadUrl: Joi.string().uri().required().description('Presigned address for one PUT of the file.'),
  s3Key: Joi.string().required().description('Storage key of the file, to send as sceneFile.'),
  method: Joi.string().valid('PUT').required().description('Method to use: always PUT.'),
  expiresIn: Joi.number().greater(0).required().description('Life of the address in seconds.'),
  headers: Joi.object<Readonly<Record<string, string>>>()
    .pattern(Joi.string(), Joi.string())
    .description('Headers to send with the PUT.'),
  provider: Joi.string().valid('aws-s3', 'azure-blob').required().description('Kind of the store.'),
}).description('Where to upload the file.');
