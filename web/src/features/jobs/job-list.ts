/** The list of jobs, page by page. */
import type { AnswerOf, BrowserClient } from 'dockyard-client/browser';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

import { api, bareApi } from '../../api/api.ts';
import { askList, keyOf, useList } from '../../api/queries.ts';
import type { Search } from '../../app/search.ts';
import { filterOf } from './job-filters.tsx';
import type { JobFilter } from './job-filters.tsx';

type JobList = AnswerOf<'get', '/jobs'>;

const PAGE = 25;

const nameOf = (filter: JobFilter): readonly unknown[] => keyOf('/jobs', { list: filter });

const reader =
  (client: BrowserClient, filter: JobFilter) =>
  (cursor: string | undefined, signal: AbortSignal): Promise<JobList> =>
    client.get('/jobs', {
      query: { ...filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
      signal,
    });

/** Reads it. */
export function useJobs(filter: JobFilter): UseInfiniteQueryResult<InfiniteData<JobList>> {
  return useList(nameOf(filter), reader(api, filter));
}

/** Asks for it before the page is drawn; nobody is asked to sign in for that. */
export function askJobs(search: Search): void {
  const filter = filterOf(search);
  askList(nameOf(filter), reader(bareApi, filter));
}
