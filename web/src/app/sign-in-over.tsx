/** The sign-in over a page whose session has ended, or is too old for what was asked. The same person goes on; another one begins anew. */
import { useSyncExternalStore } from 'react';

import { m } from '#messages';

import { readAccountAgain, useAccount } from '../api/account.ts';
import { currentAsking, onAsking } from '../api/asking.ts';
import { SignInForm } from '../features/sign-in/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function SignInOver() {
  const asking = useSyncExternalStore(onAsking, currentAsking);
  const { user } = useAccount();
  if (asking === null) return null;
  return (
    <Dialog title={m.app_sign_in_over()} onClose={() => asking.answer(false)}>
      <p>{asking.reason === 'again' ? m.app_sign_in_again() : m.app_session_ended()}</p>
      <SignInForm
        email={user.email}
        onDone={(person) => {
          if (person.user.id !== user.id) location.assign('/');
          else void readAccountAgain().then(() => asking.answer(true));
        }}
      />
    </Dialog>
  );
}
