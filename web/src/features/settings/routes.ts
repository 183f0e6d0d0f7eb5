/** Settings: a page for each. */
import type { PageRoute } from '../../app/route.ts';

export const settingsRoutes: readonly PageRoute[] = [
  {
    path: '/settings',
    load: async () => ({ Page: (await import('./account-page.tsx')).AccountPage }),
  },
  {
    path: '/settings/security',
    load: async () => ({ Page: (await import('./security-page.tsx')).SecurityPage }),
  },
  {
    path: '/settings/members',
    load: async () => ({ Page: (await import('./members-page.tsx')).MembersPage }),
  },
  {
    path: '/settings/notifications',
    load: async () => ({ Page: (await import('./notifications-page.tsx')).NotificationsPage }),
  },
  {
    path: '/settings/licence-servers',
    load: async () => ({ Page: (await import('./licence-servers-page.tsx')).LicenceServersPage }),
  },
  {
    path: '/settings/audit',
    load: async () => ({ Page: (await import('./audit-page.tsx')).AuditPage }),
  },
];
