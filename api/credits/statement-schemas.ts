/** Statements: the list of months, and the statement of one month. */
import Joi from 'joi';

import { STATEMENT_FORMATS } from '../../src/domain/statement.ts';
import type { StatementBalances, StatementFormat, StatementLine } from '../../src/domain/statement.ts';
import { currency, time, uuid, wholeList } from '../http/fields.ts';
import { TRANSACTION_TYPES } from '../../src/domain/ledger.ts';

const MONTH = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;
const OPENING: StatementBalances = {
  wallet_cents: 1000,
  wallet_held_cents: 0,
  monthly_cents: 0,
  monthly_held_cents: 0,
  debt_cents: 0,
};
const HELD: StatementBalances = { ...OPENING, wallet_cents: 900, wallet_held_cents: 100 };
const LINE: StatementLine = {
  id: '01999b7c-5b1e-7d55-a4e2-7b9a3a1f0c11',
  created_at: '2026-11-21T09:30:00.000000Z',
  type: 'hold',
  job_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  tier_id: null,
  reverses_id: null,
  description: 'Held for the job',
  paid_cents: 0,
  wallet_cents: -100,
  wallet_held_cents: 100,
  monthly_cents: 0,
  monthly_held_cents: 0,
  debt_cents: 0,
};

const pence = (text: string): Joi.NumberSchema =>
  Joi.number().integer().required().description(`${text}, in GBP pence.`);
const month = Joi.string()
  .pattern(MONTH, { name: 'YYYY-MM' })
  .required()
  .example('2026-11')
  .description('The UTC month, as YYYY-MM.');
const final = Joi.boolean()
  .required()
  .example(false)
  .description('Whether the month is over, so that the statement never changes any more.');

const balances = (text: string): Joi.ObjectSchema<StatementBalances> =>
  Joi.object<StatementBalances, true>({
    wallet_cents: pence('Wallet credits that are not held'),
    wallet_held_cents: pence('Wallet credits held for jobs'),
    monthly_cents: pence('Monthly credits that are not held'),
    monthly_held_cents: pence('Monthly credits held for jobs'),
    debt_cents: pence('What is owed'),
  })
    .required()
    .example(OPENING)
    .description(text);

const statementLine = Joi.object<StatementLine, true>({
  id: uuid.required().description('Id of the movement.'),
  created_at: time.required().description('When the movement was made.'),
  type: Joi.string()
    .valid(...TRANSACTION_TYPES)
    .required()
    .description('Kind of the movement.'),
  job_id: uuid.allow(null).required().description('Id of the job; null without one.'),
  tier_id: Joi.string().allow(null).required().description('Tier of a top-up; null for others.'),
  reverses_id: uuid
    .allow(null)
    .required()
    .description('Id of the movement that is taken back; null without one.'),
  description: Joi.string().allow('').required().description('What the movement was for.'),
  wallet_cents: pence('What changed of the wallet credits that are not held'),
  wallet_held_cents: pence('What changed of the wallet credits held for jobs'),
  monthly_cents: pence('What changed of the monthly credits that are not held'),
  monthly_held_cents: pence('What changed of the monthly credits held for jobs'),
  debt_cents: pence('What changed of what is owed'),
  paid_cents: pence(
    'What was paid by card, tax included; negative for what was refunded or taken back by a bank. Part of no balance',
  ),
})
  .example(LINE)
  .description('A movement of credits.');

/** The path of a statement. */
export const statementPath = Joi.object<{ readonly month: string }, true>({ month });

/** The query of GET /credits/statements/{month}. */
export const statementQuery = Joi.object<{ readonly format?: StatementFormat }, true>({
  format: Joi.string()
    .valid(...STATEMENT_FORMATS)
    .description(
      'Form of the statement; without it the header Accept decides, and JSON where that asks for neither.',
    ),
});

/** The answer of GET /credits/statements/{month} as JSON. */
export const statementAnswer = Joi.object({
  month,
  final,
  currency: currency.required().description('Currency of the amounts.'),
  opening: balances('The balances at the beginning of the month.'),
  closing: balances(
    'The balances at the end of the month, or now: for each of them opening + lines = closing.',
  ).example(HELD),
  lines: Joi.array()
    .items(statementLine)
    .required()
    .description('Every movement of the month, oldest first.'),
}).description('The statement of a month.');

/** The statement as CSV, as the document shows it. */
export const STATEMENT_CSV =
  'created_at,type,id,job_id,tier_id,reverses_id,description,wallet_cents,wallet_held_cents,monthly_cents,monthly_held_cents,debt_cents,paid_cents\r\n,opening,,,,,,1000,0,0,0,0,\r\n';

/** The answer of GET /credits/statements. */
export const statementListAnswer = Joi.object({
  statements: Joi.array()
    .items(
      Joi.object({
        month,
        final,
        closing: balances('The balances at the end of the month, or now.'),
      }).description('A statement.'),
    )
    .required()
    .description('One statement for each UTC month since the account was opened, newest first.'),
})
  .append(wholeList)
  .description('The statements of the account.');
