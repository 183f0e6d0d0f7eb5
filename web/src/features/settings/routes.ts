/** Settings: a page for each. */
import type { PageRoute } from '../../app/route.ts';

export const settingsRoutes: readonly PageRoute[] = [
  {
    path: '/settings/security',
    load: async () => ({ Page: (await import('./security-page.tsx')).SecurityPage }),
  },
];
