/** The settings that say who takes payments. */
import Joi from 'joi';

import { flag, number, text } from './setting.ts';

const PAYING = ['api', 'control', 'cli'] as const;

/** Settings of payments, by their names in code. */
export const PAYMENT_SETTINGS = {
  stripeSecretKey: text(
    Joi.string()
      .pattern(/^[rs]k_(live|test)_/, { name: 'secret key of Stripe, sk_… or rk_…' })
      .allow('')
      .default(''),
    'DOCKYARD_STRIPE_SECRET_KEY',
    PAYING,
    'Secret key of Stripe, which takes the payments of top-ups; empty: no top-ups.',
  ),
  stripeWebhookSecrets: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_STRIPE_WEBHOOK_SECRETS',
    PAYING,
    'Signing secrets of the endpoint POST /hooks/stripe, apart by commas; two while they are changed.',
  ),
  stripeApiUrl: text(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .allow('')
      .default(''),
    'DOCKYARD_STRIPE_API_URL',
    PAYING,
    'Stand-in for Stripe, for tests; empty: Stripe.',
  ),
  stripeProPrice: text(
    Joi.string()
      .pattern(/^price_/, { name: 'id of a price at Stripe, price_…' })
      .allow('')
      .default(''),
    'DOCKYARD_STRIPE_PRO_PRICE',
    PAYING,
    'Monthly price of the plan pro at Stripe; empty: operators alone give the plan.',
  ),
  stripeTax: flag(
    Joi.boolean().default(false),
    'DOCKYARD_STRIPE_TAX',
    PAYING,
    'Has Stripe add tax to the price of a top-up; needs Stripe Tax to be set up.',
  ),
  stripeInvoices: flag(
    Joi.boolean().default(false),
    'DOCKYARD_STRIPE_INVOICES',
    PAYING,
    'Has Stripe make an invoice for each top-up.',
  ),
  welcomePence: number(
    Joi.number().integer().min(0).max(100_000).default(0),
    'DOCKYARD_WELCOME_PENCE',
    ['api'],
    'Credits that a person gets once for ever, in pence, when the first sign-in opens an account; 0: none.',
  ),
};
