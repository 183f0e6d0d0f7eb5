/** Answers about artifacts. */
import Joi from 'joi';

import { ARTIFACT_FORMATS } from '../../src/domain/requests.ts';
import { characters, time } from '../http/fields.ts';
import { TEXT_PATTERN } from '../openapi-requests.ts';
import { artifactProvenance, artifactReference } from './schemas.ts';

/**
 * A reference as it is answered, with the bounds that a sent one has, because both were one schema in v1. The formats of
 * ligand libraries are registered, and sent by their id alone.
 */
export const registeredArtifact = artifactReference
  .keys({
    storageKey: characters(1, 2048)
      .pattern(new RegExp(TEXT_PATTERN))
      .required()
      .description('Storage key of the artifact; this field decides which object is meant.'),
    byteSize: Joi.number()
      .integer()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .required()
      .description('Size of the object in bytes.'),
    mediaType: characters(1, 255)
      .pattern(new RegExp(TEXT_PATTERN))
      .required()
      .description('Media type of the object, 1 to 255 characters.'),
    format: Joi.string()
      .valid(...ARTIFACT_FORMATS)
      .required()
      .description('Format of the object.'),
  })
  .description(
    'Reference to a verified stored artifact; one of a library in smi or csv is named by its artifactId.',
  );

/** The answer of registering and of reading an artifact. */
export const artifactAnswer = Joi.object({
  artifact: registeredArtifact.required().description('The reference to send in requests.'),
  verified: Joi.boolean().required().description('Whether the bytes were read and their digest computed.'),
  verifiedAt: time.required().description('When the bytes were verified.'),
  provenance: artifactProvenance.required(),
}).description('A registered artifact.');
