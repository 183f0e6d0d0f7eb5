/** Who has signed in, as GET /account says. */
import { createContext, useContext } from 'react';
import { ClientError } from 'dockyard-client/browser';
import type { components } from 'dockyard-client/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';

import { bareApi } from './api.ts';
import { answers, isPassing } from './queries.ts';

export type Account = components['schemas']['AccountResponse'];

const KEY = ['/account'];
const AccountContext = createContext<Account | null>(null);

/** Gives the pages below whose session this is. */
export const AccountProvider = AccountContext.Provider;

/** The person and the account; only below pages that people have to be signed in for. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === null) throw new Error('Nobody is signed in on this page.');
  return account;
}

const signedIn = queryOptions<Account | null>({
  queryKey: KEY,
  queryFn: async ({ signal }) => {
    try {
      return await bareApi.get('/account', { signal });
    } catch (error) {
      if (error instanceof ClientError && error.status === 401) return null;
      throw error;
    }
  },
  refetchInterval: ({ state }) => (isPassing(state.error) ? 5_000 : false),
  // A session that has ended is told by the next call, over the page, so that nothing typed is lost.
  refetchOnWindowFocus: false,
});

/** Reads who has signed in: null where nobody has. */
export function useSignedIn(): UseQueryResult<Account | null> {
  return useQuery(signedIn);
}

/** Asks who has signed in before the page that needs it is there; false where that is known. */
export function askAccount(): boolean {
  if (answers.getQueryData(KEY) !== undefined) return false;
  void answers.prefetchQuery(signedIn);
  return true;
}

/** The person who is known here; null where nobody is. */
export function knownAccount(): Account | null {
  return answers.getQueryData<Account | null>(KEY) ?? null;
}

/** Reads again who has signed in. */
export function readAccountAgain(): Promise<void> {
  return answers.invalidateQueries({ queryKey: KEY });
}

/** Forgets all answers: nobody has signed in any more. */
export function forgetAccount(): void {
  answers.setQueryData(KEY, null);
  answers.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
}
