/** The page on which a person lets a command line in. */
import type { PageRoute } from '../../app/route.ts';

export const cliLoginRoutes: readonly PageRoute[] = [
  { path: '/cli-login', load: async () => ({ Page: (await import('./cli-login-page.tsx')).CliLoginPage }) },
];
