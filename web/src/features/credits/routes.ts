/** The credits, and the addresses to which payments come back. */
import type { PageRoute } from '../../app/route.ts';

export const creditsRoutes: readonly PageRoute[] = [
  { path: '/credits', load: async () => ({ Page: (await import('./credits-page.tsx')).CreditsPage }) },
  {
    path: '/dashboard/credits',
    load: async () => ({ Page: (await import('./ways-back.tsx')).CreditsWayBack }),
  },
  {
    path: '/dashboard/billing',
    load: async () => ({ Page: (await import('./ways-back.tsx')).BillingWayBack }),
  },
];
