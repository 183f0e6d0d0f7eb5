/** Fields of a file that is announced, whatever way it is uploaded. */
import Joi from 'joi';

import { sha256AnyCase, uuid } from '../http/fields.ts';

function projectRelativePath(value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  const segments = value.split('/');
  const bad =
    value.includes('\\') ||
    value.includes('\0') ||
    segments.some((segment) => ['', '.', '..'].includes(segment));
  return bad ? helpers.error('string.logicalPath') : value;
}

/** Name, type, size, and the place in a project. */
export const fileFields = {
  filename: Joi.string()
    .min(1)
    .max(4096)
    .required()
    .description('Name of the file; its last path segment is used.'),
  contentType: Joi.string()
    .min(1)
    .max(255)
    .required()
    .description('Media type of the file, kept for downloads.'),
  size: Joi.number().integer().greater(0).required().description('Size of the file in bytes, above 0.'),
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
};

/** The digest of the whole file. */
export const fileDigest = sha256AnyCase;
