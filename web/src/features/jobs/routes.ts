/** Pages of jobs. */
import type { PageRoute } from '../../app/route.ts';

export const jobsRoutes: readonly PageRoute[] = [
  { path: '/jobs', load: async () => ({ Page: (await import('./jobs-page.tsx')).JobsPage }) },
  { path: '/jobs/new', load: async () => ({ Page: (await import('./new-job-page.tsx')).NewJobPage }) },
  { path: '/jobs/$jobId', load: async () => ({ Page: (await import('./job-page.tsx')).JobPage }) },
];
