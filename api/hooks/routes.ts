/** Endpoint for the events of the provider of payments: at the root, for programs that prove themselves by a signature. */
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';

const receiveStripeEvent = defineEndpoint({
  method: 'POST',
  path: '/hooks/stripe',
  operationId: 'receiveStripeEvent',
  tag: TAGS.credits,
  summary: 'Receive an event of Stripe',
  description: 'Stores a genuine event once, and answers before the event is handled.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  answers: { 200: { description: 'The event is stored.' } },
  errors: [],
  async handle({ payments }, { body, headers }) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const afterwards = await payments.receive(bytes, headers['stripe-signature'] ?? '');
    return { status: 200, afterwards };
  },
});

/** Endpoints that programs of others call. */
export const hookEndpoints: readonly Endpoint[] = [receiveStripeEvent];
