/** Services of webhooks whose answers are made up; the real services are tested in test/services. */
import type { Services } from '../../../api/services.ts';
import type { Answers } from '../../../src/domain/answers.ts';
import { AT, JOB_ID } from './fake-people.ts';

const webhook: Answers['getWebhook'] = {
  ...{ id: JOB_ID, url: 'https://example.org/', types: ['job.failed'], enabled: true, disabledReason: null },
  ...{ failingSince: null, createdBy: JOB_ID, createdAt: AT, updatedAt: AT },
};
const delivery: Answers['testWebhook'] = {
  ...{ id: JOB_ID, webhookId: JOB_ID, eventId: JOB_ID, type: 'job.failed', state: 'PENDING', attempt: 0 },
  ...{ status: null, code: null, durationMs: null, attemptedAt: null, nextAttemptAt: AT, createdAt: AT },
};
const secret = 'whsec_c2VjcmV0';

/** Webhooks of which there is one, whatever is asked. */
export const fakeWebhooks: Services['webhooks'] = {
  list: async () => ({ webhooks: [webhook] }),
  create: async () => ({ ...webhook, secret, sameAs: null }),
  read: async () => webhook,
  change: async () => webhook,
  remove: async () => undefined,
  rotateSecret: async () => ({ secret }),
  enable: async () => webhook,
  test: async () => delivery,
  deliveries: async () => ({ deliveries: [delivery], nextCursor: null }),
  readDelivery: async () => ({ ...delivery, request: { url: webhook.url, body: '{}' }, answer: null }),
  redeliver: async () => delivery,
  redeliverFailed: async () => ({ redelivered: 1, more: false }),
};
