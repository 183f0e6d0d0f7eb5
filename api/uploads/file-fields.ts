/** Fields of a file that is announced, whatever way it is uploaded. */
import Joi from 'joi';

import { characters, sha256AnyCase, uuid } from '../http/fields.ts';
import { inDocument } from '../http/in-document.ts';

/** Segments with one slash between them; no segment is empty, `.` or `..`, or has a backslash or NUL. */
const RELATIVE_PATH = /^(?!\.{1,2}(?:\/|$))[^/\\\u0000]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\u0000]+)*$/u;

/** Texts that a header can carry: printable ASCII that neither starts nor ends with a space. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Rules over fields of a file, for the document. */
export const fileRules = inDocument({
  dependentRequired: { projectId: ['logicalPath'], logicalPath: ['projectId'] },
});

/** Name, type and size of a file, and its place in a project. */
export const fileFields = {
  filename: characters(1, 4096)
    .required()
    .description('Name of the file, 1 to 4096 characters; its last path segment is used.'),
  contentType: characters(1, 255)
    .pattern(HEADER_TEXT, { name: 'media type in printable ASCII' })
    .required()
    .description(
      'Media type of the file, kept for downloads: 1 to 255 printable ASCII characters, without spaces at its ends.',
    ),
  size: Joi.number().integer().greater(0).required().description('Size of the file in bytes, above 0.'),
  projectId: uuid.description('Project that the file belongs to; needs logicalPath.'),
  logicalPath: characters(1, 1024)
    .pattern(RELATIVE_PATH)
    .messages({
      'string.pattern.base':
        '{{#label}} must be a relative POSIX path without empty, . or .. segments, backslashes and NUL',
    })
    .description(
      'Path of the file within the project, 1 to 1024 characters: relative, segments apart by one slash, none of them . or .., no backslash; needs projectId.',
    ),
};

/** The digest of the whole file. */
export const fileDigest = sha256AnyCase;
