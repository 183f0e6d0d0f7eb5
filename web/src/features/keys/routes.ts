/** API keys. */
import type { PageRoute } from '../../app/route.ts';

export const keysRoutes: readonly PageRoute[] = [
  { path: '/developers/keys', load: async () => ({ Page: (await import('./keys-page.tsx')).KeysPage }) },
];
