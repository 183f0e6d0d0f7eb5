/** The bill of a job: the answer. */
import Joi from 'joi';

import { BILL_LINE_KINDS } from '../../src/domain/charge.ts';
import { currency, fxDate, fxSource, optionalTime, time, uuid } from '../http/fields.ts';
import { TRANSACTION_TYPES } from '../../src/domain/ledger.ts';
import type { JobBillResponse } from '../../src/domain/answers.ts';

type BilledExecution = JobBillResponse['executions'][number];

const whole = (text: string): Joi.NumberSchema => Joi.number().integer().required().description(text);
const cents = (text: string): Joi.NumberSchema =>
  whole(`${text}, in minor units of creditCurrency (pence).`).min(0);
const micro = (text: string): Joi.NumberSchema => whole(`${text}, in millionths of the units of currency.`);
const nullableCount = (text: string): Joi.NumberSchema =>
  Joi.number().integer().min(0).allow(null).required().description(text);

const billItem = Joi.object({
  kind: Joi.string()
    .valid(...BILL_LINE_KINDS)
    .required()
    .description(
      'What the line is for; ceiling takes away what is above the most that the job may cost. Treat unknown kinds as further lines.',
    ),
  priceClass: Joi.string()
    .allow(null)
    .required()
    .description('Price class of the tasks; null for other lines.'),
  tasks: nullableCount('Number of verified tasks that the line counts; null where it counts none.'),
  meteredMs: nullableCount('Measured milliseconds that the line counts; null where it counts none.'),
  amountMicro: micro('Amount of the line'),
}).description('A line of a bill.');

const billTransfer = Joi.object({
  transferId: uuid
    .required()
    .description('Id of the transfer; GET /credits/transactions has it before the colon of its ids.'),
  type: Joi.string()
    .valid(...TRANSACTION_TYPES)
    .required()
    .description('What the transfer is, as the type of a transaction.'),
  amountCents: cents('Amount that the transfer moved'),
}).description('A transfer of the ledger.');

/** One docked ligand; the figures come to each other as those of every bill do. */
const EXAMPLE: BilledExecution = {
  execution: 1,
  outcome: 'SUCCEEDED',
  startedAt: '2026-11-22T09:00:00.000000Z',
  settledAt: '2026-11-22T09:02:17.480000Z',
  priceBookVersion: '2026-11-01',
  currency: 'USD',
  lines: [
    { kind: 'start_fee', priceClass: null, tasks: null, meteredMs: null, amountMicro: 100_000 },
    { kind: 'tasks', priceClass: 'task', tasks: 1, meteredMs: null, amountMicro: 20_000 },
  ],
  totalMicro: 120_000,
  fxRate: 0.79,
  fxSource: 'www.ecb.europa.eu',
  fxDate: '2026-11-20',
  convertedMicro: 94_800,
  roundingMicro: -4_800,
  dueCents: 9,
  heldCents: 10,
  chargedCents: 9,
  releasedCents: 1,
  transfers: [
    { transferId: '0198a7c2-6e11-7a05-8c4b-1d9f3e7b5a20', type: 'hold', amountCents: 10 },
    { transferId: '0198a7c4-81f3-7d42-9b06-5c2a8e4f1d37', type: 'charge', amountCents: 9 },
    { transferId: '0198a7c4-81f4-7e19-a3d8-7b6c0f2e9d45', type: 'hold_release', amountCents: 1 },
  ],
};

const billedExecution = Joi.object({
  execution: whole('Number of the execution, from 1.').min(1),
  outcome: Joi.string().allow(null).required().description('How the execution ended; null while it is open.'),
  startedAt: time.required().description('When the execution was admitted.'),
  settledAt: optionalTime
    .required()
    .description(
      'When the execution was charged; null while it is open, and its lines say what is due so far.',
    ),
  priceBookVersion: Joi.string().required().description('Version of the price book of the prices.'),
  currency: currency.required().description('Currency of the lines.'),
  lines: Joi.array().items(billItem).required().description('The lines; none without a verified task.'),
  totalMicro: micro('Sum of the lines'),
  fxRate: Joi.number()
    .greater(0)
    .required()
    .description('Exchange rate: units of creditCurrency per unit of currency, frozen at the submit.'),
  fxSource,
  fxDate,
  convertedMicro: whole(
    'The sum at this rate, in millionths of the units of creditCurrency, rounded down.',
  ).min(0),
  roundingMicro: whole(
    'What rounding down to the minor unit takes away, in millionths of the units of creditCurrency: convertedMicro and roundingMicro come to 10,000 times dueCents.',
  ).max(0),
  dueCents: cents('What the lines come to'),
  heldCents: cents('Credits that were held'),
  chargedCents: cents('Credits that were charged: dueCents once the execution is settled, 0 before'),
  releasedCents: cents('Credits that were given back'),
  transfers: Joi.array()
    .items(billTransfer)
    .required()
    .description('The transfers of the hold, in their order.'),
})
  .example(EXAMPLE)
  .description('What an execution of the job costs.');

/** The answer of GET /jobs/{id}/bill. */
export const jobBillAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  creditCurrency: currency.required().description('Currency of credits.'),
  chargedCents: cents('Credits that the job was charged, over all executions'),
  executions: Joi.array().items(billedExecution).required().description('The executions, in their order.'),
}).description('The bill of a job.');
