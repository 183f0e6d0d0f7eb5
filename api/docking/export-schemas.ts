/** Exports of docking results: paths, bodies and answers. */
import Joi from 'joi';

import {
  EXPORTED_POSES,
  EXPORTED_STATUSES,
  EXPORT_FORMATS,
  EXPORT_STATES,
} from '../../src/domain/docking-exports.ts';
import type { CreateExportRequest, ExportQuery } from '../../src/domain/docking-exports.ts';
import { exportFailureCode } from '../http/codes.ts';
import { time, uuid } from '../http/fields.ts';
import { missesOne, resultArtifact, resultFilters, TOO_MANY_MISSING, uiLinks } from './result-schemas.ts';

const EXPORT_ID = '5f0e6c1d-3b8a-5a47-9c5e-2b7d9e1f4a60';
const BATCH_ID = '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90';
const PERSON_ID = '0198a1e0-4b6f-7a3c-8d21-7f5e9b0c3a68';
const MOST_LIGANDS = 10_000;

/** The path of an export. */
export const exportPath = Joi.object<{ exportId: string }, true>({
  exportId: uuid.required().description('Id of the export.'),
});

const chosen = {
  ...resultFilters,
  status: Joi.string()
    .valid(...EXPORTED_STATUSES)
    .description('Only ligands with this status; left out, all that have ended.'),
  topN: Joi.number()
    .integer()
    .min(1)
    .max(MOST_LIGANDS)
    .description('Number of docked ligands, the first in the order, 1 to 10000; left out, all results.'),
  diverse: Joi.number()
    .integer()
    .min(1)
    .max(MOST_LIGANDS)
    .description(
      'Number of ligands of these, 1 to 10000 and at most topN, that differ most from each other by their Morgan fingerprints (RDKit: LeaderPicker at the largest distance that leaves so many); the first in the order is always one of them.',
    ),
};

function posesAreOfSdf(
  body: CreateExportRequest,
  helpers: Joi.CustomHelpers<CreateExportRequest>,
): CreateExportRequest | Joi.ErrorReport {
  return body.poses === undefined || body.format === 'sdf' ? body : helpers.error('poses.format');
}

function picksAreOfTop(
  body: CreateExportRequest,
  helpers: Joi.CustomHelpers<CreateExportRequest>,
): CreateExportRequest | Joi.ErrorReport {
  const { diverse = 0, topN = MOST_LIGANDS } = body;
  return diverse <= topN ? body : helpers.error('diverse.top');
}

/** POST …/export. */
export const createExportBody = Joi.object<CreateExportRequest, true>({
  format: Joi.string()
    .valid(...EXPORT_FORMATS)
    .required()
    .description(
      'csv and parquet: one row for each result; sdf: poses of docked ligands; smi: SMILES and ids of docked ligands.',
    ),
  ...chosen,
  poses: Joi.string()
    .valid(...EXPORTED_POSES)
    .description('best: mode 1 of each ligand (the default); all: all modes. For sdf alone.'),
})
  .custom(posesAreOfSdf)
  .custom(picksAreOfTop)
  .custom(missesOne)
  .messages({
    ...TOO_MANY_MISSING,
    'poses.format': '"poses" is for the format sdf alone; leave it out',
    'diverse.top': '"diverse" picks from the first "topN", so it can be at most as many',
  });

const query = Joi.object<ExportQuery, true>({
  ...chosen,
  sort: Joi.string().required().example('affinity').description('The order of docked ligands.'),
  poses: Joi.string()
    .valid(...EXPORTED_POSES)
    .description('Which modes of each ligand.'),
})
  .required()
  .example({ sort: 'affinity', affinityAtMost: -8 })
  .description('The choice, the order and the filters as they were asked for.');

const exportRecord = Joi.object({
  id: uuid
    .required()
    .example(EXPORT_ID)
    .description('Id of the export; the same for the same request over the same results.'),
  user_id: uuid.required().example(PERSON_ID).description('Who asked for it first.'),
  created_at: time.required().description('When it was asked for first.'),
  batch_id: uuid.allow(null).required().example(BATCH_ID).description('The batch; null for a run.'),
  run_id: uuid.allow(null).required().example(null).description('The run; null for a batch.'),
  format: Joi.string()
    .valid(...EXPORT_FORMATS)
    .required()
    .example('csv')
    .description('Format of the file.'),
  query,
  status: Joi.string()
    .valid(...EXPORT_STATES)
    .required()
    .example('SUCCEEDED')
    .description('How far the export is.'),
  result_count: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(9_874)
    .description('Number of results in the export: those that were there when it was asked for.'),
  complete: Joi.boolean()
    .required()
    .example(true)
    .description('Whether every job had ended when the export was asked for, so that no result is missing.'),
  started_at: time.allow(null).required().description('When the making began; null before.'),
  finished_at: time.allow(null).required().description('When the export ended; null before.'),
  artifact: resultArtifact.allow(null).required().description('The file; null before it is made.'),
  beside: Joi.array()
    .items(resultArtifact)
    .required()
    .description('Prepared receptor and box of the newest run, beside an sdf; none for a table.'),
  failure: Joi.object({
    code: exportFailureCode.example('EXPORT_SOURCE_CHANGED'),
    message: Joi.string().allow('').required().description('Reason for people.'),
  })
    .allow(null)
    .required()
    .example(null)
    .description('Why there is no file; null where there is or will be one.'),
}).description('An export of results.');

/** The answer about an export. */
export const exportAnswer = Joi.object({
  export: exportRecord.required(),
  uiLinks,
}).description('An export.');
