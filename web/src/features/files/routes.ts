/** Files of the account. */
import type { PageRoute } from '../../app/route.ts';

export const filesRoutes: readonly PageRoute[] = [
  { path: '/files', load: async () => ({ Page: (await import('./files-page.tsx')).FilesPage }) },
];
