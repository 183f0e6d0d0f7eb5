/** Credits: balance, ledger and statements. */
import { Readable } from 'node:stream';

import { statementText } from '../../src/domain/statement.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { preferredType } from '../http/preferred-type.ts';
import { TAGS } from '../http/tags.ts';
import { balanceAnswer, transactionListAnswer, transactionListQuery } from './schemas.ts';
import {
  STATEMENT_CSV,
  statementAnswer,
  statementListAnswer,
  statementPath,
  statementQuery,
} from './statement-schemas.ts';
import { usageAnswer, usageQuery } from './usage-schemas.ts';

const getBalance = defineEndpoint({
  method: 'GET',
  path: '/credits/balance',
  operationId: 'getCreditBalance',
  tag: TAGS.credits,
  summary: 'Read the credit balance',
  description: 'What the account owns, holds for jobs and can spend.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The balance.', schema: balanceAnswer } },
  errors: [],
  async handle({ credits }, { actor }) {
    return json(200, await credits.balance(actor));
  },
});

const listTransactions = defineEndpoint({
  method: 'GET',
  path: '/credits/transactions',
  operationId: 'listCreditTransactions',
  tag: TAGS.credits,
  summary: 'List credit transactions',
  description: 'Every movement of credits, newest first.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  query: transactionListQuery,
  answers: { 200: { description: 'A page of transactions.', schema: transactionListAnswer } },
  errors: [],
  async handle({ credits }, { actor, query }) {
    return json(200, await credits.transactions(actor, query));
  },
});

const listStatements = defineEndpoint({
  method: 'GET',
  path: '/credits/statements',
  operationId: 'listCreditStatements',
  tag: TAGS.credits,
  summary: 'List the statements',
  description: 'The UTC months of which there is a statement, with the balances at their ends.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The statements.', schema: statementListAnswer } },
  errors: [],
  async handle({ credits }, { actor }) {
    return whole(await credits.statements(actor));
  },
});

const MEDIA = { json: 'application/json', csv: 'text/csv' } as const;

const getStatement = defineEndpoint({
  method: 'GET',
  path: '/credits/statements/:month',
  operationId: 'getCreditStatement',
  tag: TAGS.credits,
  summary: 'Read the statement of a month',
  description:
    'Every movement of a UTC month between the balances at its beginning and its end, as JSON or CSV. In CSV the first line of amounts is the opening, the last the closing; a text that a spreadsheet would take for a formula begins with an apostrophe. A statement is sent while it is read: one that breaks off is not whole.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  params: statementPath,
  query: statementQuery,
  answers: {
    200: {
      description: 'The statement.',
      schema: statementAnswer,
      alsoAs: [{ mediaType: MEDIA.csv, example: STATEMENT_CSV }],
      headers: { 'Content-Disposition': 'The name of the file, with CSV.' },
    },
  },
  errors: [],
  async handle({ credits }, { actor, params, query, headers }) {
    const asked = preferredType(headers.accept, [MEDIA.json, MEDIA.csv]) === MEDIA.csv ? 'csv' : 'json';
    const format = query.format ?? asked;
    const stream = Readable.from(statementText(await credits.statement(actor, params.month), format), {
      highWaterMark: 1,
    });
    const file = { 'Content-Disposition': `attachment; filename="statement-${params.month}.csv"` };
    return {
      status: 200,
      stream,
      headers: {
        'Content-Type': `${MEDIA[format]}; charset=utf-8`,
        Vary: 'Accept',
        ...(format === 'csv' ? file : {}),
      },
    };
  },
});

const getUsage = defineEndpoint({
  method: 'GET',
  path: '/credits/usage',
  operationId: 'getCreditUsage',
  tag: TAGS.credits,
  summary: 'Read what credits were spent on',
  description:
    'What was charged for jobs within a time, by day, job or key, and what is held ahead for jobs that go on. The sums are those of the ledger.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  query: usageQuery,
  answers: { 200: { description: 'What was spent.', schema: usageAnswer } },
  errors: [],
  async handle({ credits }, { actor, query }) {
    return json(200, await credits.usage(actor, query));
  },
});

/** Endpoints of credits. */
export const creditEndpoints: readonly Endpoint[] = [
  getBalance,
  listTransactions,
  getUsage,
  listStatements,
  getStatement,
];
