/** Pages of jobs. */
import type { PageRoute } from '../../app/route.ts';

export const jobsRoutes: readonly PageRoute[] = [
  {
    path: '/jobs',
    async load() {
      const [{ JobsPage }, { askJobs }] = await Promise.all([
        import('./jobs-page.tsx'),
        import('./job-list.ts'),
      ]);
      return { Page: JobsPage, ask: askJobs };
    },
  },
  { path: '/jobs/new', load: async () => ({ Page: (await import('./new-job-page.tsx')).NewJobPage }) },
  { path: '/jobs/$jobId', load: async () => ({ Page: (await import('./job-page.tsx')).JobPage }) },
];
