/** The codes of webhooks. */
import { final } from './code.ts';

/** Codes that the endpoints of webhooks answer. */
export const WEBHOOK_ERRORS = {
  WEBHOOK_LIMIT_REACHED: final(
    422,
    'The account has as many webhooks as it may have.',
    'Remove a webhook that nobody uses, then repeat the request.',
  ),
  WEBHOOK_DISABLED: final(
    409,
    'The webhook is disabled, so nothing is sent to it.',
    'See to its server, enable the webhook, then repeat the request.',
  ),
};
