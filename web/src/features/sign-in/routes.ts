/** Pages around signing in. */
import type { PageRoute } from '../../app/route.ts';

export const signInRoutes: readonly PageRoute[] = [
  {
    path: '/sign-in',
    open: true,
    load: async () => ({ Page: (await import('./sign-in-page.tsx')).SignInPage }),
  },
  {
    path: '/sign-up',
    open: true,
    load: async () => ({ Page: (await import('./sign-up-page.tsx')).SignUpPage }),
  },
  {
    path: '/confirm',
    open: true,
    load: async () => ({ Page: (await import('./mail-pages.tsx')).ConfirmPage }),
  },
  { path: '/reset', open: true, load: async () => ({ Page: (await import('./mail-pages.tsx')).ResetPage }) },
  { path: '/join', open: true, load: async () => ({ Page: (await import('./mail-pages.tsx')).JoinPage }) },
];
