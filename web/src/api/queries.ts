/** Reading the API from a page. Answers are kept by path and input, and `app/live.ts` has them read again when something happened. */
import { ClientError } from 'dockyard-client/browser';
import type { AnswerOf, CallInput, PathOf } from 'dockyard-client/browser';
import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';

import { api } from './api.ts';

/** How soon a question is asked again that failed for a reason that passes. */
export const AGAIN_MS = 5_000;

/** Whether the same call can succeed later. */
export function isPassing(error: unknown): boolean {
  return error instanceof ClientError && error.passing;
}

/** All answers of this tab. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: true, networkMode: 'always' },
  },
});

/** The name under which an answer is kept. */
export function keyOf(path: string, input: object = {}): readonly unknown[] {
  return [path, input];
}

/** Reads an operation; a question that failed and can succeed later is asked again by itself. */
export function useGet<P extends PathOf<'get'>>(
  path: P,
  input: CallInput<'get', P>,
  options: { readonly enabled?: boolean; readonly keep?: boolean; readonly everyMs?: number } = {},
): UseQueryResult<AnswerOf<'get', P>> {
  const { enabled = true, keep = false, everyMs } = options;
  return useQuery<AnswerOf<'get', P>>({
    queryKey: keyOf(path, input),
    queryFn: ({ signal }) => api.get(path, { ...input, signal }),
    enabled,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: ({ state }) => (isPassing(state.error) ? AGAIN_MS : (everyMs ?? false)),
  });
}

/** A page of a list, and where the next one begins. */
interface Page {
  readonly nextCursor: string | null;
}

type ReadPage<P> = (cursor: string | undefined, signal: AbortSignal) => Promise<P>;

const first: string | undefined = undefined;

function listOptions<P extends Page>(key: readonly unknown[], read: ReadPage<P>) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** Reads a list page by page; what was read is kept under its name, as answers are. What no event tells of is read again every so often. */
export function useList<P extends Page>(
  key: readonly unknown[],
  read: ReadPage<P>,
  options: { readonly everyMs?: number } = {},
): UseInfiniteQueryResult<InfiniteData<P>> {
  const { everyMs } = options;
  return useInfiniteQuery({
    ...listOptions(key, read),
    placeholderData: keepPreviousData,
    // A list of which more was read is not read again page by page.
    refetchInterval: ({ state }) =>
      isPassing(state.error) ? AGAIN_MS : ((state.data?.pages.length === 1 ? everyMs : null) ?? false),
  });
}

/** Asks for the first page of a list before it is shown; whoever shows it asks again where that failed. */
export function askList<P extends Page>(key: readonly unknown[], read: ReadPage<P>): void {
  void answers.prefetchInfiniteQuery(listOptions(key, read));
}
