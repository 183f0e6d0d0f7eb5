/**
 * A process that follows a top-up once, handles the events that were stored, or asks again for refunds, as a control worker does in an
 * activity: what a test kills without warning.
 */
import { createTopupActivities } from '../../activities/topups.ts';
import { createDatabase } from '../../src/adapters/database.ts';
import { openPayments } from '../../src/adapters/payments/stripe.ts';
import { sweepPaymentEvents, sweepRefunds } from '../../src/services/payments/index.ts';

const [databaseUrl = '', stripeApiUrl = '', topupId = ''] = process.argv.slice(2);
const db = await createDatabase(databaseUrl, { poolSize: 2 });
const deps = {
  ...{ db, alarm: () => undefined },
  payments: openPayments({
    ...{ stripeSecretKey: 'sk_test_1', stripeWebhookSecrets: '', stripeApiUrl },
    ...{ stripeProPrice: 'price_pro', stripeTax: false, stripeInvoices: false },
  }),
};
if (topupId === '') await sweepRefunds(deps, 0);
else if (topupId === 'events') await sweepPaymentEvents(deps, 0);
else await createTopupActivities(deps).followTopup({ topupId });
await db.destroy();
