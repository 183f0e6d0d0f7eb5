/** Developers: webhooks with what was sent to them, and the log of events. */
import type { PageRoute } from '../../app/route.ts';

export const developersRoutes: readonly PageRoute[] = [
  { path: '/developers', load: async () => ({ Page: (await import('./places.tsx')).Developers }) },
  {
    path: '/developers/webhooks',
    load: async () => ({ Page: (await import('./webhooks-page.tsx')).WebhooksPage }),
  },
  {
    path: '/developers/webhooks/$webhookId',
    load: async () => ({ Page: (await import('./webhook-page.tsx')).WebhookPage }),
  },
  {
    path: '/developers/events',
    load: async () => ({ Page: (await import('./events-page.tsx')).EventsPage }),
  },
];
