/** Prices for everybody: the published price book, and a rough estimate. */
import Joi from 'joi';

import type { PublicEstimateRequest } from '../../src/domain/public-prices.ts';
import { DEFAULT_SOFTWARE } from '../../src/tools/catalogue.ts';
import { breakdown, variableRates } from '../estimates/schemas.ts';
import { currency, fxDate, fxSource } from '../http/fields.ts';

const MOST_MINUTES = 10_000;
const MOST_SECONDS = 600_000;
const MOST_FPS = 240;
const MOST_IMAGES = 1_000_000;
const MOST_TERABYTES = 10_000;
const LONGEST_NAME = 100;

const source = Joi.string()
  .required()
  .example('Amazon S3 internet egress list price, us-west-2')
  .description('Where the figures come from.');
const date = Joi.string()
  .pattern(/^\d{4}-\d{2}-\d{2}$/, { name: 'YYYY-MM-DD' })
  .required()
  .example('2026-11-01')
  .description('The day on which the figures were taken, as YYYY-MM-DD.');
const name = (text: string, example: string): Joi.StringSchema =>
  Joi.string().required().example(example).description(text);
const micro = (text: string): Joi.NumberSchema =>
  Joi.number()
    .integer()
    .min(0)
    .required()
    .example(179_000)
    .description(`${text}, a number of millionths of a USD.`);
const version = Joi.string()
  .max(LONGEST_NAME)
  .required()
  .example('2026-11-01')
  .description('Version of the price book; what a version says never changes.');

const figure = Joi.object({
  name: name('Name of the figure, which ends with its unit.', 'egressPerGbMicroUsd'),
  value: Joi.number().required().example(90_000).description('The figure, a number in the unit of its name.'),
  source,
  date,
}).description('A figure of the price book.');

const hardware = Joi.object({
  name: name('Name of the kind of instance, as hardware of an estimate.', 'c7i.xlarge'),
  vcpus: Joi.number().integer().required().example(4).description('Number of vCPUs.'),
  memoryGib: Joi.number().required().example(8).description('Memory in GiB, each 1,073,741,824 bytes.'),
  gpu: Joi.string().allow(null).required().example(null).description('Name of the GPU; null without one.'),
  gpus: Joi.number().integer().min(0).required().example(0).description('Number of its GPUs.'),
  onDemandMicroUsdPerHour: micro('Price of an hour'),
  spotMicroUsdPerHour: micro('Price of an hour of an instance that may be taken away'),
  source,
  date,
}).description('A kind of instance.');

const licence = Joi.object({
  id: name('Id of the software, as software of an estimate.', 'render-engine'),
  name: name('Name of the licence.', 'Render Engine'),
  microUsdPerHour: micro('Fee of an hour'),
  source,
  date,
}).description('Software with a fee.');

const tool = Joi.object({
  id: name('Id of the tool.', 'a-tool'),
  figures: Joi.array()
    .items(
      Joi.object({
        name: name('Name of the figure.', 'coreSecondsPerTask'),
        value: Joi.number()
          .required()
          .example(4)
          .description('The figure, a number in the unit of its name.'),
      }).description('A figure of the tool.'),
    )
    .required()
    .description('What the price of a task is worked out from.'),
  source,
  date,
}).description('A tool with the figures of its prices.');

/** The path of one price book. */
export const pricesPath = Joi.object<{ readonly version: string }, true>({ version });

/** The answer of GET /public/prices and of GET /public/prices/{version}. */
export const pricesAnswer = Joi.object({
  version,
  date: date.description('The day of the price book, as YYYY-MM-DD.'),
  current: Joi.boolean().required().example(true).description('Whether jobs are priced by this book now.'),
  currency: currency.required().description('Currency of the figures.'),
  regions: Joi.array()
    .items(Joi.string().example('us-west-2'))
    .required()
    .description('Regions in which the prices are good.'),
  figures: Joi.array().items(figure).required().description('Fees, storage and downloads.'),
  hardware: Joi.array().items(hardware).required().description('Kinds of instances.'),
  licences: Joi.array()
    .items(licence)
    .required()
    .description('Software with a fee; none where nothing has one.'),
  tools: Joi.array().items(tool).required().description('Tools with figures of their own.'),
  fallbackFx: Joi.object({
    usdToGbp: Joi.number().required().example(0.79).description('Number of pounds for a USD.'),
    source,
    date,
  })
    .required()
    .description('The exchange rate that is used until a source has given one.'),
}).description('A price book: every figure with its source and date.');

const length = (text: string, most: number, byDefault: number): Joi.NumberSchema =>
  Joi.number()
    .min(0)
    .max(most)
    .default(byDefault)
    .description(`${text}, 0 to ${most.toLocaleString('en')}.`);
const choice = (text: string, byDefault: string): Joi.StringSchema =>
  Joi.string()
    .max(LONGEST_NAME)
    .default(byDefault)
    .description(`${text} An unknown one is refused with those there are.`);

/** POST /public/estimate. */
export const publicEstimateBody = Joi.object<PublicEstimateRequest, true>({
  mode: Joi.string()
    .valid('animation', 'still')
    .default('animation')
    .description('Whether a render makes the frames of an animation, or single images.'),
  jobType: Joi.string()
    .valid('render', 'simulation')
    .default('render')
    .description('Kind of the job; a simulation has imageCount tasks.'),
  durationMinutes: length('Length of the animation in minutes', MOST_MINUTES, 0),
  durationSeconds: length('Length of the animation in seconds, added to the minutes', MOST_SECONDS, 0),
  fps: length('Frames per second of the animation', MOST_FPS, 24),
  imageCount: Joi.number()
    .min(0)
    .max(MOST_IMAGES)
    .default(1)
    .description('Number of images, or of tasks of a simulation; a part of one counts as a whole one.'),
  renderTimeMinutes: length('Minutes that one frame, image or task takes on the hardware', MOST_MINUTES, 10),
  hardware: choice('Kind of instance.', 'g4dn.xlarge'),
  software: choice('Software of the job.', DEFAULT_SOFTWARE),
  region: choice('Region of the instances.', 'us-west-2'),
  datasetSizeTB: length('Size of the data of a simulation in TB, each 1,000 GB', MOST_TERABYTES, 1),
}).description('What a job would be, roughly; each field has a default.');

/** The answer of POST /public/estimate. */
export const publicEstimateAnswer = Joi.object({
  estimatedCost: Joi.number().min(0).required().description('Estimated cost, in units of currency.'),
  estimatedCostGbp: Joi.number()
    .min(0)
    .required()
    .example(0.09)
    .description('Estimated cost in units of creditCurrency, by fxRate.'),
  currency: currency.required().description('Currency of the estimate.'),
  creditCurrency: currency.required().description('Currency of credits.'),
  fxRate: Joi.number()
    .greater(0)
    .required()
    .description('Exchange rate: units of creditCurrency per unit of currency.'),
  fxSource,
  fxDate,
  priceBookVersion: version.description('Version of the price book of the estimate.'),
  hasLicenseFee: Joi.boolean().description('Whether a licence fee is part of the estimate.'),
  licenseNames: Joi.array().items(Joi.string()).description('Licences that are paid for.'),
  breakdown,
  meta: Joi.object({
    totalFrames: Joi.number()
      .integer()
      .min(0)
      .required()
      .example(240)
      .description('Number of frames, images or tasks.'),
    totalSizeGB: Joi.number().min(0).required().example(2.4).description('Size of the data in GB.'),
    variableRates,
  }).description('What the estimate counts with.'),
}).description('The rough price.');
