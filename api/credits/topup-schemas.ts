/** Top-ups: tiers, starting one, and how far each is. Amounts are GBP pence. */
import Joi from 'joi';

import { TOPUP_STATES } from '../../src/domain/topups.ts';
import type { TopupRequest } from '../../src/domain/topups.ts';
import {
  characters,
  currency,
  cursor,
  nextCursor,
  optionalTime,
  pageLimit,
  time,
  uuid,
  wholeList,
} from '../http/fields.ts';
import type { PageQuery } from '../http/fields.ts';

const pence = (text: string): Joi.NumberSchema =>
  Joi.number().integer().min(0).required().description(`${text}, in GBP pence.`);
const tierId = characters(1, 64).example('topup-50');
const address = (text: string): Joi.StringSchema =>
  characters(1, 2048).description(text).example('https://dockyard.example/dashboard/credits');
const link = (text: string): Joi.StringSchema =>
  Joi.string().uri().allow(null).required().description(text).example('https://checkout.example/c/pay_1');

/** POST /credits/topup. */
export const topupBody = Joi.object<TopupRequest, true>({
  tierId: tierId.required().description('Tier to buy; GET /credits/tiers lists them.'),
  successUrl: address(
    'Page of this service to return to after the payment; the dashboard when it is left out.',
  ),
  cancelUrl: address(
    'Page of this service to return to without a payment; the dashboard when it is left out.',
  ),
}).description('The tier to buy.');

/** The answer of POST /credits/topup. */
export const topupStarted = Joi.object({
  url: Joi.string()
    .uri()
    .required()
    .description('Hosted checkout to send the browser to; open for an hour.')
    .example('https://checkout.example/c/pay_1'),
  tierId: tierId.required().description('The tier.'),
  topupId: uuid.required().description('Id of the top-up.'),
}).description('The checkout of the top-up.');

const tier = Joi.object({
  tierId: tierId.required().description('Id of the tier.'),
  amountCents: pence('Price before tax').example(5000),
  bonusCents: pence('Credits on top').example(250),
  creditsCents: pence('All credits of the tier').example(5250),
  currency: currency.required().description('Currency of the amounts.'),
}).description('One tier of credits.');

/** The answer of GET /credits/tiers. */
export const tierListAnswer = Joi.object({
  tiers: Joi.array().items(tier).required().description('Tiers, by price.'),
})
  .append(wholeList)
  .description('What can be bought.');

/** The answer of GET /credits/topups/{topupId}. */
export const topupAnswer = Joi.object({
  id: uuid.required().description('Id of the top-up.'),
  tierId: tierId.required().description('The tier.'),
  state: Joi.string()
    .valid(...TOPUP_STATES)
    .required()
    .description(
      'CREATED and OPEN wait for the customer, PROCESSING for the bank; the credits are there at PAID. FAILED and EXPIRED give none.',
    )
    .example('PAID'),
  amountCents: pence('Price before tax').example(5000),
  bonusCents: pence('Credits on top').example(250),
  taxCents: pence('Tax that was paid on top of the price').example(1000),
  refundedCents: pence(
    'What of price and tax was paid back, or taken back by a bank; its bonus went back with it',
  ).example(0),
  currency: currency.required().description('Currency of the amounts.'),
  url: link('Hosted checkout while the customer can pay there; null otherwise.'),
  invoiceUrl: link('Invoice; null without one.'),
  receiptUrl: link('Receipt; null without one.'),
  createdAt: time.required().description('When the top-up began.'),
  paidAt: optionalTime.required().description('When the credits were posted; null before.'),
}).description('One top-up.');

/** GET /credits/topups. */
export const topupListQuery = Joi.object<PageQuery, true>({ limit: pageLimit(200, 50), cursor });

/** The answer of GET /credits/topups. */
export const topupListAnswer = Joi.object({
  topups: Joi.array().items(topupAnswer).required().description('Top-ups, newest first.'),
  nextCursor,
}).description('A page of top-ups.');

/** The path of one top-up. */
export const topupPath = Joi.object<{ topupId: string }, true>({
  topupId: uuid.required().description('Id of the top-up.'),
});
