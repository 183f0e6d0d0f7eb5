/** Credits: balance and ledger. */
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { balanceAnswer, transactionListAnswer, transactionListQuery } from './schemas.ts';

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

/** Endpoints of credits. */
export const creditEndpoints: readonly Endpoint[] = [getBalance, listTransactions];
