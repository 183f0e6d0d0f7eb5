/** The home page. */
import type { PageRoute } from '../../app/route.ts';

export const homeRoutes: readonly PageRoute[] = [
  { path: '/', load: async () => ({ Page: (await import('./home-page.tsx')).HomePage }) },
];
