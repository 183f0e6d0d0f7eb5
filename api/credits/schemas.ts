/** Credits: balance and transactions. Field names are snake_case, as in the contract; amounts are GBP pence. */
import Joi from 'joi';

import {
  currency,
  cursor,
  nextCursor,
  optionalTime,
  pageLimit,
  time,
  timeInQuery,
  uuid,
} from '../http/fields.ts';
import type { TransactionQuery } from '../../src/services/credits.ts';
import { TRANSACTION_TYPES } from '../../src/domain/ledger.ts';

const pence = (text: string): Joi.NumberSchema =>
  Joi.number().integer().required().description(`${text}, in GBP pence.`);

/** The answer of GET /credits/balance. */
export const balanceAnswer = Joi.object({
  wallet_cents: pence('Purchased and promotional wallet balance'),
  wallet_held_cents: pence('Wallet credits reserved for jobs'),
  wallet_available_cents: pence('Wallet credits available'),
  monthly_cents: pence('Monthly allowance balance'),
  monthly_held_cents: pence('Monthly allowance reserved for jobs'),
  monthly_available_cents: pence('Monthly allowance available'),
  monthly_reset_at: optionalTime
    .required()
    .description('When the allowance is renewed; null without an active period.'),
  total_credited_cents: pence('Wallet plus monthly balance'),
  held_cents: pence('All credits reserved for jobs'),
  available_cents: pence('Wallet plus monthly credits available to spend'),
  available_display: Joi.string().required().description('available_cents for people, in GBP.'),
  debt_cents: pence(
    'What the account owes, zero or more; whatever reaches the wallet pays it first, and nothing can be held until it is paid',
  ),
}).description('The credits of the account.');

/** GET /credits/transactions. */
export const transactionListQuery = Joi.object<TransactionQuery, true>({
  limit: pageLimit(200, 50),
  cursor,
  type: Joi.string()
    .valid(...TRANSACTION_TYPES)
    .description('Only transactions of this type.'),
  jobId: uuid.description('Only transactions of this job.'),
  from: timeInQuery('Only transactions at or after this time.'),
  to: timeInQuery('Only transactions before this time, without one at it.'),
});

const optionalId = (text: string): Joi.StringSchema => Joi.string().allow(null).required().description(text);

const transaction = Joi.object({
  id: Joi.string().required().description('Id of the transaction.'),
  type: Joi.string()
    .valid(...TRANSACTION_TYPES)
    .required()
    .description('Type of the transaction.'),
  bucket: Joi.string().valid('wallet', 'monthly').required().description('Which credits moved.'),
  amount_cents: pence('Signed amount: grants and releases are positive, holds and charges negative'),
  currency: currency.required().description('Currency of the amounts.'),
  balance_after_cents: pence('What was available in the bucket afterwards'),
  held_after_cents: pence('What was held of the bucket afterwards'),
  debt_cents: pence(
    'What the transaction changed of the debt: negative where it paid the debt, positive where more was taken back than the wallet had; not part of amount_cents',
  ),
  debt_after_cents: pence('What the account owed afterwards'),
  job_id: optionalId('Job of the transaction; null when there is none.'),
  tier_id: optionalId('Top-up tier of the transaction; null when there is none.'),
  reverses_id: optionalId('Transaction that this one reverses; null when there is none.'),
  description: Joi.string().allow('').required().description('What happened, for people.'),
  created_at: time.required().description('When it happened.'),
}).description('One movement of credits.');

/** The answer of GET /credits/transactions. */
export const transactionListAnswer = Joi.object({
  transactions: Joi.array().items(transaction).required().description('Transactions, newest first.'),
  nextCursor,
}).description('A page of transactions.');
