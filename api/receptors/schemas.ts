/** Schemas of inspections of receptors. */
import Joi from 'joi';

import type { InspectReceptorRequest, InspectionSource } from '../../src/domain/requests.ts';
import { artifactReference } from '../docking/schemas.ts';
import { chain, characters, time, uuid } from '../http/fields.ts';
import { REPORT_EXAMPLE } from './example.ts';

const sourceKind = (kind: InspectionSource['kind']): Joi.StringSchema =>
  Joi.string().valid(kind).required().description('Which kind of source this is.');

const source = Joi.alternatives<InspectionSource>()
  .conditional('.kind', {
    switch: [
      {
        is: 'pdb',
        then: Joi.object({
          kind: sourceKind('pdb'),
          pdbId: Joi.string()
            .pattern(/^[0-9][A-Za-z0-9]{3}$/, { name: 'PDB id' })
            .required()
            .description('PDB id of the receptor: a digit and three letters or digits.'),
        }),
      },
      {
        is: 'artifact',
        then: Joi.object({
          kind: sourceKind('artifact'),
          artifact: artifactReference
            .keys({
              format: Joi.string().valid('pdb', 'mmcif').required().description('Format of the object.'),
            })
            .required()
            .description('Stored structure file of the receptor, at most 256 MiB.'),
        }),
      },
    ],
    otherwise: Joi.object({ kind: Joi.string().valid('pdb', 'artifact').required() }).unknown(),
  })
  .description('Where the receptor comes from: a PDB id or a stored artifact, as a docking takes it.');

/** POST /molecular/docking/receptors/inspect. */
export const inspectReceptorBody = Joi.object<InspectReceptorRequest, true>({
  source: source.required(),
  assemblyId: characters(1, 32).description(
    'Biological assembly of the receptor, 1 to 32 characters; absent means 1.',
  ),
  model: Joi.number()
    .integer()
    .min(1)
    .max(9999)
    .description('Model number in the structure file, counted from 1; absent means 1.'),
  chains: Joi.array()
    .items(chain)
    .min(1)
    .max(128)
    .description('Author chain ids to keep, 1 to 128; absent means all.'),
  protonationPh: Joi.number()
    .min(0)
    .max(14)
    .description('pH at which the receptor would be protonated, 0 to 14; absent means 7.4.'),
}).description('Which receptor to inspect, and which part of it is meant.');

/** An inspection that runs or is done. */
export const inspectionAnswer = Joi.object({
  inspectionId: uuid.required().description('Id of the inspection.'),
  status: Joi.string().valid('RUNNING', 'SUCCEEDED').required().description('Whether the report is there.'),
  createdAt: time.required().description('When the inspection was first asked for.'),
  message: Joi.string()
    .allow(null)
    .required()
    .example('The inspection waits for a machine. All capacity is in use.')
    .description('How far an inspection that runs is, for people; null once the report is there.'),
  report: Joi.object()
    .unknown()
    .allow(null)
    .required()
    .example(REPORT_EXAMPLE)
    .description(
      'What a preparation of the receptor would meet, as inspection.schema.json among the tools describes it; null while it runs.',
    ),
}).description('An inspection of a receptor.');

/** The path of one inspection. */
export const inspectionPath = Joi.object<{ readonly inspectionId: string }, true>({
  inspectionId: uuid.required().description('Id of the inspection.'),
});
