/** Conversions: request and answer. */
import Joi from 'joi';

import { CONVERSIONS, PAIRS } from '../../src/domain/conversions.ts';
import type { ConversionInput, ConversionResponse, ConvertRequest } from '../../src/domain/conversions.ts';
import { REFERENCE_FORMATS } from '../../src/domain/requests.ts';
import { EXPORT_FORMATS } from '../../src/domain/scene-exports.ts';
import { artifactReference } from '../docking/schemas.ts';
import { inDocument } from '../http/in-document.ts';
import { characters, jobWarning, storageKey, time, uuid } from '../http/fields.ts';

const input = Joi.object<ConversionInput>({
  storageKey: storageKey.description(
    'Storage key of an uploaded file of at most 64 MiB; the end of its name says its format.',
  ),
  artifact: artifactReference.description('Stored artifact of at most 64 MiB.'),
  projectId: uuid.description('Id of a molecular project, with version.'),
  version: Joi.number()
    .integer()
    .min(1)
    .max(999_999_999)
    .description('Version number of a revision of the project.'),
})
  .xor('storageKey', 'artifact', 'projectId')
  .and('projectId', 'version')
  .meta(
    inDocument({
      oneOf: [
        { required: ['storageKey'] },
        { required: ['artifact'] },
        { required: ['projectId', 'version'] },
      ],
      dependentRequired: { version: ['projectId'] },
    }),
  )
  .example({ storageKey: 'accounts/0198/uploads/0198/1hpv.pdb' })
  .description('What is converted: a file, an artifact, or the scene of a revision.');

/** POST /convert. */
export const convertBody = Joi.object<ConvertRequest>({
  input: input.required(),
  to: characters(1, 32)
    .required()
    .example(CONVERSIONS.pdb)
    .description(`Format of the converted file, 1 to 32 characters. Pairs: ${PAIRS}.`),
}).description('A file, and the format that it is asked for in.');

/** A conversion that runs or is done. */
export const conversionAnswer = Joi.object<ConversionResponse>({
  conversionId: uuid.required().description('Id of the conversion.'),
  status: Joi.string()
    .valid('RUNNING', 'SUCCEEDED')
    .required()
    .description('Whether the converted file is there.'),
  createdAt: time.required().description('When the conversion was first asked for.'),
  message: Joi.string()
    .allow(null)
    .required()
    .example(null)
    .description('How far a conversion that runs is, for people; null once the file is there.'),
  artifact: artifactReference
    .keys({
      format: Joi.string()
        .valid(...REFERENCE_FORMATS, ...EXPORT_FORMATS)
        .required()
        .description('Format of the object.'),
    })
    .allow(null)
    .required()
    .description('The converted file; null while the conversion runs.'),
  warnings: Joi.array()
    .items(jobWarning)
    .required()
    .description('What the other format does not say, each with a code.'),
}).description('A conversion of a file.');

/** The path of one conversion. */
export const conversionPath = Joi.object<{ readonly conversionId: string }, true>({
  conversionId: uuid.required().description('Id of the conversion.'),
});
