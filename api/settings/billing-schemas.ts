/** The cost limits of an account: what is read and what is set. */
import Joi from 'joi';

import { CARD_REFUSALS } from '../../src/domain/auto-topups.ts';
import type { AutoTopUp, AutoTopUpRequest } from '../../src/domain/auto-topups.ts';
import { MOST_KEY_LIMITS, MOST_LIMIT_CENTS } from '../../src/domain/billing-settings.ts';
import type { BillingSettingsRequest, KeyLimitSetting } from '../../src/domain/billing-settings.ts';
import { PLANS } from '../../src/domain/plans.ts';
import { currency, optionalTime, time, uuid } from '../http/fields.ts';

const limit = (text: string, example: number): Joi.NumberSchema =>
  Joi.number()
    .integer()
    .min(0)
    .max(MOST_LIMIT_CENTS)
    .example(example)
    .description(`${text}, in minor units of creditCurrency (pence), 0 to 100,000,000.`);

const ofJob = limit('The most that one job may cost; null for no limit', 5_000).allow(null);
const ofMonth = limit(
  'The most that all jobs of a UTC month may cost, counting what is charged and held; null for no limit',
  20_000,
).allow(null);
const lowBalance = limit(
  'The owners get a mail when the credits that can be spent fall below this amount; null for never',
  500,
).allow(null);
const memberKeys = limit(
  'The most that the API keys of one member may cost together in a UTC month: a member makes live keys only with monthlyLimitCents, within what this leaves; keys of before keep what they have, and jobs submitted in the browser count for the limits of the account alone; null for no limit',
  2_000,
).allow(null);
const ofAutoTopUp = {
  tierId: Joi.string()
    .max(100)
    .required()
    .example('topup-50')
    .description('The tier that is bought, 1 to 100 characters; GET /credits/tiers lists them.'),
  belowCents: limit(
    'The tier is bought when the credits that can be spent fall below this amount',
    500,
  ).required(),
  monthLimitCents: limit('The most that is paid so in a UTC month, before tax', 20_000).required(),
};
const autoTopUp = Joi.object<AutoTopUpRequest, true>(ofAutoTopUp)
  .allow(null)
  .description(
    'Credits that are bought by themselves with the default card; null for none. Setting it again ends a pause.',
  );
const autoTopUpAsItIs = Joi.object<AutoTopUp, true>({
  ...ofAutoTopUp,
  state: Joi.string()
    .valid('on', 'paused')
    .required()
    .example('paused')
    .description('Paused when the card refused; nothing is bought until an owner sets it again.'),
  pausedFor: Joi.string()
    .valid(...CARD_REFUSALS, null)
    .required()
    .example('CARD_DECLINED')
    .description('Why nothing is bought; null while it is on.'),
})
  .allow(null)
  .description('Credits that are bought by themselves; null for none.');
const OF_KEY =
  'The most that jobs of the key, and of the keys that took its place by rotation or that it took the place of, may cost in a UTC month';
const ofKeyWith = (monthLimitCents: Joi.NumberSchema): Joi.ObjectSchema<KeyLimitSetting> =>
  Joi.object<KeyLimitSetting, true>({
    keyId: uuid.required().description('Id of the API key.'),
    monthLimitCents: monthLimitCents.required(),
  }).description('The limit of an API key.');
const ofKey = ofKeyWith(limit(OF_KEY, 1_000));
/** A key may have been made with a limit beyond those that are set here. */
const ofKeyAsItIs = ofKeyWith(
  Joi.number()
    .integer()
    .min(0)
    .example(1_000)
    .description(`${OF_KEY}, in minor units of creditCurrency (pence).`),
);

const spent = {
  spentCents: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(1_250)
    .description('What was charged in the month and is held now, in minor units of creditCurrency (pence).'),
  restCents: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .example(8_750)
    .description(
      'What is left of the limit, in minor units of creditCurrency (pence); null without a limit.',
    ),
};
const spending = Joi.object({
  startsAt: time.required().description('When the UTC month began that the limits count.'),
  endsAt: time.required().description('When that month ends.'),
  ...spent,
  keys: Joi.array()
    .items(
      Joi.object({
        keyId: uuid.required().description('Id of the API key.'),
        ...spent,
      }).description('What an API key has spent.'),
    )
    .required()
    .description('The API keys that have a limit, named as keyLimits names them.'),
}).description('What was spent in the month.');

/** PUT /settings/billing. */
export const billingBody = Joi.object<BillingSettingsRequest, true>({
  jobLimitCents: ofJob,
  monthLimitCents: ofMonth,
  lowBalanceCents: lowBalance,
  memberKeysLimitCents: memberKeys,
  autoTopUp,
  keyLimits: Joi.array()
    .items(ofKey)
    .max(MOST_KEY_LIMITS)
    .unique('keyId')
    .description(
      'The limits of API keys, each key once, at most 1,000; a key that is left out has no limit any more.',
    ),
}).description('A change of the limits: what is left out stays, null takes a limit away.');

/** The answer of GET and PUT /settings/billing. */
export const billingAnswer = Joi.object({
  plan: Joi.string()
    .valid(...PLANS)
    .required()
    .description('Plan of the account.'),
  allowanceEndsAt: optionalTime
    .required()
    .description('When the monthly credits of the plan end; null without any.'),
  spending: spending.required(),
  creditCurrency: currency.required().description('Currency of the limits.'),
  jobLimitCents: ofJob.required(),
  monthLimitCents: ofMonth.required(),
  lowBalanceCents: lowBalance.required(),
  memberKeysLimitCents: memberKeys.required(),
  autoTopUp: autoTopUpAsItIs.required(),
  keyLimits: Joi.array()
    .items(ofKeyAsItIs)
    .required()
    .description(
      "The limits of API keys; of keys that took each other's place by rotation, the newest is named.",
    ),
}).description('The plan and the cost limits of the account, and what was spent of them.');
