/** Usage of credits, the query and the answer. Field names are snake_case, as everywhere in credits; amounts are GBP pence. */
import Joi from 'joi';

import { MOST_USAGE_DAYS, USAGE_GROUPS } from '../../src/domain/credit-usage.ts';
import type { UsageQuery } from '../../src/domain/credit-usage.ts';
import { currency, pageLimit, time, timeInQuery, uuid } from '../http/fields.ts';

const pence = (text: string): Joi.NumberSchema =>
  Joi.number().integer().required().example(120).description(`${text}, in GBP pence.`);
const count = (text: string): Joi.NumberSchema =>
  Joi.number().integer().min(0).required().example(3).description(text);
const group = Joi.string().valid(...USAGE_GROUPS);

/** GET /credits/usage. */
export const usageQuery = Joi.object<UsageQuery, true>({
  by: group.default('day').description('How what was spent is divided.'),
  from: timeInQuery(
    `Charges at or after this time, at most ${MOST_USAGE_DAYS} days before to; 30 days before to without it.`,
  ).example('2026-11-01T00:00:00.000000Z'),
  to: timeInQuery('Charges before this time, without one at it; now without it.'),
  limit: pageLimit(1000, 100).description(
    'Number of jobs or keys that have a row of their own, 1 to 1000, the dearest first; days all have one.',
  ),
});

const spent = pence('What was charged for jobs within the time');
const held = pence('What is held now for jobs that have not ended, whatever the time; rows of days have 0');

const row = Joi.object({
  day: Joi.string()
    .pattern(/^\d{4}-\d{2}-\d{2}$/, { name: 'YYYY-MM-DD' })
    .allow(null)
    .required()
    .example('2026-11-21')
    .description('The UTC day, as YYYY-MM-DD; null in rows by job or key.'),
  job_id: uuid.allow(null).required().example(null).description('Id of the job; null in rows by day or key.'),
  key_id: uuid
    .allow(null)
    .required()
    .example(null)
    .description(
      'Id of the first key of a line of rotated keys; null in rows by day or job, and for what people have started who had signed in.',
    ),
  name: Joi.string()
    .allow(null, '')
    .required()
    .example(null)
    .description('Name of the job or of the key; null where there is none.'),
  spent_cents: spent,
  held_cents: held,
  jobs: count('Number of jobs that were charged or are held for.'),
}).description('A day, a job or a key.');

/** The answer of GET /credits/usage. */
export const usageAnswer = Joi.object({
  from: time.required().description('The beginning of the time.'),
  to: time.required().description('The end of the time.'),
  by: group.required().description('How what was spent is divided.'),
  currency: currency.required().description('Currency of the amounts.'),
  spent_cents: spent,
  held_cents: pence('What is held now for all jobs that have not ended'),
  rows: Joi.array()
    .items(row)
    .required()
    .description('Every day of the time in order, or jobs or keys, the dearest first.'),
  others: Joi.object({
    rows: count('Number of jobs or keys beyond the limit.').example(0),
    spent_cents: spent.example(0),
    held_cents: held.example(0),
  })
    .required()
    .description('The rows beyond the limit together, so that all rows come to the sums.'),
}).description('What credits were spent on.');
