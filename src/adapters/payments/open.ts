/** The provider of payments that the settings name. */
import type { Payments } from './payments.ts';
import type { StripeSettings } from './stripe.ts';

/** Loads the SDK of the provider and opens payments; null without a key, and then nothing is loaded. */
export async function loadPayments(settings: StripeSettings): Promise<Payments | null> {
  if (settings.stripeSecretKey === '') return null;
  const { openPayments } = await import('./stripe.ts');
  return openPayments(settings);
}
