/** The app: who is here decides what is drawn around the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, RouterProvider, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';

import { AccountProvider, useSignedIn } from '../api/account.ts';
import { Loaded } from '../api/failure.tsx';
import { answers } from '../api/queries.ts';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { Frame, OpenFrame } from './frame.tsx';
import { startLive, stopLive } from './live.ts';
import { makeRouter } from './router.tsx';
import { SignInOver } from './sign-in-over.tsx';

const router = makeRouter(Root);

/** The whole app. */
export function App() {
  return (
    <QueryClientProvider client={answers}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

function Root() {
  const isOpen = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.open === true),
  });
  return isOpen ? (
    <OpenFrame>
      <Outlet />
    </OpenFrame>
  ) : (
    <ForPeople />
  );
}

function ForPeople() {
  const answer = useSignedIn();
  const userId = answer.data?.user.id;
  useEffect(() => {
    if (userId === undefined) return;
    startLive();
    return stopLive;
  }, [userId]);
  if (answer.data === undefined || answer.data === null)
    return (
      <OpenFrame>
        <Loaded answer={answer}>{() => <SignInPage />}</Loaded>
      </OpenFrame>
    );
  return (
    <AccountProvider value={answer.data}>
      <Frame>
        <Outlet />
      </Frame>
      <SignInOver />
    </AccountProvider>
  );
}
