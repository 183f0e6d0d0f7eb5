/** Findings about a batch beside its results: why a run failed, how far results repeat, how well the ranking finds actives. */
import Joi from 'joi';

import { failureCode, jobState } from '../http/codes.ts';

/** A whole number from 0 on. */
export const count = (text: string, example = 0): Joi.NumberSchema =>
  Joi.number().integer().min(0).required().example(example).description(text);

/** Why a run failed as a whole. */
export const runFailure = (text: string): Joi.ObjectSchema =>
  Joi.object({
    code: failureCode.required().description('Machine-readable cause.'),
    message: Joi.string()
      .required()
      .example('The ligand is not in the structure.')
      .description('Cause for people.'),
    stage: Joi.string()
      .required()
      .example('prepare')
      .description('What failed: prepare, dock or another step.'),
  })
    .allow(null)
    .required()
    .example(null)
    .description(text);

const share = (example: number, text: string): Joi.NumberSchema =>
  Joi.number()
    .min(0)
    .max(1)
    .allow(null)
    .required()
    .example(example)
    .description(`${text} A number from 0 to 1; null while nothing is compared.`);

const finding = (text: string): Joi.ObjectSchema =>
  Joi.object({
    status: jobState.required().description('How docking again stands.'),
    seed: Joi.number()
      .integer()
      .allow(null)
      .required()
      .example(1)
      .description('Number that seeds what is random in docking again.'),
    ligands: count('Number of ligands that are docked again.', 10),
    compared: count('Number of these that are docked in both.', 10),
    same_cpu_class: count(
      'Number of these that were docked on one class of processors both times; another class gives other bytes.',
      10,
    ),
    identical_share: share(
      1,
      'Share of the ligands of one class of processors whose results have the same bytes.',
    ),
    within_share: share(1, 'Share of the compared ligands whose best scores are within 0.3 kcal/mol.'),
    failure: runFailure(
      'Why nothing was docked again: it was refused, or failed as a whole; null otherwise.',
    ),
  })
    .allow(null)
    .required()
    .description(`${text}; null until it has begun, and where the batch has ended without a docked ligand.`);

/** Findings of a sample. */
export const reproducibility = Joi.object({
  same_seed: finding('Docked again with the seed of the batch'),
  other_seed: finding('Docked again with another seed'),
}).description('What the sample has shown so far; only where a batch with a sample is read by its id.');

const figure = (text: string, example: number): Joi.NumberSchema =>
  Joi.number().required().example(example).description(text);

/** How well the ranking finds actives. */
export const enrichment = Joi.object({
  column: Joi.string()
    .required()
    .example('active')
    .description('Column or tag of the library that marks actives.'),
  ligands: count('Number of ligands that it marks and that have ended.', 1000),
  actives: count('Number of actives among them.', 40),
  unmarked: count('Number of ligands that have ended and that it does not mark; these are left out.', 0),
  roc_auc: figure('Area under the ROC curve, a number from 0 to 1; ligands that failed come last.', 0.78),
  roc_auc_interval: Joi.array()
    .items(Joi.number().description('A number from 0 to 1.'))
    .length(2)
    .required()
    .example([0.7, 0.86])
    .description('Its interval of 95 % (Newcombe 2006, method 5), lower and upper end.'),
  enrichment_1_percent: figure('Number of times as many actives in the first 1 % as in all.', 10),
  enrichment_5_percent: figure('Number of times as many actives in the first 5 % as in all.', 6),
  bedroc: figure('BEDROC at alpha 20, a number from 0 to 1.', 0.42),
}).description(
  'How well the ranking finds the actives, by itself where a column named active, activity, class, label or type (also is_active, active_flag) marks actives and others; only where a batch is read by its id that has ended.',
);
