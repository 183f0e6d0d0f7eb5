/** Tells what Stripe will never do from what it may do later. */
import Stripe from 'stripe';

import { PaymentRefusal } from './payments.ts';

/** Answers that a repeated request may change: too early, too many at once. Any other of 4xx stays. */
const PASSING = new Set([401, 402, 403, 408, 409, 425, 429]);

/** Asks Stripe. @throws PaymentRefusal for an answer that stays the same however often the request is repeated. */
export async function refusing<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
    if (status >= 400 && status < 500 && !PASSING.has(status))
      throw new PaymentRefusal('The provider of payments refuses the request.', { cause: error });
    throw error;
  }
}
