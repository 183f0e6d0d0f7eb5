/** All pages. The build tells the API process the same addresses, so it answers 404 to every other one. A feature adds its line. */
import { cliLoginRoutes } from '../features/cli-login/routes.ts';
import { creditsRoutes } from '../features/credits/routes.ts';
import { developersRoutes } from '../features/developers/routes.ts';
import { filesRoutes } from '../features/files/routes.ts';
import { homeRoutes } from '../features/home/routes.ts';
import { jobsRoutes } from '../features/jobs/routes.ts';
import { keysRoutes } from '../features/keys/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { signInRoutes } from '../features/sign-in/routes.ts';
import type { PageRoute } from './route.ts';

export const routes: readonly PageRoute[] = [
  ...homeRoutes,
  ...jobsRoutes,
  ...creditsRoutes,
  ...filesRoutes,
  ...keysRoutes,
  ...developersRoutes,
  ...signInRoutes,
  ...cliLoginRoutes,
  ...settingsRoutes,
];
