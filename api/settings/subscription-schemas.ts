/** Subscribing: where the hosted pages lead back to, and where they are. */
import Joi from 'joi';

import type { PortalRequest, SubscribeRequest } from '../../src/domain/plans.ts';
import { characters } from '../http/fields.ts';

const address = (text: string): Joi.StringSchema =>
  characters(1, 2048)
    .description(`Page of this service to return to ${text}; the dashboard when it is left out.`)
    .example('https://dockyard.example/dashboard/billing');

/** POST /settings/billing/subscribe. */
export const subscribeBody = Joi.object<SubscribeRequest, true>({
  successUrl: address('after the payment'),
  cancelUrl: address('without a payment'),
}).description('Where the checkout leads back to.');

/** POST /settings/billing/portal. */
export const portalBody = Joi.object<PortalRequest, true>({
  returnUrl: address('from the portal'),
}).description('Where the portal leads back to.');

/** The answer of both. */
export const pageAnswer = Joi.object({
  url: Joi.string()
    .uri()
    .required()
    .description('Hosted page to send the browser to.')
    .example('https://checkout.example/c/pay_1'),
}).description('A page of the provider of payments.');
