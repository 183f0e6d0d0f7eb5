/**
 * The API as pages call it. A call that fails because the session has ended, or because its sign-in is too old, asks over the page and is
 * then done, so nothing typed is lost.
 */
import { ClientError, createBrowserClient } from 'dockyard-client/browser';
import type { BrowserClient } from 'dockyard-client/browser';

import { askToSignIn } from './asking.ts';

/** The client as it is: for sign-ins, and for calls that nobody waits for. */
export const bareApi = createBrowserClient({ apiUrl: location.origin, retry: { attempts: 4 } });

async function signedIn<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call();
    } catch (error) {
      const reason = error instanceof ClientError ? error.code : '';
      if (reason !== 'UNAUTHORIZED' && reason !== 'SIGN_IN_AGAIN') throw error;
      if (!(await askToSignIn(reason === 'SIGN_IN_AGAIN' ? 'again' : 'ended'))) throw error;
    }
}

/** The client of pages. */
export const api: BrowserClient = {
  get: (path, input) => signedIn(() => bareApi.get(path, input)),
  put: (path, input) => signedIn(() => bareApi.put(path, input)),
  delete: (path, input) => signedIn(() => bareApi.delete(path, input)),
  post: (path, input) => signedIn(() => bareApi.post(path, input)),
  text: (path, input) => signedIn(() => bareApi.text(path, input)),
  events: (options) => bareApi.events(options),
};
